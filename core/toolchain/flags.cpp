#include "toolchain/flags.h"

#include "support/nearest.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace ptxwb::toolchain {

namespace {

enum class Value : std::uint8_t {
    none,   // -lineinfo
    glued,  // -O3, -DNAME, -std=c++17: the text after the name, which may also follow as the next argument
    choice, // --fmad=false: after '=' or as the next argument
};

struct Flag {
    std::string_view name;
    Value value;
};

constexpr auto nvccFlags = std::to_array<Flag>({
    {"-O", Value::glued},
    {"-I", Value::glued},
    {"-isystem", Value::choice},
    {"-include", Value::choice},
    {"-D", Value::glued},
    {"-U", Value::glued},
    {"-std", Value::choice},
    {"--std", Value::choice},
    {"--expt-relaxed-constexpr", Value::none},
    {"--expt-extended-lambda", Value::none},
    {"-expt-relaxed-constexpr", Value::none},
    {"-expt-extended-lambda", Value::none},
    {"--extended-lambda", Value::none},
    {"-extended-lambda", Value::none},
    {"--use_fast_math", Value::none},
    {"-use_fast_math", Value::none},
    {"-maxrregcount", Value::choice},
    {"--maxrregcount", Value::choice},
    {"-lineinfo", Value::none},
    {"--generate-line-info", Value::none},
    {"-fmad", Value::choice},
    {"--fmad", Value::choice},
    {"-ftz", Value::choice},
    {"--ftz", Value::choice},
    {"-prec-div", Value::choice},
    {"--prec-div", Value::choice},
    {"-prec-sqrt", Value::choice},
    {"--prec-sqrt", Value::choice},
    {"-restrict", Value::none},
    {"--restrict", Value::none},
    {"-extra-device-vectorization", Value::none},
    {"--extra-device-vectorization", Value::none},
    {"-diag-suppress", Value::choice},
    {"--diag-suppress", Value::choice},
    {"-w", Value::none},
    {"-default-device", Value::none},
    {"--default-device", Value::none},
    {"-allow-unsupported-compiler", Value::none},
    {"--allow-unsupported-compiler", Value::none},
});

constexpr auto ptxasFlags = std::to_array<Flag>({
    {"-O0", Value::none},
    {"-O1", Value::none},
    {"-O2", Value::none},
    {"-O3", Value::none},
    {"-maxrregcount", Value::choice},
    {"--maxrregcount", Value::choice},
    {"-lineinfo", Value::none},
    {"--generate-line-info", Value::none},
    {"-g", Value::none},
    {"-fmad", Value::choice},
    {"--fmad", Value::choice},
    {"-dlcm", Value::choice},
    {"--def-load-cache", Value::choice},
    {"-dscm", Value::choice},
    {"--def-store-cache", Value::choice},
    {"--warn-on-spills", Value::none},
    {"--warn-on-local-memory-usage", Value::none},
    {"--warn-on-double-precision-use", Value::none},
    {"-Werror", Value::none},
    {"--allow-expensive-optimizations", Value::choice},
    {"--split-compile", Value::choice},
});

/// Whether `argument` is `flag`; sets `takesNext` where its value is the next argument.
bool matches(std::string_view argument, const Flag& flag, bool& takesNext) {
    takesNext = false;
    if (!argument.starts_with(flag.name)) return false;
    const auto rest = argument.substr(flag.name.size());
    if (rest.empty()) {
        takesNext = flag.value != Value::none;
        return true;
    }
    if (flag.value == Value::none) return false;
    return flag.value == Value::glued || rest.starts_with('=');
}

std::string whyRefused(std::string_view flag, std::string_view program) {
    const auto begins = [flag](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(names, [flag](std::string_view name) { return flag.starts_with(name); });
    };
    if (begins({"-ccbin", "--compiler-bindir"})) return "it names a program to run, so it belongs into the settings";
    if (begins({"-Xcompiler", "--compiler-options", "-Xptxas", "--ptxas-options", "-Xlinker", "-Xcicc"}))
        return "it hands unchecked options to another program";
    if (begins({"-arch", "--gpu-architecture", "-gencode", "--generate-code", "-code", "--gpu-code", "--gpu-name"}))
        return "the target is chosen with the arch of the spec or with --arch";
    if (begins({"-o", "--output", "-ptx", "--ptx", "-cubin", "-c", "-run", "--run", "--options-file", "-dryrun",
                "-keep", "--keep"}))
        return "what is made, and where, is decided by the workbench";
    return fmt::format("it is not in the list of flags that may be passed to {}", program);
}

Expected<void> check(const std::vector<std::string>& flags, std::span<const Flag> allowed, std::string_view program) {
    std::vector<std::string_view> names;
    for (const auto& flag : allowed) names.push_back(flag.name);
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const std::string_view argument = flags[i];
        bool takesNext = false;
        const auto known =
            std::ranges::find_if(allowed, [&](const Flag& flag) { return matches(argument, flag, takesNext); });
        if (known != allowed.end()) {
            if (takesNext && ++i == flags.size())
                return failure(Cause::badRequest, fmt::format("the flag {} needs a value", argument));
            continue;
        }
        const auto near = nearestName(argument.substr(0, argument.find('=')), std::span<const std::string_view>(names));
        return failure(Cause::badRequest,
                       fmt::format("the flag {} is not allowed: {}", argument, whyRefused(argument, program)),
                       fmt::format("{}Allowed for {}: {}.", near.empty() ? "" : fmt::format("Did you mean {}? ", near),
                                   program, fmt::join(names, " ")));
    }
    return {};
}

} // namespace

Expected<void> checkNvccFlags(const std::vector<std::string>& flags) {
    return check(flags, nvccFlags, "nvcc");
}
Expected<void> checkPtxasFlags(const std::vector<std::string>& flags) {
    return check(flags, ptxasFlags, "ptxas");
}

Expected<void> checkArchitecture(std::string_view arch) {
    auto digits = arch;
    if (digits.starts_with("sm_")) {
        digits.remove_prefix(3);
        if (digits.ends_with('a') || digits.ends_with('f')) digits.remove_suffix(1);
        if (digits.size() >= 2 && digits.size() <= 3 &&
            digits.find_first_not_of("0123456789") == std::string_view::npos)
            return {};
    }
    return failure(Cause::badRequest, fmt::format("\"{}\" names no GPU architecture", arch),
                   "Write it as sm_90, sm_90a or sm_100f.");
}

} // namespace ptxwb::toolchain
