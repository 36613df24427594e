#include "bundle/gate.h"

#include "report/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace ptxwb::bundle {

using nlohmann::json;

namespace {

std::string list(const std::vector<std::string>& texts) {
    return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace

std::string toText(const GateAnswer& answer) {
    std::string text = fmt::format("{}: {} of {}\n", answer.isApproved() ? "approved" : "refused",
                                   answer.candidate.empty() ? "candidate not known" : report::visible(answer.candidate),
                                   answer.kernel.empty() ? "kernel not known" : report::visible(answer.kernel));
    text +=
        fmt::format("  decision    {}\n  targets     {}\n  assemblers  ptxas {}\n  signed by   {}\n  bundle      {}\n",
                    report::visible(answer.state), list(answer.targets), list(answer.assemblers),
                    answer.signer.empty() ? "nobody" : report::visible(answer.signer), answer.bundleSha256);
    for (const Problem& reason : answer.reasons)
        text += fmt::format("  {}: {}\n", report::visible(reason.path), report::visible(reason.what));
    return text;
}

std::string toMarkdown(const GateAnswer& answer) {
    const auto cell = [](std::string_view text) { return report::codeSpan(text, report::Inside::cell); };
    std::string text =
        fmt::format("### {}: {} of {}\n\n| | |\n|---|---|\n", answer.isApproved() ? "Approved" : "Refused",
                    report::codeSpan(answer.candidate), report::codeSpan(answer.kernel));
    text +=
        fmt::format("| decision | {} |\n| targets | {} |\n| assemblers | {} |\n| signed by | {} |\n| bundle | {} |\n",
                    cell(answer.state), cell(list(answer.targets)), cell(list(answer.assemblers)),
                    cell(answer.signer.empty() ? "nobody" : answer.signer), cell(answer.bundleSha256));
    if (answer.reasons.empty()) return text;
    text += "\nRefused because:\n\n";
    for (const Problem& reason : answer.reasons)
        text += fmt::format("- {}: {}\n", report::codeSpan(reason.path), report::codeSpan(reason.what));
    return text;
}

json toJson(const GateAnswer& answer) {
    json reasons = json::array();
    for (const Problem& reason : answer.reasons) reasons.push_back({{"file", reason.path}, {"message", reason.what}});
    const auto orNull = [](const std::string& text) { return text.empty() ? json(nullptr) : json(text); };
    return {{"schema", 1},
            {"approved", answer.isApproved()},
            {"kernel", orNull(answer.kernel)},
            {"candidate", orNull(answer.candidate)},
            {"decision", answer.state},
            {"targets", answer.targets},
            {"assemblers", answer.assemblers},
            {"signer", orNull(answer.signer)},
            {"bundle_sha256", answer.bundleSha256},
            {"reasons", std::move(reasons)}};
}

json toSarif(const GateAnswer& answer, const std::string& bundle, std::string_view program) {
    json results = json::array();
    for (const Problem& reason : answer.reasons)
        results.push_back(
            {{"ruleId", "not_approved"},
             {"level", "error"},
             {"message", {{"text", fmt::format("{}: {}", reason.path, reason.what)}}},
             {"locations", json::array({{{"physicalLocation", {{"artifactLocation", {{"uri", bundle}}}}}}})}});
    const json rule{{"id", "not_approved"},
                    {"shortDescription", {{"text", "A kernel ships only with an approval that holds"}}}};
    return {
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         json::array(
             {{{"tool", {{"driver", {{"name", "ptxwb review"}, {"version", program}, {"rules", json::array({rule})}}}}},
               {"results", std::move(results)}}})}};
}

} // namespace ptxwb::bundle
