// The members of one JSON object, read one after another. The first error is kept, so that a reader stays a list of
// keys. Called by the readers of findings, diagnostics and verification results.
#pragma once

#include "support/json.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ptxwb {

class JsonFields {
public:
    /// Does not own the value. Anything but an object is the first error.
    explicit JsonFields(JsonReader reader);

    const JsonReader& reader() const { return m_reader; }

    // A key that is absent or null leaves its target as it is. Whole numbers are from 0; one that does not fit is an
    // error.
    void read(std::string_view key, std::string& target);
    void read(std::string_view key, double& target);
    void read(std::string_view key, std::optional<double>& target);
    void read(std::string_view key, std::uint32_t& target);
    void read(std::string_view key, std::optional<std::uint32_t>& target);
    void read(std::string_view key, std::uint64_t& target);
    void read(std::string_view key, std::optional<std::uint64_t>& target);
    void read(std::string_view key, std::vector<std::uint64_t>& target);
    void read(std::string_view key, std::optional<std::array<std::uint32_t, 3>>& target); ///< an array of three
    /// One element of `target` for each of the array; `readOne` makes it from a JsonReader.
    template <class T, class ReadOne>
    void readList(std::string_view key, std::vector<T>& target, ReadOne&& readOne) {
        for (const JsonReader& element : elements(key)) {
            Expected<T> one = readOne(element);
            if (!one) return note(std::move(one.error()));
            target.push_back(std::move(*one));
        }
    }

    template <class T>
    void take(Expected<T> value, T& target) {
        if (value)
            target = std::move(*value);
        else
            note(std::move(value.error()));
    }
    void note(Diagnostic error);
    /// `value`, or the first error.
    template <class T>
    Expected<T> result(T value) {
        if (m_error) return std::unexpected(std::move(*m_error));
        return value;
    }

private:
    std::vector<JsonReader> elements(std::string_view key);
    std::optional<std::uint64_t> wholeNumber(const JsonReader& reader, std::uint64_t largest);
    std::optional<std::uint64_t> wholeNumber(std::string_view key, std::uint64_t largest);

    JsonReader m_reader;
    std::optional<Diagnostic> m_error;
};

} // namespace ptxwb
