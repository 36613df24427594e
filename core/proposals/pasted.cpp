#include "proposals/pasted.h"

#include "ptx/parse.h"
#include "verify/entry.h"

#include <fmt/format.h>

namespace ptxwb::proposals {

namespace {

void add(PastedReply& pasted, llm::Attempt attempt) {
    attempt.candidate = static_cast<std::uint32_t>(pasted.attempts.size() + 1);
    attempt.name = fmt::format("i{}", attempt.candidate);
    pasted.attempts.push_back(std::move(attempt));
}

/// What is wrong with the reply is a problem, what is wrong with the question an error.
Expected<void> readRegion(PastedReply& pasted, const std::string& reply, const ptx::Module& module,
                          const ptx::Function& entry, llm::RegionRequest lines) {
    const auto view = llm::regionOf(module, entry, lines);
    if (!view) return std::unexpected(view.error());
    const auto code = llm::regionCode(reply, llm::Finish::complete);
    if (!code) return pasted.problems.push_back(code.error()), Expected<void>{};
    auto stitched = llm::stitch(module, entry, *view, *code);
    if (!stitched) return pasted.problems.push_back(std::move(stitched.error())), Expected<void>{};
    llm::Attempt attempt;
    attempt.ptx = std::move(stitched->text);
    attempt.region = llm::RegionRequest{stitched->firstLine, stitched->lastLine};
    add(pasted, std::move(attempt));
    return {};
}

} // namespace

Expected<PastedReply> readPasted(const std::string& reply, const std::string& base, const std::string& entry,
                                 const std::optional<llm::RegionRequest>& region) {
    PastedReply pasted;
    const auto module = ptx::parse(base);
    const auto function = verify::findEntry(*module, entry);
    if (region) {
        if (!function) return std::unexpected(function.error());
        if (auto done = readRegion(pasted, reply, *module, **function, *region); !done)
            return std::unexpected(std::move(done.error()));
        return pasted;
    }
    llm::ReplyContext context{base, {}, 0, 16};
    if (function) {
        context.entry = (*function)->name;
        context.parameterCount = static_cast<std::uint32_t>((*function)->parameters.size());
    }
    llm::Reading reading = llm::readReply(reply, llm::Finish::complete, context);
    pasted.problems = std::move(reading.problems);
    pasted.cuda = std::move(reading.cuda);
    for (llm::ReplyCandidate& candidate : reading.candidates) {
        llm::Attempt attempt;
        attempt.ptx = std::move(candidate.ptx);
        attempt.title = std::move(candidate.title);
        attempt.notes = std::move(candidate.notes);
        add(pasted, std::move(attempt));
    }
    return pasted;
}

void compileInto(PastedReply& reply, KernelJudge& judge, std::stop_token stop) {
    for (const std::string& cuda : reply.cuda) {
        auto compiled = judge.compile(cuda, stop);
        if (!compiled) {
            reply.problems.push_back(std::move(compiled.error()));
            continue;
        }
        llm::Attempt attempt;
        attempt.ptx = std::move(*compiled);
        attempt.notes.emplace_back("compiled from the reply's CUDA source by nvcc");
        add(reply, std::move(attempt));
    }
    reply.cuda.clear();
}

} // namespace ptxwb::proposals
