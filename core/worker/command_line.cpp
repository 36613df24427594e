#include "worker/requests.h"

#include <fmt/format.h>

namespace ptxwb::worker {

Expected<std::vector<std::string>> splitCommandLine(std::string_view text) {
    std::vector<std::string> words;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool separates = quote == 0 && (c == ' ' || c == '\t' || c == '\n');
        if (separates) {
            inWord = false;
            continue;
        }
        if (!inWord) words.emplace_back();
        inWord = true;
        if (c == '\\' && quote != '\'' && i + 1 < text.size())
            words.back() += text[++i];
        else if (quote != 0 && c == quote)
            quote = 0;
        else if (quote == 0 && (c == '\'' || c == '"'))
            quote = c;
        else
            words.back() += c;
    }
    if (quote != 0)
        return failure(Cause::badRequest,
                       fmt::format("the worker's command line has an open quote ({}): {}", quote, text),
                       "close it, as in: ssh gpu-box 'my ptxwb' worker");
    if (words.empty())
        return failure(Cause::badRequest, "the worker's command line is empty", "for instance: ptxwb worker");
    return words;
}

} // namespace ptxwb::worker
