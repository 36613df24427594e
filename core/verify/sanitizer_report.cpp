// What compute-sanitizer saves with --xml, as findings.
#include "verify/deep_checks.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <pugixml.hpp>

namespace ptxwb::verify {

namespace {

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

FindingKind kindOf(std::string_view tool, std::string_view text) {
    if (tool == "racecheck") return FindingKind::race;
    if (tool == "initcheck") return FindingKind::uninitialized;
    if (tool == "synccheck") return FindingKind::barrierDivergence;
    if (holds(text, "misaligned")) return FindingKind::misaligned;
    return FindingKind::outOfBounds;
}

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

Index3 index3(const pugi::xml_node& node) {
    return {node.child("x").text().as_uint(), node.child("y").text().as_uint(), node.child("z").text().as_uint()};
}

/// The first `line` below a node that is no part of the host's stack.
std::uint32_t lineBelow(const pugi::xml_node& node) {
    for (const pugi::xml_node& child : node.children()) {
        const std::string_view name = child.name();
        if (name == "hostStack") continue;
        if (name == "line") return child.text().as_uint();
        if (const std::uint32_t line = lineBelow(child)) return line;
    }
    return 0;
}

} // namespace

Expected<std::vector<Finding>> findingsOfSanitizer(std::string_view tool, const std::string& xml) {
    pugi::xml_document document;
    if (const auto parsed = document.load_string(xml.c_str()); !parsed)
        return failure(Cause::internal,
                       fmt::format("compute-sanitizer {} wrote no XML: {}", tool, parsed.description()));
    std::vector<Finding> findings;
    for (const pugi::xml_node& record : document.child("ComputeSanitizerOutput").children("record")) {
        const pugi::xml_node what = record.child("what");
        const std::string text = what.child("text").text().as_string();
        // Without a place in the kernel it is an error of the driver's own, which follows from what the kernel did.
        const pugi::xml_node where = record.child("where") ? record.child("where") : what.child("source");
        if (!where) continue;
        Finding finding;
        finding.kind = kindOf(tool, text);
        finding.check = fmt::format("sanitizer_{}", tool);
        finding.line = lineBelow(where);
        finding.message = text;
        if (const std::string direction = lower(what.child("source").child("direction").text().as_string());
            !direction.empty())
            finding.message =
                fmt::format("{}: this {} and accesses of other threads, with no barrier between", text, direction);
        for (const pugi::xml_node& other : what.children("destination")) {
            RelatedFinding& related = finding.related.emplace_back();
            related.line = lineBelow(other);
            related.access = lower(other.child("direction").text().as_string());
            related.message = fmt::format("{} times the {} on the other side", other.child("count").text().as_uint(1),
                                          related.access);
        }
        if (const auto thread = record.child("who").child("threadIdx")) finding.thread = index3(thread);
        if (const auto block = record.child("who").child("blockIdx")) finding.block = index3(block);
        if (const auto size = record.child("what").child("size")) finding.bytes = size.text().as_uint();
        const auto same = [&](const Finding& f) { return f.kind == finding.kind && f.line == finding.line; };
        if (const auto known = std::ranges::find_if(findings, same); known != findings.end())
            ++known->occurrences;
        else
            findings.push_back(std::move(finding));
    }
    return findings;
}

} // namespace ptxwb::verify
