#include "jobs/key_store.h"

#include "support/environment.h"

#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <qt6keychain/keychain.h>

namespace ptxwb::ui {

namespace {

const QString service = QStringLiteral("ptx-workbench");

bool isOff() {
    return environmentVariable("PTXWB_KEYRING") == "off";
}

QString problemOf(const QKeychain::Job& job) {
    switch (job.error()) {
    case QKeychain::NoError:
    case QKeychain::EntryNotFound: return {};
    case QKeychain::AccessDenied:
    case QKeychain::AccessDeniedByUser: return KeyStore::tr("the keyring refused access");
    case QKeychain::NoBackendAvailable:
    case QKeychain::NotImplemented: return KeyStore::tr("this desktop has no keyring");
    default: break;
    }
    // What a backend says may be several lines of D-Bus.
    const QString said = job.errorString().section(QLatin1Char('\n'), 0, 0).trimmed();
    return said.isEmpty() ? KeyStore::tr("the keyring does not answer")
                          : KeyStore::tr("the keyring does not answer: %1").arg(said);
}

} // namespace

void HeldKeys::hold(const std::string& name, llm::Secret key) {
    m_keys.emplace_back(name, std::move(key));
}

Expected<llm::Secret> HeldKeys::key(std::string_view name) const {
    for (const auto& [known, key] : m_keys)
        if (known == name) return key;
    auto found = llm::EnvironmentKeys().key(name);
    if (!found && found.error().cause == Cause::missing)
        found.error().hint = "store the key in the Model panel, or export " + std::string(name) +
                             " before the window starts; \"Copy prompt\" and \"Paste reply\" need none";
    return found;
}

// No job is a child of the store: the keyring's answer comes to a job that is gone as a fault, and a window may close
// before it. Each deletes itself when it has finished; `this` as the receiver keeps late answers from who has left.
KeyStore::KeyStore(QObject* parent) : QObject(parent) {}
KeyStore::~KeyStore() = default;

void KeyStore::find(const QString& name, std::function<void(const KeyPlace&, llm::Secret)> answer) {
    const auto fromEnvironment = [name](const QString& problem) {
        auto found = llm::EnvironmentKeys().key(name.toStdString());
        KeyPlace place{found ? KeyPlace::Where::environment : KeyPlace::Where::none, problem};
        return std::pair(place, found ? std::move(*found) : llm::Secret());
    };
    if (name.isEmpty() || isOff()) {
        QTimer::singleShot(0, this, [=] {
            auto [place, key] = fromEnvironment(isOff() ? tr("the keyring is switched off") : QString());
            answer(place, std::move(key));
        });
        return;
    }
    auto* job = new QKeychain::ReadPasswordJob(service);
    job->setKey(name);
    connect(job, &QKeychain::Job::finished, this, [=](QKeychain::Job*) {
        if (job->error() == QKeychain::NoError) {
            QByteArray bytes = job->binaryData();
            auto key = llm::checkedKey({bytes.constData(), std::size_t(bytes.size())}, "the keyring's entry");
            bytes.fill('\0');
            if (key) return answer({KeyPlace::Where::keyring, {}}, std::move(*key));
            auto [place, other] = fromEnvironment(QString::fromStdString(key.error().message));
            return answer(place, std::move(other));
        }
        auto [place, key] = fromEnvironment(problemOf(*job));
        answer(place, std::move(key));
    });
    job->start();
}

void KeyStore::store(const QString& name, const QString& key, std::function<void(const QString&)> answer) {
    const auto checked = llm::checkedKey(key.toStdString(), "what was typed");
    if (!checked || isOff()) {
        const QString problem =
            checked ? tr("the keyring is switched off") : QString::fromStdString(checked.error().message);
        QTimer::singleShot(0, this, [answer = std::move(answer), problem] { answer(problem); });
        return;
    }
    auto* job = new QKeychain::WritePasswordJob(service);
    job->setKey(name);
    job->setBinaryData(QByteArray(checked->reveal().data(), qsizetype(checked->reveal().size())));
    connect(job, &QKeychain::Job::finished, this,
            [answer = std::move(answer)](QKeychain::Job* done) { answer(problemOf(*done)); });
    job->start();
}

void KeyStore::remove(const QString& name, std::function<void(const QString&)> answer) {
    if (isOff()) {
        QTimer::singleShot(0, this, [answer = std::move(answer)] { answer(tr("the keyring is switched off")); });
        return;
    }
    auto* job = new QKeychain::DeletePasswordJob(service);
    job->setKey(name);
    connect(job, &QKeychain::Job::finished, this,
            [answer = std::move(answer)](QKeychain::Job* done) { answer(problemOf(*done)); });
    job->start();
}

} // namespace ptxwb::ui
