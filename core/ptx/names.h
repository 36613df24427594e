// Which name means what, in nested scopes: one table for a whole module, so that a look-up costs one hash.
// Used by the parser while it reads.
#pragma once

#include "ptx/module.h"

#include <optional>
#include <string_view>
#include <vector>

namespace ptxwb::ptx {

enum class NameKind : std::uint8_t { reg, parameter, result, variable, moduleVariable, function, label };

struct Found {
    NameKind kind;
    Index index; ///< register id, or index in the list that `kind` names
    Span span;   ///< where it was declared
    bool inThisScope;
};

/// Scopes open and close like a stack; the module is the outermost. An inner declaration hides an outer one, also where
/// one of them is a range: `{ .reg .f32 %r<4>; }` hides %r0 to %r3 and leaves %r4 as it was.
/// Labels may be used before they stand: such uses are parked, and bound when the scope that has the label closes.
class Names {
public:
    struct Use {
        Index tag; ///< of the caller: an operand, or noIndex
        Span span;
        Index record;
        Index next;
        bool bound = false;
    };

    Names();

    void open();
    /// `bind(tag, labelIndex)` is called for each parked use of a label that this scope has.
    template <class Bind>
    void close(Bind bind) {
        const ScopeMark mark = m_scopes.back();
        for (Index i = static_cast<Index>(m_bindings.size()); i-- > mark.bindings;) {
            const Binding binding = m_bindings[i];
            if (binding.kind == NameKind::label) bindUses(binding, mark.uses, bind);
            unbind(binding);
        }
        m_bindings.resize(mark.bindings);
        m_scopes.pop_back();
    }

    std::optional<Found> find(std::string_view name) const;
    /// What stands in the way of declaring `name`, or `name<count>`, in this scope.
    std::optional<Found> conflict(std::string_view name) const;
    std::optional<Found> rangeConflict(std::string_view stem, std::uint32_t count) const;
    void declare(std::string_view name, NameKind kind, Index index, Span span);
    void declareRange(std::string_view stem, std::uint32_t count, Index firstId, Span span);
    /// A later declaration of the same thing: `.extern` or a forward declaration, then the definition.
    void rebind(std::string_view name, Index index, Span span);

    void park(std::string_view name, Index tag, Span span);
    /// Uses that no scope could bind; forgets all uses.
    std::vector<Use> takeUnbound();

private:
    struct Record {
        std::string_view name;
        std::uint32_t hash = 0;
        Index binding = noIndex;    ///< innermost exact declaration
        Index range = noIndex;      ///< innermost range with this stem
        std::uint32_t numbered = 0; ///< live exact declarations of this stem with a number behind it
        Index uses = noIndex;
    };
    struct Binding {
        Index record;
        Index hidden; ///< what it hides
        Index index;
        std::uint32_t count; ///< of a range
        std::uint32_t depth;
        Index stem; ///< record whose `numbered` it counts in
        Span span;
        NameKind kind;
        bool isRange;
    };
    struct ScopeMark {
        Index bindings;
        Index uses;
    };

    Index recordOf(std::string_view name);
    const Record* look(std::string_view name) const;
    void grow();
    void unbind(const Binding& binding);
    Found found(const Binding& binding, Index offset) const;
    std::uint32_t depth() const { return static_cast<std::uint32_t>(m_scopes.size()); }

    template <class Bind>
    void bindUses(const Binding& label, Index firstUse, Bind& bind) {
        Index& head = m_records[label.record].uses;
        while (head != noIndex && head >= firstUse) {
            m_uses[head].bound = true;
            bind(m_uses[head].tag, label.index);
            head = m_uses[head].next;
        }
    }

    std::vector<Index> m_slots; ///< of m_records
    std::vector<Record> m_records;
    std::vector<Binding> m_bindings;
    std::vector<ScopeMark> m_scopes;
    std::vector<Use> m_uses;
};

/// Length of the name without its number: 2 for "%r12", the whole length where no number ends it.
std::size_t stemLength(std::string_view name);

} // namespace ptxwb::ptx
