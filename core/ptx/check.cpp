#include "ptx/check.h"

#include "ptx/check_context.h"
#include "ptx/targets.h"

#include <fmt/format.h>

#include <algorithm>

namespace ptxwb::ptx {

namespace {

void checkVersion(CheckContext& context) {
    const Module& module = context.module;
    const auto known = ptxVersions();
    if (module.version > known.back()) {
        context.reporter.warning(
            module.versionSpan,
            fmt::format("PTX {} is newer than {}, the newest that this program knows", versionText(module.version),
                        versionText(known.back())),
            fmt::format("ptxas refuses a version newer than its own; CUDA 13.0 knows {}", versionText(known.back())));
        return;
    }
    if (std::find(known.begin(), known.end(), module.version) == known.end()) {
        const auto before = std::upper_bound(known.begin(), known.end(), module.version);
        const unsigned nearest = before == known.begin() ? known.front() : *(before - 1);
        context.reporter.error(module.versionSpan,
                               fmt::format("there is no PTX version {}", versionText(module.version)),
                               fmt::format("write {}", versionText(nearest)));
    }
}

void checkTarget(CheckContext& context, std::string_view word) {
    static constexpr std::string_view options[] = {"debug", "texmode_unified", "texmode_independent", "map_f64_to_f32"};
    const Module& module = context.module;
    const auto offset = static_cast<std::uint32_t>(word.data() - module.text->data());
    const Span span{offset, static_cast<std::uint32_t>(word.size())};
    if (std::find(std::begin(options), std::end(options), word) != std::end(options)) return;
    const auto wanted = target(word);
    if (!wanted) {
        context.reporter.error(span, fmt::format("'{}' is no target", word),
                               "targets are written sm_90, sm_90a, sm_100f");
        return;
    }
    const auto first = firstVersion(*wanted);
    if (!first) {
        const auto rows = targetRows();
        if (wanted->sm > rows.back().sm || wanted->suffix)
            context.reporter.note(span, fmt::format("this program does not know the target '{}'", word),
                                  "ptxas may know it");
        else
            context.reporter.error(span, fmt::format("there is no target '{}'", word),
                                   "targets are written sm_90, sm_90a, sm_100f");
        return;
    }
    if (module.version && module.version < *first) {
        Diagnostic* const d = context.reporter.error(
            span, fmt::format("PTX {} does not know the target {}", versionText(module.version), word),
            fmt::format("write .version {} or newer, or an older target", versionText(*first)));
        Reporter::relate(d, module, module.versionSpan,
                         fmt::format("version {} is declared here", versionText(module.version)));
    }
}

} // namespace

std::string versionText(unsigned version) {
    return fmt::format("{}.{}", version / 10, version % 10);
}

void checkHead(CheckContext& context) {
    if (context.module.version) checkVersion(context);
    for (const std::string_view word : context.module.targets) {
        checkTarget(context, word);
        if (const auto wanted = target(word); wanted && context.target.sm == 0) context.target = *wanted;
    }
}

std::vector<Diagnostic> check(const Module& module) {
    Reporter reporter(module);
    reporter.adopt(module.diagnostics);
    CheckContext context(module, reporter);
    checkHead(context);
    for (const Function& function : module.functions) {
        for (const Instruction& instruction : function.instructions) {
            const std::size_t before = reporter.errors();
            checkShape(context, function, instruction);
            checkTypes(context, function, instruction);
            // The special messages say it better; the table has what they leave.
            if (reporter.errors() == before) checkForm(context, function, instruction);
            if (reporter.errors() == before) checkOperands(context, function, instruction);
            if (reporter.errors() == before) checkVectors(context, function, instruction);
            if (reporter.errors() == before) checkSpace(context, function, instruction);
        }
        if (function.hasBody) checkFlow(context, function);
    }
    return reporter.take();
}

} // namespace ptxwb::ptx
