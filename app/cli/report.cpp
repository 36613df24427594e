// `ptxwb report`: what a session knows about its candidates, as a page for a reviewer. Nothing is run.
#include "command.h"

#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "session/load.h"
#include "support/files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::cli {

namespace {

struct ReportOptions {
    std::string session, output, format;
};

const std::vector<std::string> formats{"html", "md", "json"};

Expected<std::string> formatOf(const ReportOptions& options) {
    std::string format = options.format;
    if (format == "markdown") format = "md";
    if (format.empty()) {
        format = std::filesystem::path(options.output).extension().string();
        if (!format.empty()) format.erase(0, 1);
        if (format == "htm") format = "html";
        if (std::ranges::find(formats, format) == formats.end())
            return failure(Cause::badRequest,
                           options.output.empty()
                               ? std::string("-o is missing")
                               : fmt::format("-o {}: the ending does not say which report", options.output),
                           "-o OUT.html, -o OUT.md or -o OUT.json; or --format html, md or json");
    }
    if (std::ranges::find(formats, format) == formats.end())
        return std::unexpected(unknownWord("--format takes html, md or json, not", format, formats));
    return format;
}

Expected<int> writeReport(ReportOptions options, const Invocation& invocation) {
    if (invocation.json && options.output.empty()) {
        options.output = "-";
        options.format = "json";
    }
    const auto format = formatOf(options);
    if (!format) return std::unexpected(format.error());
    auto loaded = session::load(options.session);
    if (!loaded) {
        if (!options.session.ends_with(".ptxwb") && loaded.error().hint.empty())
            loaded.error().hint = "a session is a NAME.ptxwb, as the window and `ptxwb propose` save it; for a kernel "
                                  "alone: ptxwb verify KERNEL --format markdown";
        return std::unexpected(std::move(loaded.error()));
    }
    for (const Diagnostic& note : loaded->notes) printDiagnostic(note);
    const report::Report made = report::makeReport(loaded->session, PTXWB_VERSION);
    const auto json = [&] {
        return report::toJson(made).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    };
    const std::string text = *format == "html" ? report::toHtml(made)
                             : *format == "md" ? report::toMarkdown(made)
                                               : json();
    if (options.output.empty() || options.output == "-") {
        std::fwrite(text.data(), 1, text.size(), stdout);
        return passed;
    }
    if (auto written = writeFileAtomically(options.output, text); !written)
        return std::unexpected(std::move(written.error()));
    if (invocation.json) std::fputs(json().c_str(), stdout);
    return passed;
}

} // namespace

void addReport(Invocation& invocation) {
    const auto options = std::make_shared<ReportOptions>();
    CLI::App* command = addCommand(invocation, "report", "write a session's review report: HTML, Markdown or JSON",
                                   "ptxwb report tuning.ptxwb -o tuning.html",
                                   [options, &invocation] { return writeReport(*options, invocation); });
    command->add_option("SESSION", options->session, "a NAME.ptxwb")->required();
    command->add_option("-o,--output", options->output, "OUT.html, OUT.md or OUT.json; - for stdout");
    command->add_option("--format", options->format, "html, md or json, whatever the ending says");
}

} // namespace ptxwb::cli
