#include "bundles.h"

#include <memory>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <random>

using namespace ptxwb;
using namespace ptxwb::bundle;
using namespace ptxwb::test;

namespace {

const std::string message = "what is signed\n";

std::string sign(const QTemporaryDir& folder, const std::string& key, const std::string& space = "ptxwb-bundle",
                 const std::string& text = message) {
    const std::string file = folder.filePath("message").toStdString();
    std::filesystem::remove(file + ".sig");
    need(writeFileAtomically(file, text));
    std::string output;
    if (ran({"ssh-keygen", "-Y", "sign", "-f", key, "-n", space, file}, {}, &output) != 0) qFatal("%s", output.c_str());
    return need(readFile(file + ".sig"));
}

std::string refusal(std::string_view armored, std::string_view text = message) {
    const auto parsed = parseSignature(armored);
    if (!parsed) return parsed.error().message;
    const auto good = verifySignature(*parsed, text);
    return good ? std::string() : good.error().message;
}

/// A signature as a security key makes it: with what the device itself counts.
SshSignature bySecurityKey(bool isEc, unsigned char flags) {
    const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
        isEc ? EVP_EC_gen("P-256") : EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), EVP_PKEY_free);
    const std::string type = isEc ? "sk-ecdsa-sha2-nistp256@openssh.com" : "sk-ssh-ed25519@openssh.com";
    std::string point(200, '\0');
    std::size_t size = point.size();
    if (isEc)
        EVP_PKEY_get_octet_string_param(key.get(), "pub", reinterpret_cast<unsigned char*>(point.data()), size, &size);
    else
        EVP_PKEY_get_raw_public_key(key.get(), reinterpret_cast<unsigned char*>(point.data()), &size);
    point.resize(size);
    SshSignature s;
    s.keyType = type;
    putText(s.key, type);
    if (isEc) putText(s.key, "nistp256");
    putText(s.key, point);
    putText(s.key, "ssh:");
    s.nameSpace = signatureNamespace;
    s.hash = "sha256";
    const auto digest = [](const std::string& text) {
        std::string bytes(32, '\0');
        EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(bytes.data()), nullptr, EVP_sha256(),
                   nullptr);
        return bytes;
    };
    std::string inner = "SSHSIG";
    for (const std::string& each : {s.nameSpace, s.reserved, s.hash, digest(message)}) putText(inner, each);
    std::string device = digest("ssh:") + std::string(1, static_cast<char>(flags));
    putNumber(device, 42);
    device += digest(inner);
    std::string raw(200, '\0');
    std::size_t rawSize = raw.size();
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestSignInit(context.get(), nullptr, isEc ? EVP_sha256() : nullptr, nullptr, key.get());
    EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(raw.data()), &rawSize,
                   reinterpret_cast<const unsigned char*>(device.data()), device.size());
    raw.resize(rawSize);
    if (isEc) {
        const auto* der = reinterpret_cast<const unsigned char*>(raw.data());
        const std::unique_ptr<ECDSA_SIG, decltype(&ECDSA_SIG_free)> pair(
            d2i_ECDSA_SIG(nullptr, &der, static_cast<long>(raw.size())), ECDSA_SIG_free);
        std::string numbers;
        for (const BIGNUM* number : {ECDSA_SIG_get0_r(pair.get()), ECDSA_SIG_get0_s(pair.get())}) {
            std::string bytes(33, '\0'); // a leading zero: never negative
            BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()) + 1, 32);
            putText(numbers, bytes);
        }
        raw = numbers;
    }
    putText(s.signature, type);
    putText(s.signature, raw);
    s.signature += static_cast<char>(flags);
    putNumber(s.signature, 42);
    return s;
}

} // namespace

class SignatureTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void initTestCase() {
        if (!hasSshKeygen()) QSKIP("there is no ssh-keygen here to make signatures with");
    }

    void everyKindOfKey_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("bits");
        QTest::newRow("ed25519") << "ed25519" << "";
        QTest::newRow("ecdsa 256") << "ecdsa" << "256";
        QTest::newRow("ecdsa 384") << "ecdsa" << "384";
        QTest::newRow("ecdsa 521") << "ecdsa" << "521";
        QTest::newRow("rsa 2048") << "rsa" << "2048";
        QTest::newRow("rsa 3072") << "rsa" << "3072";
    }
    void everyKindOfKey() {
        QFETCH(QString, type);
        QFETCH(QString, bits);
        QTemporaryDir folder;
        const std::string key = newKey(folder, "key", type.toStdString(), bits.toStdString());
        const std::string armored = sign(folder, key);
        QCOMPARE(refusal(armored), std::string());
        QCOMPARE(refusal(armored, message + " "), std::string("it is not a signature of this manifest with this key"));
        const SshSignature signature = need(parseSignature(armored));
        const std::string line = publicKey(key);
        QCOMPARE(signature.key, *fromBase64(line.substr(line.find(' ') + 1)));
        std::string listed;
        ran({"ssh-keygen", "-l", "-f", key + ".pub"}, {}, &listed);
        QVERIFY(listed.find(fingerprint(signature.key)) != std::string::npos);
        // No byte of the file can be another one.
        std::mt19937 random(5);
        for (int round = 0; round < 200; ++round) {
            std::string changed = armored;
            changed[random() % changed.size()] ^= static_cast<char>(1 << random() % 7);
            if (changed != armored) QVERIFY2(!refusal(changed).empty(), changed.c_str());
        }
    }

    void securityKeys() {
        for (const bool isEc : {false, true}) {
            SshSignature signature = bySecurityKey(isEc, 1);
            const auto good = verifySignature(signature, message);
            QVERIFY2(good.has_value(), good ? "" : good.error().message.c_str());
            QVERIFY(!verifySignature(signature, message + "x"));
            signature.signature.back() ^= 1; // its counter
            QVERIFY(!verifySignature(signature, message));
            QVERIFY(!verifySignature(bySecurityKey(isEc, 0), message)); // nobody touched the device
        }
    }

    void whatIsNoSignatureOfABundle() {
        const std::string key = newKey(m_folder, "key");
        const std::string other = sign(m_folder, key, "git");
        QCOMPARE(refusal(other), std::string("it was made for \"git\", not for \"ptxwb-bundle\""));
        QCOMPARE(refusal(""), std::string("it is no SSH signature"));
        std::string armored = sign(m_folder, key);
        QCOMPARE(refusal(armored + "\n"), std::string("it is no SSH signature"));
        armored.replace(armored.find('\n', 40), 1, "\n\n");
        QCOMPARE(refusal(armored), std::string("it is damaged: it is not laid out as it was written"));
        SshSignature weak = need(parseSignature(sign(m_folder, key)));
        weak.hash = "md5";
        QVERIFY(verifySignature(weak, message).error().message.starts_with("its hash \"md5\""));
        weak.hash = "sha512";
        weak.reserved = "x";
        QVERIFY(!verifySignature(weak, message));
    }

    void aShortKeyDoesNotCount() {
        if (ran({"ssh-keygen", "-q", "-t", "rsa", "-b", "1024", "-N", "", "-f",
                 m_folder.filePath("short").toStdString()}) != 0)
            QSKIP("this ssh-keygen makes no short keys");
        QCOMPARE(refusal(sign(m_folder, m_folder.filePath("short").toStdString())),
                 std::string("its RSA key has 1024 bits; 2048 are the least"));
    }

    /// Ours and ssh-keygen's own word on the same lines.
    void allowedSigners_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("allowed");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* line, bool allowed, const char* said = "") {
            QTest::newRow(name) << line << allowed << said;
        };
        row("the person", "grace@example.org KEY", true);
        row("one of several", "ada@example.org,grace@example.org KEY", true);
        row("a pattern", "*@example.org KEY", true);
        row("a question mark", "grace@example.or? KEY", true);
        row("in quotes", "\"grace@example.org\" KEY", true);
        row("excluded", "*@example.org,!grace@example.org KEY", false, "not grace@example.org's");
        row("somebody else", "ada@example.org KEY", false, "is ada@example.org's, not grace@example.org's");
        row("another key", "grace@example.org OTHER", false, "is not among the allowed signers");
        row("comments and blanks", "# nobody\n\n   \ngrace@example.org KEY a comment", true);
        row("for this", "grace@example.org namespaces=\"git,ptxwb-*\" KEY", true);
        row("for something else", "grace@example.org namespaces=\"git\" KEY", false, "may not sign for");
        row("expired", "grace@example.org valid-before=\"20200101Z\" KEY", false,
            "has expired on 2020-01-01 00:00 UTC");
        row("expired, a time", "grace@example.org valid-before=\"202001011200\" KEY", false, "has expired on 20");
        row("not yet", "grace@example.org valid-after=\"29990101\" KEY", false, "is not valid before 29");
        row("valid now", "grace@example.org valid-after=\"20200101Z\",valid-before=\"29990101Z\" KEY", true);
        row("an authority", "grace@example.org cert-authority KEY", false, "signs certificates only");
        row("the second line", "grace@example.org valid-before=\"20200101Z\" KEY\ngrace@example.org KEY", true);
        row("empty", "", false, "is not among the allowed signers");
    }
    void allowedSigners() {
        QFETCH(QString, line);
        QFETCH(bool, allowed);
        QFETCH(QString, said);
        QTemporaryDir folder;
        const std::string key = newKey(folder, "key"), other = newKey(folder, "other");
        std::string text = line.toStdString() + "\n";
        for (const auto& [word, path] : {std::pair{std::string("KEY"), key}, std::pair{std::string("OTHER"), other}})
            for (std::size_t at; (at = text.find(word)) != std::string::npos;)
                text.replace(at, word.size(), publicKey(path));
        const std::string armored = sign(folder, key);
        const SshSignature signature = need(parseSignature(armored));
        const auto ours =
            allows(signersOf(text), "grace@example.org", signature.key, signatureNamespace, std::time(nullptr));
        QCOMPARE(ours.has_value(), allowed);
        if (!ours)
            QVERIFY2(ours.error().message.find(said.toStdString()) != std::string::npos, ours.error().message.c_str());
        const std::string file = folder.filePath("allowed").toStdString();
        need(writeFileAtomically(file, text));
        const int theirs = ran({"ssh-keygen", "-Y", "verify", "-f", file, "-I", "grace@example.org", "-n",
                                std::string(signatureNamespace), "-s", folder.filePath("message.sig").toStdString()},
                               message);
        QCOMPARE(theirs == 0, allowed);
    }

    void linesThatCannotBeRead_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("said");
        QTest::newRow("no key") << "grace@example.org" << "it has no key";
        QTest::newRow("half a key") << "grace@example.org ssh-ed25519" << "it has no key";
        QTest::newRow("no base64") << "grace@example.org ssh-ed25519 !!!!" << "its key is no base64";
        QTest::newRow("another type") << "grace@example.org ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIAAA" << "its key is";
        QTest::newRow("option") << "grace@example.org expires=\"2020\" ssh-rsa AAAA"
                                << "the option \"expires\" is not known";
        QTest::newRow("time") << "grace@example.org valid-before=\"soon\" ssh-rsa AAAA" << "\"soon\" is no time";
        QTest::newRow("no day") << "grace@example.org valid-before=\"20260231\" ssh-rsa AAAA"
                                << "\"20260231\" is no time";
    }
    void linesThatCannotBeRead() {
        QFETCH(QString, line);
        QFETCH(QString, said);
        const auto read = readAllowedSigners("# first\n" + line.toStdString() + "\n", "allowed");
        QVERIFY(!read);
        QCOMPARE(read.error().place.line, 2u);
        QVERIFY2(read.error().message.find(said.toStdString()) != std::string::npos, read.error().message.c_str());
    }

    void base64IsStrict() {
        QCOMPARE(*fromBase64("aGVsbG8="), std::string("hello"));
        for (const char* bad : {"aGVsbG8", "aGVsbG9=", "aGVs bG8=", "aGVsbG8=\n", "====", "a"})
            QVERIFY2(!fromBase64(bad), bad);
        QCOMPARE(*fromBase64(""), std::string());
    }
};

QTEST_APPLESS_MAIN(SignatureTest)
#include "signature_test.moc"
