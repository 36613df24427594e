// Whole files, temporary folders and digests.
#include "support/files.h"
#include "support/sha256.h"

#include <QtTest>

#include <filesystem>
#include <sys/stat.h>

using namespace ptxwb;
namespace fs = std::filesystem;

class FilesTest : public QObject {
    Q_OBJECT

private slots:
    void roundTripsBytes() {
        const auto folder = TemporaryFolder::create();
        QVERIFY(folder.has_value());
        const auto path = folder->path() / "b\xC3\xA9 'x'.bin";
        const std::string bytes("\0a\r\n\xFF", 5);
        QVERIFY(writeFileAtomically(path, bytes).has_value());
        QCOMPARE(readFile(path).value(), bytes);
        QCOMPARE(std::distance(fs::directory_iterator(folder->path()), {}), 1); // no temporary file stays
    }

    void saysWhatIsWrong() {
        const auto folder = TemporaryFolder::create();
        const auto path = folder->path() / "five";
        QVERIFY(writeFileAtomically(path, "12345").has_value());
        QCOMPARE(readFile(path, 5).value(), std::string("12345"));
        const auto large = readFile(path, 4);
        QCOMPARE(large.error().message, "cannot read " + path.string() + ": 5 bytes is over the limit of 4 bytes");
        QCOMPARE(large.error().cause, Cause::badRequest);
        QCOMPARE(readFile(folder->path()).error().message,
                 "cannot read " + folder->path().string() + ": it is a folder");
        QCOMPARE(readFile("/no/such").error().message, std::string("cannot read /no/such: No such file or directory"));
        QCOMPARE(readFile("/dev/zero", 100000).error().message.substr(0, 22), std::string("cannot read /dev/zero:"));
        QCOMPARE(writeFileAtomically("/no/such/file", "x").error().message,
                 std::string("cannot write /no/such/file: No such file or directory"));
        QCOMPARE(formatBytes((std::uint64_t{3} << 30) / 2), std::string("1.5 GiB"));
    }

    void aFileOverAGibibyteIsRefusedUnread() {
        const auto folder = TemporaryFolder::create();
        const auto path = folder->path() / "sparse";
        QVERIFY(writeFileAtomically(path, "").has_value());
        fs::resize_file(path, largestFile + (std::uint64_t{1} << 29));
        QCOMPARE(readFile(path).error().message,
                 "cannot read " + path.string() + ": 1.5 GiB is over the limit of 1 GiB");
    }

    void keepsPermissionsAndLinks() {
        const auto folder = TemporaryFolder::create();
        const auto target = folder->path() / "target", link = folder->path() / "link";
        QVERIFY(writeFileAtomically(target, "old").has_value());
        fs::permissions(target, fs::perms::owner_all);
        fs::create_symlink("target", link);
        QVERIFY(writeFileAtomically(link, "new").has_value());
        QVERIFY(fs::is_symlink(link));
        QCOMPARE(readFile(target).value(), std::string("new"));
        QCOMPARE(fs::status(target).permissions(), fs::perms::owner_all);
    }

    void temporaryFoldersHonourTmpdirAndVanish() {
        const auto outer = TemporaryFolder::create();
        const auto awkward = outer->path() / "t m p'x";
        fs::create_directory(awkward);
        ::setenv("TMPDIR", awkward.c_str(), 1);
        fs::path inside;
        {
            auto first = TemporaryFolder::create("try");
            QVERIFY(first.has_value());
            auto folder = std::move(*first);
            inside = folder.path();
            QCOMPARE(inside.parent_path(), awkward);
            QCOMPARE(fs::status(inside).permissions(), fs::perms::owner_all);
            fs::create_directories(inside / "a" / "b");
            QVERIFY(writeFileAtomically(inside / "a" / "b" / "c", "x").has_value());
        }
        QVERIFY(!fs::exists(inside));
        ::setenv("TMPDIR", "/no/such", 1);
        const auto missing = TemporaryFolder::create();
        ::unsetenv("TMPDIR");
        QCOMPARE(missing.error().message,
                 std::string("cannot make a temporary folder in /no/such: No such file or directory"));
        QCOMPARE(missing.error().hint,
                 std::string("Point TMPDIR to a folder that exists, can be written to and has room."));
    }

    void digest() {
        // FIPS 180-2, appendix B.1, and the empty message
        QCOMPARE(sha256Hex(std::string_view("abc")),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        QCOMPARE(sha256Hex(std::string_view()),
                 std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    }
};

QTEST_APPLESS_MAIN(FilesTest)
#include "files_test.moc"
