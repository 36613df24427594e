// Runs one entry of a PTX text with an output buffer as its first parameter. For the emulator's tests.
#pragma once

#include "emulator/emulator.h"
#include "ptx/parse.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace ptxwb::emulator {

/// A tensor map of the input or the output, whose address is added to its base. Parameters of 128 bytes take them in
/// order.
struct MapOf {
    TensorMap map;
    bool ofInput = true;
};

/// A texture or surface of the input or the output, whose address is added to its base; parameter number `parameter` is
/// its handle.
struct TextureOf {
    Texture texture;
    std::size_t parameter = 2;
    bool ofInput = true;
};

struct KernelRun {
    std::string text;
    std::string entry;
    Index3 grid{1, 1, 1}, block{1, 1, 1};
    std::uint32_t dynamicSharedBytes = 0;
    std::size_t outWords = 64;
    std::uint32_t align = 16;                 ///< of the output buffer, bytes
    std::vector<std::uint8_t> moreParameters; ///< what follows the first parameter, from byte 8
    std::vector<std::uint8_t> input; ///< where not empty: a read-only buffer whose pointer is the second parameter
    std::vector<MapOf> maps;
    std::vector<TextureOf> textures;
    std::vector<std::size_t> watchedWords; ///< of the output buffer, by number
    Options options;
};

struct KernelAnswer {
    std::string error; ///< from parse, decode or launch
    RunResult result;
    std::vector<std::string> out; ///< words in hex, "null" where nothing was written
};

inline KernelAnswer runKernel(const KernelRun& request) {
    KernelAnswer answer;
    auto module = ptx::parse(request.text, "test.ptx");
    for (const auto& d : module->diagnostics)
        if (d.severity == Severity::error) answer.error += format(d, request.text);
    if (!answer.error.empty()) return answer;
    auto program = decode(module, request.entry);
    if (!program) {
        answer.error = format(program.error());
        return answer;
    }
    Memory memory;
    const std::uint64_t out =
        *memory.allocate("out", request.outWords * 4, request.align, Access::readWrite, Initially::unwritten);
    Launch launch{request.grid,
                  request.block,
                  request.dynamicSharedBytes,
                  std::vector<std::uint8_t>(parameterBytes(**program)),
                  {}};
    auto put = [&](std::size_t at, const void* from, std::size_t count) {
        if (count && at + count <= launch.parameters.size()) std::memcpy(launch.parameters.data() + at, from, count);
    };
    put(0, &out, 8);
    std::uint64_t in = 0;
    if (!request.input.empty()) {
        in = *memory.allocate("in", request.input.size(), 16, Access::readOnly, Initially::written);
        memory.find(in)->bytes = request.input;
        put(8, &in, 8);
    } else {
        put(8, request.moreParameters.data(), request.moreParameters.size());
    }
    std::size_t nextMap = 0;
    for (const ParameterLayout& p : parameterLayout(**program)) {
        if (p.size != tensorMapBytes || nextMap == request.maps.size()) continue;
        TensorMap map = request.maps[nextMap].map;
        map.base += request.maps[nextMap].ofInput ? in : out;
        const auto bytes = tensorMapParameter(static_cast<std::uint32_t>(nextMap++));
        std::ranges::copy(bytes, launch.parameters.begin() + p.offset);
        launch.tensorMaps.push_back(map);
    }
    for (const TextureOf& each : request.textures) {
        Texture texture = each.texture;
        texture.base += each.ofInput ? in : out;
        const std::uint64_t handle = textureHandle(static_cast<std::uint32_t>(launch.textures.size()));
        put(parameterLayout(**program).at(each.parameter).offset, &handle, sizeof handle);
        launch.textures.push_back(texture);
    }
    Options options = request.options;
    for (const std::size_t word : request.watchedWords) options.watched.push_back({out + word * 4, 4});
    auto result = run(**program, memory, launch, options);
    if (!result) {
        answer.error = format(result.error());
        return answer;
    }
    answer.result = std::move(*result);
    const Allocation& buffer = *memory.named("out");
    for (std::size_t i = 0; i < request.outWords; ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, buffer.bytes.data() + i * 4, 4);
        answer.out.push_back(buffer.wasWritten(i * 4) ? fmt::format("{:08x}", word) : "null");
    }
    return answer;
}

/// One line a finding: what a test compares.
inline std::string summary(const Finding& f) {
    std::string out = fmt::format("{} line {}", name(f.kind), f.line);
    if (f.thread) out += fmt::format(" thread {}", (*f.thread)[0]);
    for (const auto& r : f.related) {
        out += fmt::format(", line {}", r.line);
        if (r.thread) out += fmt::format(" thread {}", (*r.thread)[0]);
    }
    return out + ": " + f.message;
}

} // namespace ptxwb::emulator
