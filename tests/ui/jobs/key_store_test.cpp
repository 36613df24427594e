// Keys of providers: in a real keyring on a session bus of its own, and where there is none.
#include "jobs/key_store.h"

#include <QCoreApplication>
#include <QDirIterator>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

const QString keyName = QStringLiteral("PTXWB_TEST_KEY");
const QString secret = QStringLiteral("sk-test-9fQ2xLm81TtR");

struct Found {
    KeyPlace place;
    QString key;
};

Found find(KeyStore& store) {
    Found found;
    bool answered = false;
    store.find(keyName, [&](const KeyPlace& place, const llm::Secret& key) {
        found = {place, QString::fromUtf8(key.reveal().data(), qsizetype(key.reveal().size()))};
        answered = true;
    });
    if (!QTest::qWaitFor([&] { return answered; }, 20000)) qFatal("no answer");
    return found;
}

QString stored(KeyStore& store, const QString& key) {
    QString problem;
    bool answered = false;
    const auto answer = [&](const QString& said) {
        problem = said;
        answered = true;
    };
    if (key.isEmpty())
        store.remove(keyName, answer);
    else
        store.store(keyName, key, answer);
    if (!QTest::qWaitFor([&] { return answered; }, 20000)) qFatal("no answer");
    return problem;
}

} // namespace

class KeyStoreTest : public QObject {
    Q_OBJECT

private slots:
    /// Runs only inside the session bus that `inAKeyring` starts.
    void storedFoundAndRemoved() {
        if (!qEnvironmentVariableIsSet("PTXWB_TEST_KEYRING")) QSKIP("runs in the keyring that the next test starts");
        qunsetenv(keyName.toLatin1());
        KeyStore store;
        QCOMPARE(int(find(store).place.where), int(KeyPlace::Where::none));
        QCOMPARE(stored(store, "two words"), QString("what was typed holds blanks, line breaks or bytes that are no "
                                                     "ASCII, so it cannot be a key"));
        QCOMPARE(stored(store, secret), QString());
        Found found = find(store);
        QCOMPARE(int(found.place.where), int(KeyPlace::Where::keyring));
        QCOMPARE(found.key, secret);
        QCOMPARE(found.place.problem, QString());
        // The keyring comes before the environment.
        qputenv(keyName.toLatin1(), "from-the-environment");
        QCOMPARE(find(store).key, secret);
        QCOMPARE(stored(store, {}), QString());
        found = find(store);
        QCOMPARE(int(found.place.where), int(KeyPlace::Where::environment));
        QCOMPARE(found.key, QString("from-the-environment"));
    }

    void inAKeyring() {
        if (qEnvironmentVariableIsSet("PTXWB_TEST_KEYRING")) QSKIP("this is that run");
        for (const char* program : {"dbus-run-session", "gnome-keyring-daemon"})
            if (QStandardPaths::findExecutable(program).isEmpty())
                QSKIP(qPrintable(QStringLiteral("there is no %1").arg(program)));
        const QTemporaryDir home;
        QProcess child;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* each : {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"})
            environment.insert(each, home.path());
        environment.insert("PTXWB_TEST_KEYRING", "1");
        environment.insert("XDG_CURRENT_DESKTOP", "GNOME");
        child.setProcessEnvironment(environment);
        child.setProcessChannelMode(QProcess::MergedChannels);
        child.start(
            "dbus-run-session",
            {"--", "sh", "-c",
             "printf 'a password' | gnome-keyring-daemon --unlock --components=secrets >/dev/null && exec \"$0\" "
             "storedFoundAndRemoved",
             QCoreApplication::applicationFilePath()});
        QVERIFY(child.waitForFinished(60000));
        const QByteArray said = child.readAll();
        QVERIFY2(child.exitCode() == 0, said.constData());
        QVERIFY(said.contains("PASS   : KeyStoreTest::storedFoundAndRemoved"));
        // Encrypted: no file that the keyring wrote holds the key.
        QDirIterator files(home.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (file.open(QIODevice::ReadOnly))
                QVERIFY2(!file.readAll().contains(secret.toLatin1()), qPrintable(file.fileName()));
        }
    }

    void noKeyring() {
        if (qEnvironmentVariableIsSet("PTXWB_TEST_KEYRING")) QSKIP("there is one in this run");
        qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
        qunsetenv(keyName.toLatin1());
        KeyStore store;
        const Found nothing = find(store);
        QCOMPARE(int(nothing.place.where), int(KeyPlace::Where::none));
        QVERIFY2(nothing.place.problem.contains("keyring"), qPrintable(nothing.place.problem));
        QVERIFY2(stored(store, secret).contains("keyring"), "it was not stored, and that is said");
        qputenv(keyName.toLatin1(), secret.toLatin1());
        const Found found = find(store);
        QCOMPARE(int(found.place.where), int(KeyPlace::Where::environment));
        QCOMPARE(found.key, secret);
        qunsetenv(keyName.toLatin1());
    }

    void switchedOff() {
        if (qEnvironmentVariableIsSet("PTXWB_TEST_KEYRING")) QSKIP("there is one in this run");
        qputenv("PTXWB_KEYRING", "off");
        KeyStore store;
        QVERIFY(find(store).place.problem.contains("switched off"));
        QVERIFY(stored(store, secret).contains("switched off"));
        qunsetenv("PTXWB_KEYRING");
    }

    void whatARequestSees() {
        qunsetenv("PTXWB_TEST_OTHER");
        HeldKeys held;
        held.hold("A", llm::Secret("one"));
        QCOMPARE(std::string(held.key("A")->reveal()), std::string("one"));
        const auto missing = held.key("PTXWB_TEST_OTHER");
        QVERIFY(!missing);
        QVERIFY(missing.error().hint.find("Model panel") != std::string::npos);
    }
};

int main(int count, char** arguments) {
    const QCoreApplication application(count, arguments);
    KeyStoreTest test;
    return QTest::qExec(&test, count, arguments);
}
#include "key_store_test.moc"
