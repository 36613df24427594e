// All that is known about one finding, as text for the clipboard and as HTML whose links lead to PTX and CUDA lines.
// Used by the verification panel.
#pragma once

#include "support/finding.h"

#include <QString>
#include <QUrl>

#include <optional>

namespace ptxwb::ui {

QString findingText(const Finding& finding);
QString findingHtml(const Finding& finding);

struct FindingLink {
    QString cudaFile; ///< empty: a line of the PTX
    int line = 0;     ///< from 1
    int column = 0;   ///< bytes from 1; 0: the whole line
};

/// nullopt for a link that `findingHtml` does not make.
std::optional<FindingLink> findingLink(const QUrl& url);

} // namespace ptxwb::ui
