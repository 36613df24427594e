#include "region_option.h"

#include <charconv>
#include <fmt/format.h>

namespace ptxwb::cli {

Expected<llm::RegionRequest> regionOption(const std::string& text, const std::string& base,
                                          proposals::KernelJudge& judge, std::stop_token stop) {
    if (text == "hot") {
        const auto loop = judge.hottestLoop(base, stop);
        if (!loop) {
            Diagnostic error = loop.error();
            error.message = fmt::format("--region hot: {}", error.message);
            if (!error.hint.empty()) error.hint += ": --region 120:184";
            return std::unexpected(std::move(error));
        }
        fmt::print(stderr, "the hottest loop: {}\n", llm::describe(*loop));
        return loop->lines;
    }
    llm::RegionRequest region;
    const auto colon = text.find(':');
    const auto number = [&](std::string_view part, std::uint32_t& value) {
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        return error == std::errc{} && end == part.data() + part.size() && value > 0;
    };
    if (colon == std::string::npos || !number(std::string_view(text).substr(0, colon), region.firstLine) ||
        !number(std::string_view(text).substr(colon + 1), region.lastLine))
        return failure(Cause::badRequest,
                       fmt::format("--region {}: expected FIRST:LAST, lines of the baseline's PTX, or `hot`", text),
                       "for instance --region 120:184");
    return region;
}

} // namespace ptxwb::cli
