// Why a pane is empty, and the action that fills it.
// Called by the main window whenever one of them may have changed.
#pragma once

namespace ptxwb::ui {

class Actions;
class BaselineCompiling;
class ComparisonView;
class Document;

void showWhyEmpty(ComparisonView& view, const Document& document, const BaselineCompiling& compiling,
                  const Actions& actions);

} // namespace ptxwb::ui
