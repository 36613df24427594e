// The instruction forms that have golden vectors: their text, operands, bound, kernel, and what was recorded of them.
// Used by golden_generate, golden_record and the test that compares the emulator with a recording. No Qt.
#pragma once

#include "support/diagnostic.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ptxwb::golden {

/// Operand tuples of a form: one a thread, three warps.
inline constexpr std::size_t tuples = 96;

/// A register that a form reads or writes: `a:f32`. The class tells its width and which values it is tried with.
struct Value {
    std::string name, kind;
};

/// How far off an answer may be: within one of these; with none, the same bits.
struct Bound {
    double ulp = 0;      ///< units in the last place of the result's type
    double relative = 0; ///< times the value
    double absolute = 0;
    bool anyNaN = false; ///< any NaN for a NaN
    bool isExact() const { return ulp == 0 && relative == 0 && absolute == 0; }
};

struct Form {
    std::string group, text; ///< instructions, separated by " ; "
    std::vector<Value> results, operands;
    Bound bound;
};

struct Group {
    std::string name;
    int arch = 0; ///< the first compute capability that has all its forms: 80
    std::vector<Form> forms;
};

/// Reads forms.txt. Errors (rejected): a line that is not of the shape that the head of the file describes.
Expected<std::vector<Group>> readForms(const std::filesystem::path& file);

/// Bits of a class ("f32": 32, "pred": 1), 0 where there is no such class.
unsigned bitsOf(std::string_view kind);
/// The operands of a form, one vector of `tuples` words for each. They depend on the classes alone, so forms with the
/// same classes share them.
std::vector<std::vector<std::uint64_t>> operandsOf(const Form& form);

/// PTX with one entry for each form, called form0, form1 ...: (u64 in, u64 out), `tuples` threads. Operand k of tuple i
/// is the 8 bytes at in + (k * tuples + i) * 8; results lie in `out` likewise.
std::string kernelsOf(const std::vector<Form>& forms, int arch);

/// What a device gave for one form.
struct Record {
    std::string form;
    std::vector<std::vector<std::uint64_t>> operands, results; ///< by register, then by tuple
};
struct Recording {
    std::string header; ///< device, driver, ptxas, date
    std::vector<Record> records;
    const Record* find(std::string_view form) const;
};

Expected<Recording> readRecording(const std::filesystem::path& file);
std::string textOf(const Recording& recording, const Group& group);

/// Tuples whose results lie outside of the form's bound: "add.f32 d, a, b: a=... b=...: got d=..., recorded ...".
std::vector<std::string> differences(const Form& form, const Record& record,
                                     const std::vector<std::vector<std::uint64_t>>& got);

} // namespace ptxwb::golden
