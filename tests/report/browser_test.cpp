// The HTML report in a real browser: headless Chromium shows it with no word on the console and no request to anybody,
// and shows the same without scripts. Skipped where there is no Chromium. A page that does both shows that the test
// sees.
#include "report/html.h"
#include "reports.h"
#include "support/child_process.h"
#include "support/environment.h"

#include <QTest>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

enum class Scripts { on, off };

/// What the browser said of a page.
struct Shown {
    std::string dom;                   ///< after loading
    std::vector<std::string> console;  ///< lines of errors, warnings and messages
    std::vector<std::string> requests; ///< addresses that the page asked for, itself left out
};

/// Chromium's own switch for it would keep --dump-dom from answering, which is a script of the browser's.
const std::string noScripts = R"(<meta http-equiv="Content-Security-Policy" content="script-src 'none'">)";

class Browser {
public:
    Browser() {
        const std::string path = environmentVariable("PATH").value_or("/usr/bin:/bin");
        for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
            if (!m_program) m_program = findProgram(name, path);
    }
    bool isThere() const { return m_program.has_value(); }

    Shown show(const std::string& html, Scripts scripts = Scripts::on) const {
        const TemporaryFolder folder = need(TemporaryFolder::create("ptxwb-browser"));
        const fs::path page = folder.path() / "page.html", log = folder.path() / "net.json";
        std::string text = html;
        if (scripts == Scripts::off) text.insert(text.find("<head>") + 6, noScripts);
        if (!writeFileAtomically(page, text)) qFatal("cannot write the page");
        ChildRequest request;
        // A profile of its own; what the browser itself would like to ask its maker finds nobody.
        request.arguments = {m_program->string(),
                             "--headless",
                             "--no-sandbox",
                             "--disable-gpu",
                             "--disable-dev-shm-usage",
                             "--no-first-run",
                             "--disable-background-networking",
                             "--disable-component-update",
                             "--disable-sync",
                             "--disable-extensions",
                             "--host-resolver-rules=MAP * ~NOTFOUND",
                             "--user-data-dir=" + (folder.path() / "profile").string(),
                             "--enable-logging=stderr",
                             "--log-level=0",
                             "--log-net-log=" + log.string(),
                             "--dump-dom"};
        request.arguments.push_back("file://" + page.string());
        request.deadline = std::chrono::seconds(90);
        request.outputLimit = std::size_t{64} << 20;
        const ChildResult ran = runChild(request);
        if (ran.end != ChildEnd::exited || ran.exitCode != 0)
            qFatal("%s", (describe(ran, request.deadline) + ": " + ran.errors.substr(0, 2000)).c_str());
        std::string dom = ran.output;
        if (const auto at = dom.find(noScripts); at != std::string::npos) dom.erase(at, noScripts.size());
        return {dom, consoleOf(ran.errors), requestsOf(need(readFile(log)), page)};
    }

private:
    static std::vector<std::string> consoleOf(const std::string& errors) {
        std::vector<std::string> lines;
        std::istringstream stream(errors);
        for (std::string line; std::getline(stream, line);)
            if (line.find(":CONSOLE") != std::string::npos) lines.push_back(line);
        return lines;
    }

    /// Requests that a page starts have its origin; the browser's own have none.
    static std::vector<std::string> requestsOf(const std::string& log, const fs::path& page) {
        auto json = nlohmann::json::parse(log, nullptr, false);
        if (json.is_discarded()) // it was still being written
            json = nlohmann::json::parse(log.substr(0, log.rfind("},") + 1) + "]}");
        const int start = json.at("constants").at("logEventTypes").at("URL_REQUEST_START_JOB");
        std::vector<std::string> requests;
        for (const auto& event : json.at("events")) {
            if (event.at("type") != start || !event.contains("params")) continue;
            const std::string url = event.at("params").value("url", ""),
                              initiator = event.at("params").value("initiator", "not an origin");
            if (initiator != "not an origin" && url != "file://" + page.string() && !url.starts_with("data:"))
                requests.push_back(url);
        }
        return requests;
    }

    std::optional<fs::path> m_program;
};

QByteArray joined(const std::vector<std::string>& lines) {
    QByteArray text;
    for (const std::string& line : lines) text += QByteArray::fromStdString(line) + '\n';
    return text;
}

} // namespace

class BrowserTest : public QObject {
    Q_OBJECT

    Browser m_browser;

private slots:
    void initTestCase() {
        if (!m_browser.isThere()) QSKIP("no Chromium on PATH (Debian: apt install chromium)");
    }

    /// What this test would see of a page that does not keep still.
    void aRestlessPageIsSeen() {
        const Shown shown =
            m_browser.show("<!DOCTYPE html><html><body><p>before</p><img src=\"http://127.0.0.1:9/x.png\">"
                           "<script>console.error('oh no'); document.body.append('after');</script>"
                           "</body></html>");
        QVERIFY2(joined(shown.console).contains("oh no"), joined(shown.console));
        QVERIFY2(joined(shown.requests).contains("http://127.0.0.1:9/x.png"), joined(shown.requests));
        QVERIFY(shown.dom.find("after") != std::string::npos);
        const Shown without = m_browser.show("<!DOCTYPE html><html><head></head><body><p>before</p>"
                                             "<script>document.body.append('after');</script></body></html>",
                                             Scripts::off);
        QVERIFY(without.dom.find("before") != std::string::npos);
        QVERIFY(without.dom.find("</script>after") == std::string::npos);
    }

    void theReportIsQuiet_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"saxpy", "reduce", "sgemm_tiled"}) QTest::newRow(name) << name;
    }
    void theReportIsQuiet() {
        QFETCH(QString, name);
        const session::Session session = recorded(name.toStdString());
        const std::string html = report::toHtml(report::makeReport(session, "0.1.0"));
        const Shown shown = m_browser.show(html);
        QVERIFY2(shown.console.empty(), joined(shown.console));
        QVERIFY2(shown.requests.empty(), joined(shown.requests));
        const Shown without = m_browser.show(html, Scripts::off);
        QVERIFY2(without.console.empty(), joined(without.console));
        QVERIFY2(without.requests.empty(), joined(without.requests));
        QVERIFY(shown.dom == without.dom);
        // Complete: every candidate, and what was found about those that failed.
        for (const session::Candidate& candidate : session.candidates) {
            QVERIFY2(without.dom.find(candidate.name) != std::string::npos, candidate.name.c_str());
            if (!candidate.judgement) continue;
            for (const verify::StageResult& stage : candidate.judgement->result.stages)
                for (const Finding& finding : stage.findings) {
                    const std::string begin = finding.message.substr(0, finding.message.find_first_of("<>&\"'"));
                    QVERIFY2(without.dom.find(begin) != std::string::npos, finding.message.c_str());
                }
        }
    }
};

QTEST_APPLESS_MAIN(BrowserTest)
#include "browser_test.moc"
