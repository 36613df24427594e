// A worker that misbehaves in the way that its argument names, so that the client can be tested.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <thread>
#include <unistd.h>

namespace {

constexpr const char* goodHello =
    R"({"hello":{"protocol":1,"version":"fake","toolkits":[],"devices":[],"emulator":{}}})";

void say(const std::string& line) {
    std::fputs((line + "\n").c_str(), stdout);
    std::fflush(stdout);
}

std::string idOf(const std::string& request) {
    const auto at = request.find("\"id\":");
    return request.substr(at + 5, request.find_first_of(",}", at) - at - 5);
}

void sleepForever() {
    while (true) std::this_thread::sleep_for(std::chrono::seconds(60));
}

std::string stage(const std::string& id, const std::string& name) {
    return R"({"id":)" + id + R"(,"stage":{"stage":")" + name +
           R"(","status":"pass","backend":"host","seconds":0,"findings":[]}})";
}

std::string progress(const std::string& id, const std::string& what) {
    return R"({"id":)" + id + R"(,"progress":{"done":1,"of":3,"what":")" + what + R"("}})";
}

/// What happens on the first request. Answers true where the worker goes on.
bool act(const std::string& mode, const std::string& id) {
    if (mode == "good") {
        say(stage(id, "parse"));
        say(progress(id, "function: n = 1"));
        say(R"({"id":)" + id + R"(,"done":{"pid":)" + std::to_string(getpid()) + "}}");
        return true;
    }
    if (mode == "crash") {
        say(stage(id, "parse"));
        say(progress(id, "sanitize: n = 33"));
        std::fputs("first line\nabout to read a null pointer\n", stderr);
        std::signal(SIGSEGV, SIG_DFL);
        std::raise(SIGSEGV);
    }
    if (mode == "exit3") std::_Exit(3);
    if (mode == "hang") {
        say(progress(id, "stress: n = 4097"));
        sleepForever();
    }
    if (mode == "rubbish") say(std::string("printed by a \x01 library, ") + std::string(200, 'x'));
    if (mode == "half") {
        std::fputs("{\"id\":1,\"do", stdout);
        std::fflush(stdout);
        std::_Exit(0);
    }
    if (mode == "other_id") say(R"({"id":99,"done":{}})");
    if (mode == "bad_stage") say(stage(id, "polish"));
    if (mode == "refuse") {
        say(R"({"id":)" + id + R"(,"error":{"message":"no such entry","hint":"name one","cause":"bad_request"}})");
        return true;
    }
    if (mode == "long_line") {
        const std::string block(1 << 20, 'y');
        for (int i = 0; i < 66; ++i) std::fwrite(block.data(), 1, block.size(), stdout);
        say("");
    }
    sleepForever();
    return false;
}

} // namespace

int main(int count, char** arguments) {
    const std::string mode = count > 1 ? arguments[1] : "good";
    if (mode == "silent") sleepForever();
    if (mode == "dies_at_once") {
        std::fputs("no licence for this machine\n", stderr);
        return 5;
    }
    if (mode == "wrong_version")
        say(R"({"hello":{"protocol":2,"version":"9.9","toolkits":[],"devices":[],"emulator":{}}})");
    else if (mode == "motd")
        say("Welcome to gpu-box! Last login: Monday");
    else
        say(goodHello);
    if (mode == "one_job") {
        // Serves one job, then is gone before the second request arrives.
        std::string line;
        if (std::getline(std::cin, line)) act("good", idOf(line));
        return 0;
    }
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find("\"cancel\"") != std::string::npos) {
            if (mode == "deaf") continue;
            say(R"({"id":)" + idOf(line) + R"(,"done":{},"cancelled":true})");
            continue;
        }
        if (mode == "slow" || mode == "deaf") {
            say(progress(idOf(line), "stress: n = 1"));
            continue; // the answer comes only with a cancel
        }
        act(mode, idOf(line));
    }
    return 0;
}
