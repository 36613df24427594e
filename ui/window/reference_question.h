// Whether the open kernel's reference, which is native code, may run: known already, or asked once.
// Made by the main window; asked before each verification.
#pragma once

#include "session/session.h"
#include "verify/plan.h"

#include <set>
#include <string>

class QWidget;

namespace ptxwb::ui {

struct Theme;

class ReferenceQuestion {
public:
    enum class Ask : unsigned char { once, again };

    /// `once`: a person who said no is not asked again about the same code until the program ends.
    verify::ReferenceTrust answer(const session::Session& session, Ask ask, const Theme& theme, QWidget* parent);

private:
    std::set<std::string> m_refused; ///< hashes
};

} // namespace ptxwb::ui
