// libFuzzer target of what reads strangers' texts: event streams of both protocols, replies, diffs, region replies.
// How to build and run it: CMakeLists.txt in this folder.
#include "llm/keys.h"
#include "llm/protocol.h"
#include "llm/reply.h"
#include "llm/reply_patch.h"
#include "llm/retry.h"

#include <cstdlib>

using namespace ptxwb::llm;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t cut = size == 0 ? 0 : data[0] % (size + 1);
    for (const Dialect dialect : {Dialect::openai, Dialect::anthropic}) {
        const auto reader = makeReplyReader(dialect);
        std::string heard;
        const auto take = [&](const SseEvent& event) { heard += reader->take(event).text; };
        SseParser parser;
        parser.push(text.substr(0, cut), take);
        parser.push(text.substr(cut), take);
        parser.finish(take);
        heard += reader->end().text;
        if (heard != reader->reply().text) std::abort();
        makeReplyReader(dialect)->takeWhole(text);
    }
    errorMessage(text);
    retryAfter(text.substr(0, 64), {});
    Redactor redactor(Secret("sk-Q7wErTy42Lm"), 4);
    const std::string clean = redactor.next(text.substr(0, cut)) + redactor.next(text.substr(cut)) + redactor.rest();
    if (clean.find("sk-Q") != std::string::npos) std::abort();
    static const ReplyContext context{".version 8.0\n.target sm_80\n.visible .entry k(.param .u64 p)\n{\n\tret;\n}\n", "k", 1, 4};
    for (const Finish why : {Finish::complete, Finish::length}) {
        const Reading reading = readReply(text, why, context);
        if (reading.candidates.empty() && reading.problems.empty()) std::abort();
    }
    (void)applyDiff(context.base, text);
    return 0;
}
