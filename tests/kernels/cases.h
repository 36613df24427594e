// The kernels of tests/data/kernels with their launches, and what a machine wrote for them.
// Used by the test, which runs them on the emulator, and by kernels_record, which runs them on a GPU.
#pragma once

#include "kernel/layout.h"

#include <filesystem>

namespace ptxwb::kernels {

/// One launch of one kernel.
struct Case {
    std::string title; ///< "scan_shuffle n=1000": what it is recorded under
    kernel::Kernel kernel;
    kernel::LaunchData data;
    std::string ptxFile, ptx;
    std::string key; ///< a hash of the PTX and of all that the launch is given
};

/// Every function size of every spec in the folder, in alphabetical order. Errors: a spec that cannot be read or
/// launched.
Expected<std::vector<Case>> readCases(const std::filesystem::path& folder);

/// What a launch left in one buffer that is no plain input.
struct Output {
    std::string name;
    kernel::ElementType type = kernel::ElementType::u32;
    std::uint64_t count = 0;         ///< elements
    std::string digest;              ///< SHA-256 of the bytes; empty where the values are kept
    std::vector<std::uint8_t> bytes; ///< of outputs that are compared within a bound
};

struct Answer {
    std::string title, key;
    std::vector<Output> outputs;
    std::string printed;
};

/// `buffers`: the bytes of every buffer of the launch. Kept are those that the kernel may write and that are no
/// scratch.
Answer answerOf(const Case& launched, const std::vector<std::vector<std::uint8_t>>& buffers, std::string printed);

/// The bound that the spec sets for an output. `automatic` counts as exact.
kernel::Tolerance toleranceOf(const kernel::KernelSpec& spec, std::string_view argument);

struct Recording {
    std::string header; ///< lines that begin with #
    std::vector<Answer> answers;

    const Answer* find(std::string_view title) const;
};

std::string textOf(const Recording& recording);
/// Errors name the file and the line.
Expected<Recording> readRecording(const std::filesystem::path& file);

/// One line for each output that is not as recorded; empty where all is.
std::vector<std::string> differences(const Case& launched, const Answer& recorded, const Answer& now);

} // namespace ptxwb::kernels
