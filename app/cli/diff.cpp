// `ptxwb diff`: two PTX files side by side, seen through renamed registers and labels.
#include "command.h"

#include "compare/print_text.h"
#include "ptx/parse.h"
#include "support/files.h"

#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ptxwb::cli {

namespace {

struct DiffOptions {
    std::string left, right, color = "auto", level = "changed";
    bool ignoreLines = false;
};

Expected<compare::Level> levelOf(const std::string& word) {
    if (word == "all") return compare::Level::all;
    if (word == "renamed") return compare::Level::renamed;
    if (word == "changed") return compare::Level::changed;
    return std::unexpected(
        unknownWord("--level takes all, renamed or changed, not", word, {"all", "renamed", "changed"}));
}

Expected<compare::Color> colorOf(const std::string& word) {
    if (word == "always") return compare::Color::yes;
    if (word == "never") return compare::Color::no;
    if (word != "auto")
        return std::unexpected(
            unknownWord("--color takes auto, always or never, not", word, {"auto", "always", "never"}));
    // Source: no-color.org
    const bool refused = std::getenv("NO_COLOR") != nullptr && *std::getenv("NO_COLOR") != '\0';
    return ::isatty(STDOUT_FILENO) && !refused ? compare::Color::yes : compare::Color::no;
}

Expected<int> diff(const DiffOptions& options, const Invocation& invocation) {
    const auto level = levelOf(options.level);
    const auto color = colorOf(options.color);
    if (!level || !color) return std::unexpected(level ? color.error() : level.error());
    auto left = readFile(options.left);
    if (!left) return std::unexpected(std::move(left.error()));
    auto right = readFile(options.right);
    if (!right) return std::unexpected(std::move(right.error()));
    const auto leftModule = ptx::parse(std::move(*left), options.left),
               rightModule = ptx::parse(std::move(*right), options.right);
    compare::CompareOptions how;
    how.level = *level;
    if (options.ignoreLines) how.lineInformation = compare::LineInformation::ignore;
    const compare::Comparison comparison = compare::compare(*leftModule, *rightModule, how, invocation.stop);
    if (invocation.json) {
        printJson(compare::toJson(comparison, options.left, options.right, *level));
    } else {
        compare::PrintOptions print;
        print.level = *level;
        print.color = *color;
        fmt::print("{}", compare::printText(comparison, options.left, *leftModule->text, options.right,
                                            *rightModule->text, print));
    }
    return comparison.same ? passed : failed;
}

} // namespace

void addDiff(Invocation& invocation) {
    const auto options = std::make_shared<DiffOptions>();
    CLI::App* command =
        addCommand(invocation, "diff",
                   "compare two PTX files; renamed registers and labels are no difference (exit 0 same, 1 different)",
                   "ptxwb diff saxpy.sm_90.ptx candidates/vectorized.ptx",
                   [options, &invocation] { return diff(*options, invocation); });
    command->add_option("A", options->left, "a PTX file")->required();
    command->add_option("B", options->right, "another")->required();
    command->add_option("--color", options->color, "auto, always or never");
    command->add_option("--level", options->level, "which rows: all, renamed or changed");
    command->add_flag("--ignore-lines", options->ignoreLines, "take .loc and .file for comments");
}

} // namespace ptxwb::cli
