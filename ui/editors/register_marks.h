// The register that a person clicks: every use of it boxed, and in the margin where its value lives.
// A part of the code pane.
#pragma once

#include "ptx/analysis/register_use.h"

#include <cstdint>

namespace ptxwb::ui {

class Editor;

class RegisterMarks {
public:
    /// Marks the register at a byte of the module's text, which is the editor's; takes the marks away where none is
    /// there.
    void show(Editor& editor, const ptx::Module& module, std::uint32_t offset);
    void clear(Editor& editor);
    bool isShown() const { return m_shown; }

private:
    bool m_shown = false;
};

} // namespace ptxwb::ui
