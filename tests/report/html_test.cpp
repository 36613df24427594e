// The HTML report: well-formed, complete, safe, the same bytes each time.
#include "report/html.h"
#include "reports.h"

#include <pugixml.hpp>
#include <set>

using namespace ptxwb;
using namespace ptxwb::test;

namespace {

std::string pageOf(const session::Session& session) {
    return report::toHtml(report::makeReport(session, "0.1.0"));
}

/// The page as XML; the test ends where it is none.
class Page {
public:
    explicit Page(const std::string& text) {
        const auto parsed =
            m_document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_ws_pcdata);
        if (!parsed)
            qFatal("not well-formed: %s, at: %s", parsed.description(),
                   text.substr(static_cast<std::size_t>(parsed.offset), 200).c_str());
    }
    pugi::xpath_node_set all(const char* path) const { return m_document.select_nodes(path); }
    pugi::xml_node one(const char* path) const { return m_document.select_node(path).node(); }
    /// All text that a reader sees.
    std::string text(const char* path = "/html/body") const {
        std::string out;
        for (const auto& found : all((std::string(path) + "//text()").c_str())) out += found.node().value();
        return out;
    }

private:
    pugi::xml_document m_document;
};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class HtmlTest : public QObject {
    Q_OBJECT

private slots:
    void everySection_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"saxpy", "reduce", "sgemm_tiled"}) QTest::newRow(name) << name;
    }
    /// What an H200 said about all texts of an example is in the page.
    void everySection() {
        QFETCH(QString, name);
        const session::Session session = recorded(name.toStdString());
        const Page page(pageOf(session));
        for (const char* id : {"verdicts", "kernel", "resources", "timing", "review", "hashes", "replay", "subject-0"})
            QVERIFY2(page.one(("//*[@id='" + std::string(id) + "']").c_str()), id);
        const std::string text = page.text();
        for (const session::Candidate& candidate : session.candidates) {
            QVERIFY2(has(text, candidate.name), candidate.name.c_str());
            QVERIFY(has(text, sha256Hex(candidate.text)));
            if (!candidate.judgement) continue;
            for (const verify::StageResult& stage : candidate.judgement->result.stages)
                for (const Finding& finding : stage.findings)
                    QVERIFY2(has(text, finding.message), finding.message.c_str());
        }
        QVERIFY(has(text, "NVIDIA H200"));
        QVERIFY(has(text, "13.0.88"));
        QVERIFY(has(text, "ptxwb verify " + name.toStdString()));
        QVERIFY(has(text, "--backend gpu"));
    }

    void rawSamplesAreDrawnAndWritten() {
        const session::Session session = recorded("saxpy");
        const Page page(pageOf(session));
        std::size_t own = 0, others = 0, plots = 0, paired = 0;
        std::vector<const session::Candidate*> shown{&session.baseline};
        for (const session::Candidate& each : session.candidates) shown.push_back(&each);
        for (const session::Candidate* candidate : shown)
            if (candidate->judgement && candidate->judgement->result.timing) {
                own += candidate->judgement->result.timing->samplesUs.size();
                ++plots;
                if (!candidate->judgement->result.speedup) continue;
                others += candidate->judgement->result.speedup->baselineSamplesUs.size();
                ++paired;
            }
        QVERIFY(own > 0);
        QVERIFY(plots == 3 && paired == 2);
        // One more of each in the legends.
        QCOMPARE(page.all("//svg/circle[@class='candidate']").size(), own + plots);
        QCOMPARE(page.all("//svg/rect[@class='baseline']").size(), others + paired);
        const std::string text = page.text();
        for (const double sample : session.baseline.judgement->result.timing->samplesUs)
            QVERIFY(has(text, QString::number(sample, 'g', 6).toStdString()));
        for (const auto& circle : page.all("//svg/circle")) {
            const double y = circle.node().attribute("cy").as_double(-1);
            QVERIFY(y >= 0 && y <= 270);
        }
    }

    void occupancyBars() {
        const Page page(pageOf(recorded("sgemm_tiled")));
        QVERIFY(page.all("//svg/rect[@class='bar']").size() >= 3);
        for (const auto& bar : page.all("//svg/rect[@class='bar']"))
            QVERIFY(bar.node().attribute("width").as_double() <= 300);
    }

    void findingsHaveExcerpts() {
        session::Session session = example("saxpy");
        session::Candidate& candidate = session.candidates.front();
        judged(session, candidate, fullResult());
        const Page page(pageOf(session));
        const auto found = page.one("//table[contains(@class,'excerpt')]//tr[@class='found']");
        QVERIFY(found);
        QCOMPARE(std::string(found.child("td").child_value()), std::string("21"));
        std::string line(found.last_child().child_value());
        std::size_t at = 0;
        for (int i = 1; i < 21; ++i) at = candidate.text.find('\n', at) + 1;
        QCOMPARE(line, candidate.text.substr(at, candidate.text.find('\n', at) - at));
        QVERIFY(page.one("//table[contains(@class,'excerpt')]//tr[@class='related']"));
        const std::string text = page.text();
        QVERIFY(has(text, "saxpy.cu:3"));
        QVERIFY2(!has(text, "/home/someone"), "the compiler's folder is nobody's business");
        QVERIFY(has(text, "9 of 10 mutants"));
        QVERIFY(has(text, "shared_race"));
        // Each check has its outcome, and why it was not run.
        QCOMPARE(page.all("//table[@class='checks']/tbody/tr").size(), verify::checks().size());
        QVERIFY(has(text, "because "));
    }

    void unchangedRowsAreFoldedAndStillThere() {
        const session::Session session = recorded("sgemm_tiled");
        const Page page(pageOf(session));
        QVERIFY(!page.all("//div[@class='comparison']/details/summary").empty());
        // Every line of both texts, open or folded.
        const auto comparison = page.all("//div[@class='comparison']").first().node();
        const auto lines = [&](const std::string& text) { return std::ranges::count(text, '\n'); };
        QCOMPARE(static_cast<std::ptrdiff_t>(comparison.select_nodes(".//td[@class='left']").size()),
                 lines(session.baseline.text));
        QCOMPARE(static_cast<std::ptrdiff_t>(comparison.select_nodes(".//td[@class='right']").size()),
                 lines(session.candidates.front().text));
    }

    void withoutResults() {
        const Page page(pageOf(example("saxpy")));
        const std::string text = page.text();
        QVERIFY(has(text, "not judged"));
        QVERIFY(has(text, "Time was not measured"));
        QVERIFY(!page.one("//svg"));
        QVERIFY(!page.one("//*[contains(@class,'badge') and contains(@class,'pass')]"));
    }

    void withoutAnything() {
        session::Session session;
        const Page page(pageOf(session));
        QVERIFY(has(page.text(), "no kernel spec"));
    }

    /// A verdict about an earlier text must not look like one about this text.
    void staleResultsDoNotCount() {
        session::Session session = example("saxpy");
        verify::CandidateResult passed = fullResult();
        passed.stages.clear();
        for (const auto stage : {verify::Stage::parse, verify::Stage::assemble, verify::Stage::function,
                                 verify::Stage::stress, verify::Stage::sanitize})
            passed.stages.push_back({stage, verify::Status::pass, "emulator", {}, 0.1, {}, 1});
        passed.verdict = verify::foldVerdict(passed.stages);
        QVERIFY(passed.verdict == verify::Verdict::pass);
        session::Candidate& candidate = session.candidates.front();
        judged(session, candidate, passed);
        QCOMPARE(report::makeReport(session, "0.1.0").subjects[1].standing, report::Standing::pass);
        candidate.text += "// edited\n";
        const auto made = report::makeReport(session, "0.1.0");
        QCOMPARE(made.subjects[1].standing, report::Standing::stale);
        const Page page(report::toHtml(made));
        QCOMPARE(page.all("//h2[@id='subject-1']/span[@class='badge stale']").size(), std::size_t{1});
        QVERIFY(has(page.text(), "The text has changed since this was judged. The verdict was: pass."));
        QVERIFY(has(page.text(), "about an earlier text or kernel"));

        session::Session other = example("saxpy");
        judged(other, other.candidates.front(), passed);
        other.kernel.files["reference.cpp"] += "// edited\n";
        QCOMPARE(report::makeReport(other, "0.1.0").subjects[1].standing, report::Standing::stale);
    }

    /// Nothing that a file or a model says becomes markup: no script, no handler, no address that is fetched.
    void hostileTextsStayTexts() {
        const std::string text = pageOf(hostileSession());
        const Page page(text);
        QVERIFY(!page.one("//script"));
        QVERIFY(!page.one("//@*[starts-with(name(),'on')]"));
        QVERIFY(!page.one("//img | //iframe | //object | //embed | //form | //b"));
        for (const auto& link : page.all("//a/@href")) QVERIFY(link.attribute().value()[0] == '#');
        QVERIFY(has(page.text(), "<script>alert(1)</script>\"' onload=x &amp; ]]>"));
        QVERIFY2(!has(text, "\xE2\x80\xAE"), "nothing turns the direction of writing");
        QVERIFY(has(page.text(), "\\u{202E}"));
        for (const char c : text) QVERIFY(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t');
    }

    /// What a browser would fetch on its own, and what would run.
    void standsAlone() {
        for (const auto& session : {recorded("saxpy"), hostileSession()}) {
            const std::string text = pageOf(session);
            const Page page(text);
            for (const auto& source : page.all("//@src | //@srcset | //link/@href | //@action | //@data | //@poster")) {
                const std::string value = source.attribute().value();
                QVERIFY2(value == "data:,", value.c_str());
            }
            const std::string style = page.text("/html/head/style");
            QVERIFY(!has(style, "url(") && !has(style, "@import"));
            QVERIFY(has(page.one("//meta[@http-equiv]").attribute("content").value(), "default-src 'none'"));
            std::set<std::string> ids;
            for (const auto& id : page.all("//@id"))
                QVERIFY2(ids.insert(id.attribute().value()).second, id.attribute().value());
            for (const auto& link : page.all("//a/@href"))
                QVERIFY2(ids.contains(link.attribute().value() + 1), link.attribute().value());
        }
    }

    void theSameSessionGivesTheSameBytesInAnyFolder() {
        session::Session session = recorded("saxpy");
        const auto first = need(TemporaryFolder::create()), second = need(TemporaryFolder::create());
        const auto saved = session::save(session, first.path() / "tuning.ptxwb");
        QVERIFY2(saved.has_value(), saved ? "" : saved.error().message.c_str());
        fs::create_directories(second.path() / "deep");
        fs::copy(first.path(), second.path() / "deep" / "er", fs::copy_options::recursive);
        const auto pageAt = [](const fs::path& file) { return pageOf(need(session::load(file)).session); };
        const std::string page = pageAt(first.path() / "tuning.ptxwb");
        QVERIFY(page == pageAt(first.path() / "tuning.ptxwb"));
        QVERIFY(page == pageAt(second.path() / "deep" / "er" / "tuning.ptxwb"));
        QVERIFY2(page == pageOf(session), "as the session that was saved");
        QVERIFY(!has(page, first.path().string()));
        QVERIFY(!has(page, PTXWB_SOURCE_DIR));
        QVERIFY(has(page, "--candidate tuning.candidates/vectorized.ptx"));
        QVERIFY(has(page, "ptxwb verify tuning.kernel/saxpy.kernel.json"));
    }
};

QTEST_APPLESS_MAIN(HtmlTest)
#include "html_test.moc"
