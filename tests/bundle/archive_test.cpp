#include "bundles.h"

#include <random>

using namespace ptxwb;
using namespace ptxwb::bundle;
using namespace ptxwb::test;

namespace {

const Entries some{{"a.txt", "hello\n"},
                   {std::string(120, 'd') + "/" + std::string(90, 'e'), "long"},
                   {"folder/b", std::string(512, 'b')},
                   {"folder/c", ""}};

std::string archive() {
    return need(writeArchive(some));
}

/// A header as a hostile program writes it, with a right checksum.
std::string header(const std::string& path, const std::string& size, char type = '0') {
    std::string h(512, '\0');
    h.replace(0, path.size(), path);
    h.replace(100, 7, "0000644");
    h.replace(108, 7, "0000000");
    h.replace(116, 7, "0000000");
    h.replace(124, size.size(), size);
    h.replace(136, 11, "00000000000");
    h.replace(148, 8, "        ");
    h[156] = type;
    h.replace(257, 5, "ustar");
    h.replace(263, 2, "00");
    h.replace(329, 7, "0000000");
    h.replace(337, 7, "0000000");
    unsigned sum = 0;
    for (const char c : h) sum += static_cast<unsigned char>(c);
    char digits[8];
    std::snprintf(digits, sizeof digits, "%06o", sum);
    h.replace(148, 6, digits);
    h[154] = '\0';
    return h;
}

std::string refusal(const std::string& bytes) {
    const auto read = readArchive(bytes, "x.ptxbundle");
    return read ? std::string() : read.error().message;
}

} // namespace

class ArchiveTest : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsRead() {
        QCOMPARE(need(readArchive(archive(), "x")), some);
        Entries other(some.rbegin(), some.rend());
        QCOMPARE(need(writeArchive(other)), archive()); // the order they are given in does not matter
        QVERIFY(need(readArchive(need(writeArchive({})), "x")).empty());
    }

    void anyTarReadsIt() {
        QTemporaryDir folder;
        const std::string file = folder.filePath("x.tar").toStdString();
        need(writeBundle(some, file));
        std::string listed;
        if (ran({"tar", "tf", file}, {}, &listed) != 0) QSKIP("there is no tar");
        QCOMPARE(listed, "a.txt\n" + some[1].path + "\nfolder/b\nfolder/c\n");
        std::filesystem::create_directory(folder.filePath("out").toStdString());
        QCOMPARE(ran({"tar", "xf", file, "-C", folder.filePath("out").toStdString()}), 0);
        QCOMPARE(need(readBundle(folder.filePath("out").toStdString())), some);
    }

    void aFolderIsABundleToo() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("bundle/").toStdString();
        need(writeBundle(some, path));
        QCOMPARE(need(readBundle(folder.filePath("bundle").toStdString())), some);
        QVERIFY(!writeBundle(some, path)); // not over something else
    }

    /// Every byte of the archive, headers and padding too.
    void everyChangedByteIsSeen() {
        const std::string bytes = archive();
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            for (const int bit : {0, 5, 7}) {
                std::string changed = bytes;
                changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
                const auto read = readArchive(changed, "x");
                if (read) QVERIFY2(*read != some, qPrintable(QString("byte %1 bit %2").arg(at).arg(bit)));
            }
        }
    }

    void cutOffAnywhereIsSeen() {
        const std::string bytes = archive();
        for (std::size_t size = 0; size < bytes.size(); size += 37) QVERIFY(!refusal(bytes.substr(0, size)).empty());
        QVERIFY(!refusal(bytes + std::string(512, '\0')).empty());
        QVERIFY(!refusal(bytes + "x").empty());
    }

    void hostileArchives_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const std::string& bytes, const char* said) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes + std::string(1024, '\0')) << QString(said);
        };
        const std::string none = "00000000000";
        row("out of the bundle", header("../x", none), "its path leads out of the bundle");
        row("out of the bundle, in the middle", header("a/../../x", none), "its path leads out of the bundle");
        row("absolute", header("/etc/passwd", none), "its path is absolute");
        row("backslashes", header("a\\..\\x", none), "a backslash or a colon");
        row("a drive", header("C:x", none), "a backslash or a colon");
        row("a control character", header("a\nb", none), "a control character");
        row("an empty part", header("a//b", none), "an empty part");
        row("this folder", header("./a", none), "an empty part");
        row("a folder as a name", header("a/", none), "an empty part");
        row("a dot at the end", header("a.", none), "ends with a dot");
        row("no UTF-8", header("\xff", none), "no UTF-8");
        row("a symbolic link", header("a", none, '2'), "names a symbolic link");
        row("a hard link", header("a", none, '1'), "names a hard link");
        row("a device", header("a", none, '3'), "names a device");
        row("a pipe", header("a", none, '6'), "names a pipe");
        row("a folder", header("a", none, '5'), "names a folder of its own");
        row("a header of another kind", header("a", none, 'x'), "names no plain file");
        row("a huge size", header("a", "77777777777"), "claims 8 GiB");
        row("a size of another kind", header("a", std::string("\x80\0\0\0\0\0\0\0\xff\xff\xff\xff", 12)),
            "damaged size");
        row("no number", header("a", "0000000000x"), "damaged size");
        row("twice", header("a", none) + header("a", none), "does not stand in its order");
        row("twice in other letters", header("A", none) + header("a", none), "is there twice");
        row("not in order", header("b", none) + header("a", none), "does not stand in its order");
        row("no archive", std::string(1024, 'x'), "is no header of a bundle");
    }
    void hostileArchives() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, said);
        const std::string why = refusal(bytes.toStdString());
        QVERIFY2(why.find(said.toStdString()) != std::string::npos, why.c_str());
    }

    void hostileFolders() {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        std::filesystem::create_directory(root / "b");
        need(writeFileAtomically(root / "b" / "a", "x"));
        std::filesystem::create_symlink("/etc/passwd", root / "b" / "link");
        const auto said = [&](const std::filesystem::path& path) {
            const auto read = readBundle(path);
            return read ? std::string() : read.error().message;
        };
        QVERIFY(said(root / "b").find("link is a symbolic link") != std::string::npos);
        std::filesystem::remove(root / "b" / "link");
        std::filesystem::create_directory_symlink("/etc", root / "b" / "dir");
        QVERIFY(said(root / "b").find("dir is a symbolic link") != std::string::npos);
        std::filesystem::remove(root / "b" / "dir");
        QCOMPARE(said(root / "b"), std::string());
        std::filesystem::create_directory_symlink(root / "b", root / "c");
        QCOMPARE(said(root / "c"), std::string("it is a symbolic link"));
        QVERIFY(!said(root / "nothing").empty());
    }

    void randomBytesAreNoArchive() {
        std::mt19937 random(3);
        for (int round = 0; round < 300; ++round) {
            std::string bytes = archive();
            for (auto edits = random() % 6 + 1; edits > 0; --edits) {
                const std::size_t at = random() % bytes.size();
                switch (random() % 3) {
                case 0: bytes[at] = static_cast<char>(random()); break;
                case 1: bytes.erase(at, random() % 600); break;
                default: bytes.insert(at, std::string(random() % 600, static_cast<char>(random()))); break;
                }
            }
            if (const auto read = readArchive(bytes, "x"); read && bytes != archive()) QVERIFY(*read != some);
        }
    }
};

QTEST_APPLESS_MAIN(ArchiveTest)
#include "archive_test.moc"
