// The PTX lines at which a GPU found a kernel's warps, busiest first, as texts without a widget.
// Used by HotLineTable.
#pragma once

#include "verify/profile_report.h"

#include <QString>

#include <vector>

namespace ptxwb::ui {

struct HotLine {
    int line = 0;        ///< of the PTX, from 1
    double percent = 0;  ///< of the kernel's samples
    QString instruction; ///< the line's text, without margins
    QString waits;       ///< "long scoreboard 97 %": the reason that most of its samples have
    QString meaning;     ///< all reasons, one a line, with what they mean
    QString source;      ///< "saxpy.cu:4"; empty where nothing tells
};

/// Those with at least half a percent, `most` at most. `ptx`: the text that was sampled.
std::vector<HotLine> hotLines(const verify::PcSampling& sampling, const std::string& ptx, std::size_t most);

} // namespace ptxwb::ui
