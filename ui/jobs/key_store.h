// API keys of model providers in the desktop's keyring (Secret Service or KWallet, through QtKeychain); the environment
// where there is none. A key goes from here to the request and nowhere else.
// Owned by the window's Model panel.
#pragma once

#include "llm/keys.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace ptxwb::ui {

/// Keys that were looked up on the window's thread, for the threads that ask; what is not among them is looked for in
/// the environment.
class HeldKeys : public llm::KeySource {
public:
    void hold(const std::string& name, llm::Secret key);
    Expected<llm::Secret> key(std::string_view name) const override;

private:
    std::vector<std::pair<std::string, llm::Secret>> m_keys;
};

/// Where a key lies, for the line that says so.
struct KeyPlace {
    enum class Where : unsigned char { none, keyring, environment };
    Where where = Where::none;
    QString problem; ///< why the keyring does not answer; empty where it does
};

/// Every answer comes through the event loop. PTXWB_KEYRING=off leaves the keyring alone.
class KeyStore : public QObject {
    Q_OBJECT

public:
    explicit KeyStore(QObject* parent = nullptr);
    ~KeyStore() override;

    /// `name`: an endpoint's `keyName`; empty: the answer is none.
    void find(const QString& name, std::function<void(const KeyPlace& place, llm::Secret key)> answer);
    /// `answer`: empty where it was stored, else why it was not.
    void store(const QString& name, const QString& key, std::function<void(const QString& problem)> answer);
    void remove(const QString& name, std::function<void(const QString& problem)> answer);
};

} // namespace ptxwb::ui
