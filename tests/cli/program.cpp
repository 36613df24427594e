#include "program.h"

#include "support/child_process.h"
#include "support/environment.h"
#include "toolchain/discover.h"

#include <algorithm>
#include <filesystem>

namespace ptxwb::test {

namespace fs = std::filesystem;

Program::Program() : m_folder(TemporaryFolder::create("ptxwb-cli-test").value()) {}

fs::path Program::write(const std::string& name, std::string_view text) const {
    const fs::path file = folder() / name;
    fs::create_directories(file.parent_path());
    writeFileAtomically(file, text).value();
    return file;
}

Answer Program::run(std::vector<std::string> arguments) const {
    ChildRequest request;
    request.arguments = {PTXWB_BINARY_DIR "/bin/ptxwb"};
    request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
    request.workingFolder = folder().string();
    request.deadline = std::chrono::minutes(4);
    request.environment = scrubbedEnvironment();
    setVariable(*request.environment, "XDG_CONFIG_HOME", (folder() / "config").string());
    // One cache for all, so that a reference is compiled once.
    setVariable(*request.environment, "XDG_CACHE_HOME", PTXWB_BINARY_DIR "/tests/cache");
    setVariable(*request.environment, "PTXWB_RESOURCES", PTXWB_SOURCE_DIR "/resources");
    for (const auto& [name, value] : m_environment) setVariable(*request.environment, name, value);
    const ChildResult result = runChild(request);
    const int status = result.end == ChildEnd::exited ? result.exitCode : 128 + result.signal;
    return {status, result.output, result.errors};
}

QByteArray describe(const Answer& answer) {
    const auto part = [](const std::string& text) { return QByteArray::fromStdString(text.substr(0, 4000)); };
    return "status " + QByteArray::number(answer.status) + "\nstdout:\n" + part(answer.output) + "\nstderr:\n" +
           part(answer.errors);
}

bool haveTool(const char* name) {
    static const toolchain::Discovery found = toolchain::discover().value_or(toolchain::Discovery{});
    return std::ranges::any_of(found.toolkits, [&](const auto& t) {
        return std::string_view(name) == "ptxas" ? t.ptxas.has_value() : t.nvcc.has_value();
    });
}

} // namespace ptxwb::test
