// Collects what is wrong with a spec, each with the field's path, line and column.
// Used by the files that read and check specs (spec_*.cpp) only.
#pragma once

#include "kernel/json_places.h"
#include "kernel/spec.h"
#include "support/json.h"

#include <initializer_list>

namespace ptxwb::kernel {

enum class PlaceOf : std::uint8_t { value, key };

class SpecProblems {
public:
    SpecProblems(std::string_view text, std::string file);

    /// "<path>: <message>" at the field's line. `hint` is a sentence or empty.
    void error(const std::string& path, std::string_view message, std::string hint = {},
               PlaceOf place = PlaceOf::value);
    void warning(const std::string& path, std::string_view message, std::string hint = {});
    /// An error inside an expression: points into the text.
    void expression(const std::string& path, Diagnostic problem);

    /// The value, or nothing after the error was noted. `example` becomes the hint "e.g. ...".
    template <class T>
    std::optional<T> take(const JsonReader& at, Expected<T> value, std::string_view example = {}) {
        if (value) return std::move(*value);
        refuse(at.path(), std::move(value.error()), example);
        return std::nullopt;
    }

    /// Every key that is not known is an error with the nearest known one. False where `object` is no object (noted
    /// too).
    bool onlyKeys(const JsonReader& object, std::initializer_list<std::string_view> known, std::string_view example);

    bool hasErrors() const { return m_errors; }
    /// In order of the text.
    std::vector<Diagnostic> take();

private:
    void refuse(const std::string& path, Diagnostic problem, std::string_view example);
    Place placeOf(const std::string& path, PlaceOf place) const;

    std::string m_file;
    std::map<std::string, JsonPlace, std::less<>> m_places;
    std::vector<Diagnostic> m_diagnostics;
    bool m_errors = false;
};

/// What every reading function needs: where to complain and which symbols may be used.
struct SpecContext {
    SpecProblems& problems;
    std::vector<std::string> symbols;
};

// Readers of parts that occur in several places; all note errors and then return a default.
std::string readText(SpecContext& c, const JsonReader& value, std::string_view example);
std::string readTextMember(SpecContext& c, const JsonReader& object, std::string_view key, std::string_view example);
std::vector<std::string> readTexts(SpecContext& c, const JsonReader& object, std::string_view key,
                                   std::string_view example);
/// A path relative to the spec that stays inside its folder.
std::string readFileName(SpecContext& c, const JsonReader& value, std::string_view example);
std::vector<std::string> readFileNames(SpecContext& c, const JsonReader& object, std::string_view key,
                                       std::string_view example);
Formula readFormula(SpecContext& c, const JsonReader& value, Arithmetic arithmetic, std::string_view example);
/// A scalar's value for `type`: real arithmetic for floating-point types, 64 unsigned bits for u64 and b64.
Formula readScalar(SpecContext& c, const JsonReader& value, ElementType type);
Formula3 readTriple(SpecContext& c, const JsonReader& value, std::string_view example);
LaunchShape readLaunch(SpecContext& c, const JsonReader& value);
/// The elements of "launches", of a spec or of a candidate's `//@ launches` line.
std::vector<LaunchStep> readSteps(SpecContext& c, const JsonReader& list, std::string_view example);
Fill readFill(SpecContext& c, const JsonReader& value);
/// Every parameter of a fill must mean something for its kind; once all of them are read.
void checkFill(SpecContext& c, const std::string& path, const Fill& fill);
/// All of a tensor map but the buffer that it is of.
void readTensorMap(SpecContext& c, const JsonReader& value, Argument& argument);
/// All of a texture or surface but the buffer that it is of. False where a field could not be read.
bool readTexture(SpecContext& c, const JsonReader& value, const Argument& argument);
Tolerance readTolerance(SpecContext& c, const JsonReader& value);
std::optional<ElementType> readElementType(SpecContext& c, const JsonReader& value);
std::optional<std::uint32_t> readCount32(SpecContext& c, const JsonReader& value, std::string_view example);
std::optional<bool> readBoolean(SpecContext& c, const JsonReader& value);
std::optional<double> readNumber(SpecContext& c, const JsonReader& value, std::string_view example);
/// One of `known`; `what` names the kind of thing in the message ("access", "rule").
bool isOneOf(SpecContext& c, const JsonReader& value, std::string_view text, std::string_view what,
             std::span<const std::string_view> known);

std::optional<Argument> readArgument(SpecContext& c, const JsonReader& value);

/// The whole document; `context.symbols` is filled on the way.
KernelSpec readSpec(SpecContext& context, const JsonReader& root);

/// What no field can tell alone: names that must exist or be unique, struct layouts, files, hashes.
void checkSpec(SpecProblems& problems, const KernelSpec& spec, const KernelFiles& files);
/// What a texture or surface cannot tell without its buffer.
void checkTextures(SpecProblems& problems, const KernelSpec& spec);

} // namespace ptxwb::kernel
