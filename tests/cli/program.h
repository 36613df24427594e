// Runs the real ptxwb as a child, in a folder and with settings of its own.
// Used by all tests of this folder.
#pragma once

#include "support/files.h"

#include <QByteArray>
#include <QString>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ptxwb::test {

struct Answer {
    int status = -1; ///< exit status; 128 + signal where a signal ended it
    std::string output, errors;

    /// stdout as one JSON value; discarded where it is none.
    nlohmann::json json() const { return nlohmann::json::parse(output, nullptr, false); }
};

/// A temporary folder that is the program's working folder, with its own trust store, cache and resources of the source
/// tree.
class Program {
public:
    Program();

    const std::filesystem::path& folder() const { return m_folder.path(); }
    /// Writes a file below the folder. Returns its path.
    std::filesystem::path write(const std::string& name, std::string_view text) const;

    Answer run(std::vector<std::string> arguments) const;
    void setEnvironment(const std::string& name, const std::string& value) { m_environment.emplace_back(name, value); }

private:
    TemporaryFolder m_folder;
    std::vector<std::pair<std::string, std::string>> m_environment;
};

/// For failure messages: how it ended and what it wrote.
QByteArray describe(const Answer& answer);

/// Whether ptxas or nvcc can be found here; tests that need them skip without.
bool haveTool(const char* name);

} // namespace ptxwb::test
