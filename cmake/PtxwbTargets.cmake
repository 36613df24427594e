# One function for each kind of target, so that every folder is built with the same warnings.

find_program(PTXWB_CCACHE ccache)
if(PTXWB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths below the source folder count as relative, so that checkouts in different folders share the cache.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true ${PTXWB_CCACHE})
endif()

function(ptxwb_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
    # g++ 12 sees overlapping copies in std::string's own operator+ (GCC bug 105651).
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
    if(PTXWB_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

# ptxwb_core_library(name SOURCES a.cpp ... LINKS other ...): core/<name> as the static library ptxwb_<name>.
function(ptxwb_core_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
    add_library(ptxwb_${name} STATIC ${ARG_SOURCES})
    target_include_directories(ptxwb_${name} PUBLIC ${CMAKE_SOURCE_DIR}/core)
    target_link_libraries(ptxwb_${name} PUBLIC ${ARG_LINKS})
    set_target_properties(ptxwb_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    ptxwb_warnings(ptxwb_${name})
endfunction()

# ptxwb_test(file.cpp LABEL unit LINKS targets ...): one Qt Test program, named after its path.
function(ptxwb_test source)
    cmake_parse_arguments(ARG "" "LABEL" "LINKS" ${ARGN})
    if(NOT ARG_LABEL)
        set(ARG_LABEL unit)
    endif()
    cmake_path(GET source STEM stem)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" "_" name "${folder}_${stem}")
    add_executable(${name} ${source})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    target_link_libraries(${name} PRIVATE ${ARG_LINKS} Qt6::Test)
    target_compile_definitions(${name} PRIVATE PTXWB_SOURCE_DIR="${CMAKE_SOURCE_DIR}" PTXWB_BINARY_DIR="${CMAKE_BINARY_DIR}")
    ptxwb_warnings(${name})
    # Tests run once a build: they are compiled fast instead of made fast.
    target_compile_options(${name} PRIVATE -O1)
    add_test(NAME ${folder}/${stem} COMMAND ${name})
    set_tests_properties(${folder}/${stem} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT 300
                         ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;PTXWB_RESULT_CACHE=off")
endfunction()

# ptxwb_lane_tests(source.cpp): the test of `ptxwb_test` again with each lesser instruction set of the emulator's lanes.
function(ptxwb_lane_tests source)
    cmake_path(GET source STEM stem)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
    string(REPLACE "/" "_" name "${folder}_${stem}")
    foreach(set avx2 generic)
        add_test(NAME ${folder}/${stem}_${set} COMMAND ${name})
        set_tests_properties(${folder}/${stem}_${set} PROPERTIES LABELS unit TIMEOUT 300
                             ENVIRONMENT "QT_QPA_PLATFORM=offscreen;LC_ALL=C.UTF-8;PTXWB_LANES=${set}")
    endforeach()
endfunction()
