// PTX highlighting for an editor, fed from core's lexer.
// Made by the code pane.
#pragma once

#include <Qsci/qscilexercustom.h>

namespace ptxwb::ui {

class Editor;
struct Theme;

/// Styles whole lines as they come into view, one message a stretch.
class PtxLexer : public QsciLexerCustom {
    Q_OBJECT
public:
    explicit PtxLexer(Editor* editor);

    void setTheme(const Theme& theme);
    const char* language() const override { return "PTX"; }
    QString description(int style) const override;
    void styleText(int start, int end) override;
    const char* wordCharacters() const override {
        return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";
    }

private:
    Editor& m_editor;
};

} // namespace ptxwb::ui
