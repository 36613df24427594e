// What the window knows, put together as a question to a model.
// Used by ModelChat.
#pragma once

#include "jobs/model_run.h"
#include "panels/model_form.h"

namespace ptxwb::ui {

class CodePane;
class CounterStore;
class Document;

struct LineRange {
    int first = 0, last = 0; ///< from 1; 0: nothing is selected
};
/// Of the pane that shows the text to begin with.
LineRange selectedLines(const CodePane& pane);

/// Errors: no kernel, no text to begin with, no model, no selection where one is needed; each says what to do.
/// A prompt to copy needs no model: it is for whatever chat a person has.
enum class NeedsModel : unsigned char { no, yes };
Expected<ModelQuestion> modelQuestion(const Document& document, const CounterStore& counters, const ModelForm& form,
                                      LineRange selection, verify::ReferenceTrust trust, NeedsModel needs);

} // namespace ptxwb::ui
