#include "window/model_providers.h"

#include "llm/provider.h"
#include "models/conversation_log.h"
#include "models/document.h"
#include "panels/model_form.h"
#include "proposals/model_access.h"
#include "support/resources.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>

namespace ptxwb::ui {

ModelProviders::ModelProviders(Document* document, ModelForm* form, QObject* parent)
    : QObject(parent), m_document(document), m_form(form) {
    connect(form, &ModelForm::providerChanged, this, &ModelProviders::showKeyState);
    connect(form, &ModelForm::keyWanted, this, &ModelProviders::askForKey);
    connect(form, &ModelForm::modelListWanted, this, &ModelProviders::listModels);
    connect(form, &ModelForm::recordingWanted, this, &ModelProviders::chooseRecording);
    connect(document, &Document::sessionReplaced, this, &ModelProviders::fill);
    fill();
}

void ModelProviders::fill() {
    std::vector<ProviderEntry> entries;
    // A lesson needs no key: where the kernel has a recorded conversation it comes first.
    const auto& session = m_document->session();
    if (session.hasKernel()) {
        const QString file = QString::fromStdString(
            (resourcesFolder() / "conversations" / (session.kernel.spec.name + ".json")).string());
        if (QFileInfo::exists(file))
            entries.push_back(
                {tr("Recorded conversation: %1").arg(QString::fromStdString(session.kernel.spec.name)), {}, file});
    }
    if (!m_ownRecording.isEmpty())
        entries.push_back({tr("Recorded: %1").arg(QFileInfo(m_ownRecording).fileName()), {}, m_ownRecording});
    const auto endpoints = proposals::endpoints();
    if (endpoints)
        for (const llm::Endpoint& endpoint : *endpoints)
            entries.push_back(
                {QString::fromStdString(endpoint.title.empty() ? endpoint.name : endpoint.title), endpoint, {}});
    m_form->setProviders(std::move(entries));
    if (!endpoints) m_form->setProblem(sentence(endpoints.error()));
}

void ModelProviders::chooseRecording() {
    auto* dialog = new QFileDialog(m_form, tr("Recorded conversation"), {}, tr("Recorded conversations (*.json)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        m_ownRecording = file;
        fill();
        m_form->chooseProvider(tr("Recorded: %1").arg(QFileInfo(file).fileName()));
    });
    dialog->open();
}

void ModelProviders::showKeyState() {
    const ProviderEntry* chosen = m_form->provider();
    if (!chosen || !chosen->recording.isEmpty())
        return m_form->setKeyState(chosen ? tr("No network and no key: recorded answers, verified here.") : QString(),
                                   false);
    const QString name = QString::fromStdString(chosen->endpoint.keyName);
    if (name.isEmpty()) return m_form->setKeyState(tr("This provider needs no key."), false);
    m_form->setKeyState(tr("Looking for the key…"), false);
    m_keys.find(name, [this, name](const KeyPlace& place, const llm::Secret&) {
        const ProviderEntry* now = m_form->provider();
        if (!now || QString::fromStdString(now->endpoint.keyName) != name) return;
        QString text;
        switch (place.where) {
        case KeyPlace::Where::keyring: text = tr("The key is in the desktop's keyring."); break;
        case KeyPlace::Where::environment:
            text = tr("The key comes from the environment variable %1.").arg(name);
            break;
        case KeyPlace::Where::none:
            text = place.problem.isEmpty()
                       ? tr("There is no key yet: store one with Key…, or set %1 before the window starts.").arg(name)
                       : tr("There is no key: set the environment variable %1 before the window starts.").arg(name);
            break;
        }
        if (!place.problem.isEmpty()) text += tr(" Keys cannot be stored here: %1.").arg(place.problem);
        m_form->setKeyState(text, place.problem.isEmpty());
    });
}

void ModelProviders::askForKey() {
    const ProviderEntry* chosen = m_form->provider();
    if (!chosen || chosen->endpoint.keyName.empty()) return;
    const QString name = QString::fromStdString(chosen->endpoint.keyName);
    auto* dialog = new QInputDialog(m_form);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Key of %1").arg(chosen->title));
    dialog->setLabelText(
        tr("%1, kept in the desktop's keyring and nowhere else. Empty: the stored one is removed.").arg(name));
    dialog->setTextEchoMode(QLineEdit::Password);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, name](const QString& key) { storeKey(name, key.trimmed()); });
    dialog->open();
}

void ModelProviders::storeKey(const QString& name, const QString& key) {
    const auto answer = [this](const QString& problem) {
        if (!problem.isEmpty()) m_form->setProblem(tr("The key was not stored: %1.").arg(problem));
        showKeyState();
    };
    m_form->setProblem({});
    if (key.isEmpty())
        m_keys.remove(name, answer);
    else
        m_keys.store(name, key, answer);
}

void ModelProviders::withKeys(const std::string& keyName,
                              std::function<void(std::shared_ptr<const llm::KeySource>)> answer) {
    m_keys.find(QString::fromStdString(keyName),
                [keyName, answer = std::move(answer)](const KeyPlace& place, llm::Secret key) {
                    auto held = std::make_shared<HeldKeys>();
                    if (place.where != KeyPlace::Where::none) held->hold(keyName, std::move(key));
                    answer(std::move(held));
                });
}

void ModelProviders::listModels() {
    const ProviderEntry* chosen = m_form->provider();
    if (!chosen || !chosen->recording.isEmpty()) return;
    emit message(tr("Asking %1 for its models…").arg(chosen->title));
    withKeys(chosen->endpoint.keyName, [this, endpoint = chosen->endpoint](std::shared_ptr<const llm::KeySource> keys) {
        m_listing.start(
            [endpoint, keys = std::move(keys)](std::stop_token stop) -> Expected<std::vector<std::string>> {
                llm::ProviderSettings settings;
                settings.endpoint = endpoint;
                settings.limits.total = std::chrono::seconds(30);
                settings.retry.attempts = 2;
                const auto provider = llm::makeProvider(std::move(settings), keys, std::make_shared<llm::HttpClient>());
                if (!provider) return std::unexpected(provider.error());
                return (*provider)->models(stop);
            },
            [this, name = endpoint.name](const Expected<std::vector<std::string>>& models) {
                const ProviderEntry* now = m_form->provider();
                if (!now || now->endpoint.name != name) return;
                if (!models) return m_form->setProblem(sentence(models.error()));
                QStringList names;
                for (const std::string& model : *models) names += QString::fromStdString(model);
                m_form->setProblem(names.isEmpty() ? tr("The provider lists no models.") : QString());
                m_form->setModels(names);
                emit message(tr("%n model(s).", nullptr, int(names.size())));
            });
    });
}

} // namespace ptxwb::ui
