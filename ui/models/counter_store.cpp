#include "models/counter_store.h"

#include "models/document.h"

#include <utility>

namespace ptxwb::ui {

CounterStore::CounterStore(Document* document, QObject* parent) : QObject(parent), m_document(document) {
    connect(document, &Document::sessionReplaced, this, [this] {
        m_counted.clear();
        if (m_running.isEmpty()) return;
        m_running.clear();
        emit dropped();
    });
}

void CounterStore::begin(const QString& id) {
    const QString before = std::exchange(m_running, id);
    m_text = m_document->candidate(id)->text;
    m_baseline = m_document->session().baseline.text;
    if (!before.isEmpty() && before != id) emit changed(before);
    emit changed(id);
}

void CounterStore::end(Counted counted) {
    const QString id = std::exchange(m_running, {});
    counted.text = std::exchange(m_text, {});
    counted.baseline = std::exchange(m_baseline, {});
    m_counted[id] = std::move(counted);
    emit changed(id);
}

void CounterStore::finish(const verify::ProfileReport& report) {
    end({report, {}, {}, {}, {}});
}

void CounterStore::fail(const QString& message, const QString& hint) {
    end({std::nullopt, message, hint, {}, {}});
}

void CounterStore::drop() {
    if (m_running.isEmpty()) return;
    emit changed(std::exchange(m_running, {}));
}

const Counted* CounterStore::counted(const QString& id) const {
    const auto found = m_counted.find(id);
    return found == m_counted.end() ? nullptr : &found->second;
}

bool CounterStore::isStale(const QString& id) const {
    const Counted* last = counted(id);
    const session::Candidate* candidate = m_document->candidate(id);
    return last && candidate &&
           (last->text != candidate->text || last->baseline != m_document->session().baseline.text);
}

} // namespace ptxwb::ui
