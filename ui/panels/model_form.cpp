#include "panels/model_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace ptxwb::ui {

namespace {

const QString providerKey = QStringLiteral("model/provider"), modelKey = QStringLiteral("model/models/"),
              candidatesKey = QStringLiteral("model/candidates"), roundsKey = QStringLiteral("model/rounds"),
              tokensKey = QStringLiteral("model/maxTokens"), budgetKey = QStringLiteral("model/budget");

QSpinBox* number(const QString& name, int least, int most, int value) {
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setValue(value);
    box->setObjectName(name);
    return box;
}

} // namespace

ModelForm::ModelForm(QWidget* parent)
    : QWidget(parent), m_provider(new QComboBox), m_model(new QComboBox), m_base(new QComboBox),
      m_region(new QComboBox), m_list(new QPushButton(tr("&List"))), m_key(new QPushButton(tr("&Key…"))),
      m_preview(new QPushButton(tr("Pre&view what will be sent"))), m_copy(new QPushButton(tr("&Copy prompt"))),
      m_paste(new QPushButton(tr("&Paste reply…"))), m_keyState(new QLabel), m_problem(new QLabel),
      m_wish(new QPlainTextEdit), m_candidates(number(QStringLiteral("modelCandidates"), 1, 16, 2)),
      m_rounds(number(QStringLiteral("modelRounds"), 1, 16, 3)),
      m_maxTokens(number(QStringLiteral("modelTokens"), 256, 262'144, 16'384)), m_budget(new QDoubleSpinBox),
      m_first(new QCheckBox(tr("Stop all as soon as one is right and better"))),
      m_tried(new QCheckBox(tr("Tell what the verified candidates did"))) {
    const std::pair<QWidget*, const char*> names[] = {
        {m_provider, "modelProvider"}, {m_model, "modelName"},     {m_base, "modelBase"},  {m_region, "modelRegion"},
        {m_list, "modelList"},         {m_key, "modelKey"},        {m_wish, "modelWish"},  {m_preview, "modelPreview"},
        {m_copy, "modelCopy"},         {m_paste, "modelPaste"},    {m_budget, "modelBudget"},
        {m_keyState, "modelKeyState"}, {m_problem, "modelProblem"}};
    for (const auto& [widget, name] : names) widget->setObjectName(QLatin1String(name));
    auto* column = new QVBoxLayout(this);
    column->addLayout(makeFields());
    for (QLabel* label : {m_keyState, m_problem}) {
        label->setWordWrap(true);
        label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred); // a form leaves it narrow and tall else
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_problem->hide();
    column->addWidget(m_problem);
    m_preview->setDefault(true);
    m_preview->setToolTip(tr("Builds the question. Nothing leaves this machine before you have seen it and agreed"));
    m_copy->setToolTip(tr("The question as text, for any chat: no key, no network"));
    m_paste->setToolTip(tr("Candidates out of a chat's reply"));
    column->addWidget(m_preview);
    auto* others = new QHBoxLayout;
    others->addWidget(m_copy);
    others->addWidget(m_paste);
    column->addLayout(others);
    column->addStretch(1);
    connect(m_provider, &QComboBox::currentIndexChanged, this, &ModelForm::updateProvider);
    connect(m_provider, &QComboBox::activated, this, [this](int index) {
        if (const ProviderEntry* chosen = provider()) m_picked = chosen->title;
        if (index == int(m_providers.size())) emit recordingWanted();
    });
    connect(m_base, &QComboBox::currentIndexChanged, this, &ModelForm::baseChanged);
    connect(m_budget, &QDoubleSpinBox::valueChanged, this, &ModelForm::budgetChanged);
    connect(m_list, &QPushButton::clicked, this, &ModelForm::modelListWanted);
    connect(m_key, &QPushButton::clicked, this, &ModelForm::keyWanted);
    const std::pair<QPushButton*, void (ModelForm::*)()> buttons[] = {{m_preview, &ModelForm::previewWanted},
                                                                      {m_copy, &ModelForm::copyWanted},
                                                                      {m_paste, &ModelForm::pasteWanted}};
    for (const auto& [button, signal] : buttons)
        connect(button, &QPushButton::clicked, this, [this, signal = signal] {
            remember();
            emit(this->*signal)();
        });
    recall();
}

QFormLayout* ModelForm::makeFields() {
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    for (QComboBox* box : {m_provider, m_model, m_base, m_region}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(12);
    }
    m_model->setEditable(true);
    m_model->setInsertPolicy(QComboBox::NoInsert);
    m_model->completer()->setFilterMode(Qt::MatchContains);
    m_model->completer()->setCompletionMode(QCompleter::PopupCompletion);
    const auto row = [&](const QString& words, QWidget* field, QWidget* beside) {
        auto* line = new QHBoxLayout;
        line->addWidget(field, 1);
        line->addWidget(beside);
        form->addRow(words, line);
        static_cast<QLabel*>(form->labelForField(line))->setBuddy(field);
    };
    row(tr("P&rovider:"), m_provider, m_key);
    form->addRow(QString(), m_keyState);
    m_model->lineEdit()->setPlaceholderText(tr("as the provider spells it"));
    row(tr("&Model:"), m_model, m_list);
    m_list->setToolTip(tr("Asks the provider for the names of its models"));
    m_wish->setPlaceholderText(tr("What matters to you, in your own words. For instance: fewer registers, "
                                  "16-byte loads, keep it readable"));
    m_wish->setTabChangesFocus(true);
    m_wish->setFixedHeight(fontMetrics().lineSpacing() * 4 + 10);
    form->addRow(tr("&Wish:"), m_wish);
    m_base->addItems({tr("nvcc's PTX"), tr("the current candidate")});
    form->addRow(tr("&Begin with:"), m_base);
    m_region->addItems({tr("the whole kernel"), tr("the selected lines"), tr("the hottest loop")});
    m_region->setToolTip(tr("The hottest loop: by a GPU's samples or the emulator's counts where there are some, "
                            "otherwise the deepest one; the preview says which it is"));
    form->addRow(tr("Re&write:"), m_region);
    auto* numbers = new QHBoxLayout;
    numbers->addWidget(m_candidates);
    auto* rounds = new QLabel(tr("r&ounds:"));
    rounds->setBuddy(m_rounds);
    numbers->addWidget(rounds);
    numbers->addWidget(m_rounds);
    numbers->addStretch(1);
    m_candidates->setToolTip(tr("Asked for at the same time"));
    m_rounds->setToolTip(tr("Questions to each at the most: what failed is sent back with its findings"));
    form->addRow(tr("C&andidates:"), numbers);
    static_cast<QLabel*>(form->labelForField(numbers))->setBuddy(m_candidates);
    m_maxTokens->setSingleStep(1024);
    m_maxTokens->setToolTip(tr("Tokens of one answer at the most, reasoning included"));
    form->addRow(tr("Answer's &tokens:"), m_maxTokens);
    m_budget->setRange(0, 10'000);
    m_budget->setDecimals(2);
    m_budget->setPrefix(QStringLiteral("$ "));
    m_budget->setSpecialValueText(tr("no limit"));
    m_budget->setToolTip(tr("Of this session: no question is sent that could pass it"));
    form->addRow(tr("B&udget:"), m_budget);
    m_tried->setChecked(true);
    m_first->setObjectName(QStringLiteral("modelFirst"));
    m_tried->setObjectName(QStringLiteral("modelTried"));
    form->addRow(QString(), m_tried);
    form->addRow(QString(), m_first);
    return form;
}

void ModelForm::recall() {
    const QSettings settings;
    m_candidates->setValue(settings.value(candidatesKey, m_candidates->value()).toInt());
    m_rounds->setValue(settings.value(roundsKey, m_rounds->value()).toInt());
    m_maxTokens->setValue(settings.value(tokensKey, m_maxTokens->value()).toInt());
    m_budget->setValue(settings.value(budgetKey, 0.0).toDouble());
}

void ModelForm::remember() const {
    QSettings settings;
    settings.setValue(candidatesKey, m_candidates->value());
    settings.setValue(roundsKey, m_rounds->value());
    settings.setValue(tokensKey, m_maxTokens->value());
    settings.setValue(budgetKey, m_budget->value());
    if (const ProviderEntry* chosen = provider(); chosen && chosen->recording.isEmpty()) {
        settings.setValue(providerKey, chosen->title);
        settings.setValue(modelKey + QString::fromStdString(chosen->endpoint.name), model());
    }
}

void ModelForm::setProviders(std::vector<ProviderEntry> providers) {
    const QString wanted = m_picked.isEmpty() ? QSettings().value(providerKey).toString() : m_picked;
    m_filling = true;
    m_providers = std::move(providers);
    m_provider->clear();
    for (const ProviderEntry& each : m_providers) m_provider->addItem(each.title);
    m_provider->addItem(tr("A file with a recorded conversation…"));
    m_filling = false;
    m_provider->setCurrentIndex(std::max(0, m_provider->findText(wanted)));
    updateProvider();
}

const ProviderEntry* ModelForm::provider() const {
    const int index = m_provider->currentIndex();
    return index >= 0 && index < int(m_providers.size()) ? &m_providers[std::size_t(index)] : nullptr;
}

void ModelForm::chooseProvider(const QString& title) {
    m_picked = title;
    m_provider->setCurrentIndex(m_provider->findText(title));
}

void ModelForm::updateProvider() {
    if (m_filling) return;
    const ProviderEntry* chosen = provider();
    const bool isServer = chosen && chosen->recording.isEmpty();
    m_model->setEnabled(isServer);
    m_list->setEnabled(isServer);
    m_model->clear();
    if (isServer)
        m_model->setEditText(QSettings().value(modelKey + QString::fromStdString(chosen->endpoint.name)).toString());
    setProblem({});
    emit providerChanged();
}

QString ModelForm::model() const {
    return m_model->currentText().trimmed();
}

void ModelForm::setModels(const QStringList& names) {
    const QString typed = m_model->currentText();
    m_model->clear();
    m_model->addItems(names);
    m_model->setEditText(typed.isEmpty() && !names.isEmpty() ? names.front() : typed);
    m_model->showPopup();
}

void ModelForm::focusWish() {
    m_wish->setFocus();
}

void ModelForm::setWish(const QString& wish) {
    m_wish->setPlainText(wish);
}

QString ModelForm::wish() const {
    return m_wish->toPlainText().trimmed();
}

BaseChoice ModelForm::base() const {
    return m_base->currentIndex() == 1 ? BaseChoice::current : BaseChoice::baseline;
}

void ModelForm::setCurrentName(const QString& name) {
    m_base->setItemText(1, name.isEmpty() ? tr("the current candidate (none)") : tr("“%1”").arg(name));
}

int ModelForm::region() const {
    return m_region->currentIndex();
}

void ModelForm::setSelection(int firstLine, int lastLine) {
    m_region->setItemText(1, firstLine == 0 ? tr("the selected lines (none)")
                                            : tr("the selected lines %1 to %2").arg(firstLine).arg(lastLine));
}

std::uint32_t ModelForm::candidates() const {
    return std::uint32_t(m_candidates->value());
}
std::uint32_t ModelForm::rounds() const {
    return std::uint32_t(m_rounds->value());
}
bool ModelForm::stopAtFirst() const {
    return m_first->isChecked();
}
std::uint32_t ModelForm::maxTokens() const {
    return std::uint32_t(m_maxTokens->value());
}
double ModelForm::budget() const {
    return m_budget->value();
}
bool ModelForm::tellsTried() const {
    return m_tried->isChecked();
}

void ModelForm::setKeyState(const QString& text, bool canStore) {
    m_keyState->setText(text);
    m_keyState->setVisible(!text.isEmpty());
    m_key->setEnabled(canStore);
}

void ModelForm::setBusy(bool busy) {
    for (QPushButton* button : {m_preview, m_copy, m_paste}) button->setEnabled(!busy);
}

void ModelForm::setProblem(const QString& text) {
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
}

} // namespace ptxwb::ui
