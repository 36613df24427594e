// Asks ptxas about many PTX texts: taken or refused, and on which lines.
// Used by the mutation test and by the test of compiled kernels.
#pragma once

#include "ptx/module.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ptxwb::ptx::mutation {

struct Answer {
    bool taken = false;
    std::set<std::uint32_t> lines; ///< with an error; a syntax error stops ptxas at its first
    std::string said;
};

class Oracle {
public:
    Oracle() {
        m_ptxas = QStandardPaths::findExecutable("ptxas");
        if (m_ptxas.isEmpty()) m_ptxas = QStandardPaths::findExecutable("ptxas", {"/usr/local/cuda/bin"});
    }
    bool isMissing() const { return m_ptxas.isEmpty(); }

    /// A virtual target makes ptxas parse and check only. `target`: of the undamaged module, "sm_90a".
    static QString architecture(std::string_view target) {
        const std::string number(target.substr(target.find('_') + 1));
        return QString::fromStdString("-arch=compute_" + (std::stoi(number) < 75 ? std::string("75") : number));
    }

    /// In order of `texts`; four ptxas at a time.
    std::vector<Answer> ask(const std::vector<std::string>& texts, const std::vector<QString>& architectures) const {
        std::vector<Answer> answers(texts.size());
        constexpr std::size_t atOnce = 4;
        for (std::size_t first = 0; first < texts.size(); first += atOnce) {
            std::vector<std::unique_ptr<QProcess>> running;
            for (std::size_t i = first; i < std::min(first + atOnce, texts.size()); ++i) {
                const QString path = m_folder.filePath(QString("%1.ptx").arg(i - first));
                std::ofstream(path.toStdString(), std::ios::binary) << texts[i];
                running.push_back(std::make_unique<QProcess>());
                running.back()->setProcessChannelMode(QProcess::MergedChannels);
                running.back()->start(m_ptxas, {architectures[i], path, "-o", "/dev/null"});
            }
            for (std::size_t i = 0; i < running.size(); ++i) answers[first + i] = read(*running[i]);
        }
        return answers;
    }

private:
    static Answer read(QProcess& process) {
        process.waitForFinished(60000);
        Answer answer;
        answer.taken = process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
        const QString said = QString::fromUtf8(process.readAll());
        answer.said = said.toStdString();
        static const QRegularExpression pattern("\\.ptx, line (\\d+); (error|fatal)");
        auto matches = pattern.globalMatch(said);
        while (matches.hasNext()) answer.lines.insert(matches.next().captured(1).toUInt());
        return answer;
    }

    QString m_ptxas;
    QTemporaryDir m_folder;
};

} // namespace ptxwb::ptx::mutation
