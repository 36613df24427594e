// Which PTX lines came from which CUDA line, as plain tables that outlive the module.
// Made off the window's thread; read by the comparison view when it scrolls, hovers and reveals.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ptxwb::ptx {
struct Module;
}

namespace ptxwb::ui {

/// Lines count from 1; 0 means none.
struct SourceLinks {
    std::vector<std::uint32_t> sourceLines; ///< at PTX line - 1: the line of the CUDA file that is shown
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> ptxLines; ///< of a CUDA line, in order

    bool empty() const { return ptxLines.empty(); }
    std::uint32_t sourceOf(std::uint32_t ptxLine) const;
    const std::vector<std::uint32_t>& linesOf(std::uint32_t sourceLine) const;
};

/// `sourceFile` is the shown CUDA file's name; of an inlined place the innermost call site in that file counts.
SourceLinks makeSourceLinks(const ptx::Module& module, std::string_view sourceFile);

} // namespace ptxwb::ui
