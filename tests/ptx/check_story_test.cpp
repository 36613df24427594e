// Files that hold PTX and, in a comment at their end, what the checker says about it.
// PTXWB_UPDATE=1 writes the comments anew; the difference in git is the review.
#include "ptx/check.h"
#include "test_data.h"

using namespace ptxwb;
using namespace ptxwb::ptx;

namespace {

constexpr std::string_view opening = "/* expect\n";
constexpr std::string_view closing = "*/\n";

} // namespace

class CheckStoryTest : public QObject {
    Q_OBJECT

private slots:
    void story_data() {
        QTest::addColumn<QString>("path");
        for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / "check"))
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }

    void story() {
        QFETCH(QString, path);
        const std::filesystem::path file = path.toStdString();
        const std::string text = readText(file);
        const std::size_t at = text.find(opening);
        const std::string source = text.substr(0, at);
        std::string expected;
        if (at != std::string::npos) {
            QVERIFY(text.ends_with(closing));
            expected = text.substr(at + opening.size(), text.size() - at - opening.size() - closing.size());
        }
        const auto module = parse(source, file.filename().string());
        const std::string got = formatAll(*module, check(*module));
        if (qEnvironmentVariableIsSet("PTXWB_UPDATE")) {
            std::ofstream(file, std::ios::binary) << source << opening << got << closing;
            return;
        }
        QCOMPARE(QString::fromStdString(got), QString::fromStdString(expected));
        QVERIFY2(!got.empty(), "a story without a diagnostic proves nothing");
    }
};

QTEST_APPLESS_MAIN(CheckStoryTest)
#include "check_story_test.moc"
