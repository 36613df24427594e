// The words of a lesson in one language, from their Markdown.
// Called by the loader; the form is described in resources/lessons/README.md.
#pragma once

#include "lesson/lesson.h"

namespace ptxwb::lesson {

/// Errors (Cause::badRequest) carry `file` and the line.
Expected<LessonText> readLessonText(std::string_view markdown, const std::string& file);

} // namespace ptxwb::lesson
