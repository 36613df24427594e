// File > New kernel spec from source: asks, drafts, opens the draft and says what is to decide in it.
// Called by the main window.
#pragma once

class QWidget;

namespace ptxwb::ui {

class Document;
class NoticeBar;
class SessionFiles;

void draftSpec(const Document& document, SessionFiles& files, NoticeBar& notices, QWidget* window);

} // namespace ptxwb::ui
