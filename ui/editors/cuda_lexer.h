// CUDA highlighting: QScintilla's C++ lexer with CUDA's words.
// Made by the code pane.
#pragma once

#include <Qsci/qscilexercpp.h>

namespace ptxwb::ui {

struct Theme;

class CudaLexer : public QsciLexerCPP {
    Q_OBJECT
public:
    explicit CudaLexer(QObject* parent);

    void setTheme(const Theme& theme);
    const char* language() const override { return "CUDA C++"; }
    const char* keywords(int set) const override;
};

} // namespace ptxwb::ui
