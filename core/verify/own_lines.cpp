#include "verify/own_lines.h"

#include "toolchain/ptxas.h"
#include "verify/context.h"

#include <algorithm>
#include <fmt/format.h>

namespace ptxwb::verify {

namespace {

bool isDirective(std::string_view line, std::string_view directive) {
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) return false;
    const auto rest = line.substr(first);
    return rest.starts_with(directive) && rest.size() > directive.size() &&
           (rest[directive.size()] == ' ' || rest[directive.size()] == '\t');
}

} // namespace

std::string withOwnLines(const ptx::Module& module, std::string_view file) {
    std::vector<std::uint32_t> starts;
    for (const ptx::Function& function : module.functions)
        for (const ptx::Instruction& instruction : function.instructions) starts.push_back(instruction.span.offset);
    std::ranges::sort(starts);
    const std::string& text = *module.text;
    std::string result;
    auto next = starts.begin();
    std::uint32_t line = 1;
    for (std::size_t begin = 0; begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        const std::string_view whole = std::string_view(text).substr(begin, end - begin);
        if (isDirective(whole, ".loc") || isDirective(whole, ".file")) result += "//";
        std::size_t copied = begin;
        for (; next != starts.end() && *next < end; ++next) {
            result.append(text, copied, *next - copied);
            result += fmt::format(".loc 1 {} {}\n", line, *next - begin + 1);
            copied = *next;
        }
        result.append(text, copied, end - copied);
        begin = end;
    }
    return result + fmt::format("\n.file 1 \"{}\"\n", file);
}

Expected<std::string> cubinWithOwnLines(const ptx::Module& module, const std::string& arch, const Machine& machine,
                                        std::stop_token stop) {
    const toolchain::Toolkit* const toolkit = machine.assembler();
    if (!toolkit) return failure(Cause::missing, "no ptxas was found", "install a CUDA toolkit, or set PTXWB_PTXAS");
    toolchain::PtxasRequest request;
    request.file = "candidate.ptx";
    request.text = withOwnLines(module, request.file);
    request.arch = arch;
    request.flags = {"-lineinfo"};
    auto assembled = toolchain::assemble(request, *toolkit, stop);
    if (!assembled) return std::unexpected(std::move(assembled.error()));
    if (!assembled->ok) return failure(Cause::rejected, "ptxas refuses the text with its own lines", assembled->log);
    return std::move(assembled->cubin);
}

} // namespace ptxwb::verify
