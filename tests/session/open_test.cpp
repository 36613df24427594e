#include "sessions.h"

#include <QTemporaryDir>

using namespace ptxwb;
using namespace ptxwb::session;
using namespace ptxwb::test;

class OpenTest : public QObject {
    Q_OBJECT

    Opened open(const fs::path& path) { return need(openAny(path.string(), examples)); }

private slots:
    void anExample() {
        const Opened opened = open("saxpy");
        const Session& session = opened.session;
        QCOMPARE(session.place, KernelPlace::example);
        QCOMPARE(session.kernel.spec.name, std::string("saxpy"));
        QCOMPARE(session.source, contentOf(examples / "saxpy" / "saxpy.cu"));
        QCOMPARE(sourceName(session), std::string("saxpy.cu"));
        QCOMPARE(session.baseline.text, contentOf(examples / "saxpy" / "saxpy.sm_90.ptx"));
        QCOMPARE(session.baseline.origin.kind, OriginKind::nvcc);
        QCOMPARE(session.targets, std::vector<std::string>{"sm_90"});
        QCOMPARE(session.candidates.size(), session.kernel.spec.candidates.size());
        QCOMPARE(session.candidates[0].name, std::string("vectorized"));
        QCOMPARE(session.candidates[0].text, contentOf(examples / "saxpy" / "candidates" / "vectorized.ptx"));
        QCOMPARE(session.candidates[0].origin.kind, OriginKind::hand);
        QCOMPARE(session.candidates[0].parent, std::string(baselineId));
        QCOMPARE(opened.current, std::string("c1"));
    }

    void theSameByFolderAndSpec() {
        for (const fs::path& path : {examples / "saxpy", examples / "saxpy" / "saxpy.kernel.json"})
            QCOMPARE(open(path).session.candidates.size(), open("saxpy").session.candidates.size());
    }

    void aFileThatASpecNames_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("current");
        QTest::newRow("source") << "saxpy.cu" << "vectorized";
        QTest::newRow("baseline") << "saxpy.sm_90.ptx" << "vectorized";
        QTest::newRow("candidate") << "candidates/unmasked_tail.ptx" << "unmasked_tail";
    }
    void aFileThatASpecNames() {
        QFETCH(QString, file);
        QFETCH(QString, current);
        const Opened opened = open(examples / "saxpy" / file.toStdString());
        QCOMPARE(opened.session.kernel.spec.name, std::string("saxpy"));
        QCOMPARE(QString::fromStdString(find(opened.session, opened.current)->name), current);
    }

    void ptxAlone() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "alone.ptx";
        write(file, "// .target sm_10\n.version 8.0\n.target sm_86, debug\n.address_size 64\n");
        const Opened opened = open(file);
        QCOMPARE(opened.session.place, KernelPlace::none);
        QCOMPARE(opened.session.targets, std::vector<std::string>{"sm_86"});
        QCOMPARE(opened.session.baseline.text, contentOf(file));
        QCOMPARE(opened.session.candidates.size(), std::size_t{1});
        QCOMPARE(opened.session.candidates[0].name, std::string("alone"));
        QCOMPARE(opened.session.candidates[0].text, contentOf(file));
        QCOMPARE(opened.session.candidates[0].origin.kind, OriginKind::import);
        QCOMPARE(opened.current, std::string("c1"));
    }

    void sourceAlone() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "alone.cu";
        write(file, "__global__ void k() {}\n");
        const Opened opened = open(file);
        QCOMPARE(opened.session.source, contentOf(file));
        QCOMPARE(opened.current, std::string(baselineId));
        QVERIFY(opened.session.baseline.text.empty());
    }

    void originsThatTheTextTells_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("model");
        QTest::newRow("none") << "// nothing" << static_cast<int>(OriginKind::hand) << "";
        QTest::newRow("model") << "//@ origin model some-model 1.5" << static_cast<int>(OriginKind::model)
                               << "some-model 1.5";
        QTest::newRow("another word") << "//@ origin triton" << static_cast<int>(OriginKind::import) << "";
    }
    void originsThatTheTextTells() {
        QFETCH(QString, line);
        QFETCH(int, kind);
        QFETCH(QString, model);
        QTemporaryDir folder;
        const fs::path root = fs::path(folder.path().toStdString()) / "saxpy";
        fs::copy(examples / "saxpy", root, fs::copy_options::recursive);
        write(root / "candidates" / "vectorized.ptx", line.toStdString() + "\n.version 8.0\n");
        const Opened opened = open(root);
        QCOMPARE(static_cast<int>(opened.session.candidates[0].origin.kind), kind);
        QCOMPARE(QString::fromStdString(opened.session.candidates[0].origin.model), model);
    }

    void aSessionAndItsAutosave() {
        QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "s.ptxwb";
        Session session = saxpy();
        need(save(session, file));
        QCOMPARE(open(file).session.file, file);
        QCOMPARE(open(file).current, std::string("c1"));
        session.candidates[0].text = "// typed";
        need(writeAutosave(session, autosavePath(file)));
        QCOMPARE(open(autosavePath(file)).session.candidates[0].text, std::string("// typed"));
    }

    void refusals_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("message");
        QTest::newRow("unknown") << "sxpy"
                                 << "sxpy is neither a spec file, nor a folder with one, nor a bundled example";
        QTest::newRow("missing") << "/no/such.ptx" << "cannot read /no/such.ptx: No such file or directory";
        QTest::newRow("another kind") << PTXWB_SOURCE_DIR "/README.md"
                                      << PTXWB_SOURCE_DIR
            "/README.md is neither CUDA source (.cu), PTX (.ptx), a kernel spec "
            "(.kernel.json) nor a session (.ptxwb)";
        QTest::newRow("folder without a spec")
            << PTXWB_SOURCE_DIR "/cmake" << PTXWB_SOURCE_DIR "/cmake holds no *.kernel.json";
    }
    void refusals() {
        QFETCH(QString, path);
        QFETCH(QString, message);
        const auto opened = openAny(path.toStdString(), examples);
        QVERIFY(!opened);
        QCOMPARE(QString::fromStdString(opened.error().message), message);
        QCOMPARE(opened.error().cause, Cause::badRequest);
    }
};

QTEST_APPLESS_MAIN(OpenTest)
#include "open_test.moc"
