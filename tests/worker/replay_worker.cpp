// A worker that plays a recording, so that what a GPU answered is tested without one.
//   ptxwb_replay_worker FILE
// FILE holds the lines that `ptxwb worker` wrote: its hello, then the answers to one request after the other. Each
// request gets the next answers up to `done` or `error`, whatever it asks for, under its own id. `ending` is left out:
// where the recorded worker was replaced by another, whose hello follows, the answers go on here.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using nlohmann::json;

void say(const json& line) {
    std::puts(line.dump().c_str());
    std::fflush(stdout);
}

class Recording {
public:
    explicit Recording(const char* file) : m_lines(file) {}

    /// The next line; a null value behind the last one. Throws json::exception where it is no JSON.
    json next() {
        for (std::string line; std::getline(m_lines, line);) {
            ++m_number;
            if (!line.empty()) return json::parse(line);
        }
        return nullptr;
    }
    int number() const { return m_number; }

private:
    std::ifstream m_lines;
    int m_number = 0;
};

void answer(Recording& recording, const json& id) {
    while (true) {
        json line = recording.next();
        if (line.is_null()) {
            say({{"id", id},
                 {"error",
                  {{"message", "the recording has no answer left"},
                   {"hint", "ask for what was recorded, in its order"},
                   {"cause", "missing"}}}});
            return;
        }
        if (line.contains("hello")) continue;
        line["id"] = id;
        line.erase("ending");
        say(line);
        if (line.contains("done") || line.contains("error")) return;
    }
}

int replay(const char* file) {
    Recording recording(file);
    try {
        const json hello = recording.next();
        if (!hello.contains("hello")) {
            std::fprintf(stderr, "%s: the first line of a recording is the worker's hello\n", file);
            return 2;
        }
        say(hello);
        for (std::string line; std::getline(std::cin, line);) {
            const json request = json::parse(line);
            // Whatever it would cancel has been answered.
            if (!request.contains("cancel")) answer(recording, request.at("id"));
        }
    } catch (const json::exception& problem) {
        std::fprintf(stderr, "%s:%d: %s\n", file, recording.number(), problem.what());
        return 2;
    }
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: %s FILE\n", arguments[0]);
        return 2;
    }
    return replay(arguments[1]);
}
