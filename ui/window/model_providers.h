// Whom the Model panel can ask: providers, recorded conversations, keys, lists of models.
// A part of ModelChat.
#pragma once

#include "jobs/key_store.h"
#include "jobs/latest_job.h"

#include <QObject>
#include <QString>

#include <string>
#include <vector>

namespace ptxwb::ui {

class Document;
class ModelForm;

class ModelProviders : public QObject {
    Q_OBJECT

public:
    ModelProviders(Document* document, ModelForm* form, QObject* parent);

    /// The key of this name, from the keyring or the environment; the answer comes through the event loop.
    void withKeys(const std::string& keyName, std::function<void(std::shared_ptr<const llm::KeySource>)> answer);

signals:
    void message(const QString& text);

private:
    void fill();
    void chooseRecording();
    void showKeyState();
    void askForKey();
    void storeKey(const QString& name, const QString& key);
    void listModels();

    Document* m_document;
    ModelForm* m_form;
    KeyStore m_keys;
    LatestJob<Expected<std::vector<std::string>>> m_listing;
    QString m_ownRecording; ///< a file that the person chose
};

} // namespace ptxwb::ui
