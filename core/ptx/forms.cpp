#include "ptx/forms.h"

#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <map>

namespace ptxwb::ptx {

namespace {

constexpr WordKey typeBase = 1000, spaceBase = 1100, vectorBase = 1200, keyCount = 1210;

struct NamedList {
    std::string_view name, words;
};

constexpr NamedList lists[] = {
    {"int", "u16|u32|u64|s16|s32|s64"},
    {"int8", "u8|u16|u32|u64|s8|s16|s32|s64"},
    {"round", "rn|rz|rm|rp"},
    {"whole", "rni|rzi|rmi|rpi"},
    {"compare", "eq|ne|lt|le|gt|ge"},
    {"compare_float", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    {"vector", "v2|v4|v8"},
    {"memory", "u8|u16|u32|u64|s8|s16|s32|s64|b8|b16|b32|b64|b128|f32|f64"},
    {"load_space", "const|global|local|param|param::entry|param::func|shared|shared::cta|shared::cluster"},
    {"store_space", "global|local|param|param::func|shared|shared::cta|shared::cluster"},
    {"sync_space", "global|shared|shared::cta|shared::cluster"},
    {"atomic_space", "global|shared|shared::cta|shared::cluster"},
    {"cache", "ca|cg|cs"},
    {"prefetch", "L2::64B|L2::128B|L2::256B"},
    {"evict_l1", "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
    {"evict_l2", "L2::evict_normal|L2::evict_first|L2::evict_last"},
    {"scope", "cta|cluster|gpu|sys"},
    {"order", "relaxed|acquire|release|acq_rel"},
    {"reduced", "f16|bf16|f16x2|bf16x2|f32|f64|e5m2|e4m3|e5m2x2|e4m3x2|e5m2x4|e4m3x4"},
    {"dimension", "1d|2d|3d|4d|5d"},
    {"tensor_load", "tile|im2col|im2col::w|im2col::w::128|tile::gather4"},
    {"tensor_field", "global_address|rank|box_dim|global_dim|global_stride|element_stride|elemtype|interleave_layout|"
                     "swizzle_mode|swizzle_atomicity|fill_mode"},
    {"geometry", "1d|2d|3d|a1d|a2d|cube|acube"},
    {"texture_field", "width|height|depth|channel_data_type|channel_order|normalized_coords|force_unnormalized_coords|"
                      "filter_mode|addr_mode_0|addr_mode_1|addr_mode_2|array_size|num_mipmap_levels|num_samples"},
    {"surface_field", "width|height|depth|channel_data_type|channel_order|array_size|memory_layout"},
    {"narrow", "e4m3|e5m2|e3m2|e2m3|e2m1"},
    {"sparse", "sp|sp::ordered_metadata"},
    {"wmma_shape", "m16n16k16|m8n32k16|m32n8k16|m8n8k32|m8n8k128|m16n16k8|m8n8k4"},
    {"tensor_memory", "16x64b|16x128b|16x256b|32x32b|16x32bx2"},
    {"collector",
     "collector::a::fill|collector::a::use|collector::a::lastuse|collector::a::discard|collector::b0::fill|"
     "collector::b0::use|collector::b0::lastuse|collector::b0::discard|collector::b1::fill|"
     "collector::b1::use|collector::b1::lastuse|collector::b1::discard|collector::b2::fill|"
     "collector::b2::use|collector::b2::lastuse|collector::b2::discard|collector::b3::fill|"
     "collector::b3::use|collector::b3::lastuse|collector::b3::discard"},
};

/// The part of `text` up to `mark`, which is taken off with it.
std::string_view takeUpTo(std::string_view& text, char mark) {
    const std::size_t end = text.find(mark);
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return part;
}

struct Row {
    Opcode opcode;
    std::uint16_t firstPtx;
    std::string_view target, pattern;
};

constexpr Row rows[] = {
#define PTXWB_FORM(id, ptx, target, pattern) {Opcode::id, ptx, target, pattern},
#include "ptx/forms.def"
#include "ptx/forms_parallel.def"
#undef PTXWB_FORM
};

/// The table of forms.def, read once.
class Table {
public:
    Table() {
        fillTexts();
        std::size_t at = 0;
        m_forms.reserve(std::size(rows));
        for (const Row& row : rows) {
            m_forms.push_back(read(row));
            auto& [first, count] = m_byOpcode[static_cast<std::size_t>(row.opcode)];
            if (count++ == 0) first = at;
            assert(first + count == at + 1); // the rows of an opcode lie together
            ++at;
        }
    }

    std::span<const Form> of(Opcode opcode) const {
        const auto [first, count] = m_byOpcode[static_cast<std::size_t>(opcode)];
        return {m_forms.data() + first, count};
    }
    const WordGroup& group(std::uint16_t index) const { return m_groups[index]; }
    std::string_view text(WordKey key) const { return m_texts[key]; }

private:
    void fillTexts() {
        constexpr WordKey modifiers = 0
#define PTXWB_MODIFIER(id, word) +1
#include "ptx/modifiers.def"
#undef PTXWB_MODIFIER
            ;
        static_assert(modifiers < typeBase);
        for (WordKey i = 1; i <= modifiers; ++i) m_texts[i] = name(static_cast<Modifier>(i));
        for (WordKey i = 1; i <= static_cast<WordKey>(ScalarType::e3m2x4); ++i)
            m_texts[typeBase + i] = name(static_cast<ScalarType>(i));
        for (WordKey i = 1; i <= static_cast<WordKey>(StateSpace::tex); ++i)
            m_texts[spaceBase + i] = name(static_cast<StateSpace>(i));
        m_texts[vectorBase + 2] = "v2";
        m_texts[vectorBase + 4] = "v4";
        m_texts[vectorBase + 8] = "v8";
    }

    void add(WordGroup& group, std::string_view text) {
        const Word meaning = word(text);
        assert(meaning.known());
        const WordKey key = wordKey({meaning.modifier, meaning.type, meaning.space, meaning.vector, {}});
        group.words.push_back(key);
        group.inGroup[key] = true;
    }

    void addAll(WordGroup& group, std::string_view words) {
        while (!words.empty()) {
            const std::string_view one = takeUpTo(words, '|');
            if (!one.starts_with('@')) {
                add(group, one);
                continue;
            }
            if (one == "@warpgroup") {
                for (WordKey i = 1; i < typeBase; ++i)
                    if (m_texts[i].starts_with("m64n")) add(group, m_texts[i]);
                continue;
            }
            [[maybe_unused]] bool known = false;
            for (const NamedList& list : lists)
                if (list.name == one.substr(1)) addAll(group, list.words), known = true;
            assert(known);
        }
    }

    std::uint16_t groupOf(std::string_view text) {
        const auto [found, isNew] = m_groupIndex.try_emplace(text, static_cast<std::uint16_t>(m_groups.size()));
        if (isNew) {
            WordGroup group;
            group.inGroup.resize(keyCount);
            group.optional = text.starts_with('?');
            addAll(group, group.optional ? text.substr(1) : text);
            m_groups.push_back(std::move(group));
        }
        return found->second;
    }

    Form read(const Row& row) {
        const InstructionRow& opcodeRow = *instructionRow(row.opcode);
        Form form;
        form.opcode = row.opcode;
        form.pattern = row.pattern;
        form.firstPtx = row.firstPtx ? row.firstPtx : opcodeRow.firstPtx;
        form.firstTarget = opcodeRow.firstTarget;
        std::string_view target = row.target;
        if (!target.empty()) {
            const char mark = target.front();
            if (mark == '=' || mark == '~') target.remove_prefix(1);
            form.needsLetter = target.ends_with('a');
            std::from_chars(target.data(), target.data() + target.size(), form.firstTarget);
            if (mark == '=') form.beforeTarget = static_cast<std::uint16_t>(form.firstTarget + 1);
            if (mark == '~') form.beforeTarget = 120;
        }
        std::string_view pattern = row.pattern;
        while (!pattern.empty()) form.groups.push_back(groupOf(takeUpTo(pattern, ' ')));
        assert(form.groups.size() <= 32);
        return form;
    }

    std::array<std::string_view, keyCount> m_texts;
    std::vector<WordGroup> m_groups;
    std::map<std::string_view, std::uint16_t> m_groupIndex;
    std::vector<Form> m_forms;
    std::array<std::pair<std::size_t, std::size_t>, 256> m_byOpcode{};
};

const Table& table() {
    static const Table all;
    return all;
}

/// What ptxas takes twice without a word.
bool mayRepeat(Modifier modifier) {
    return modifier == Modifier::sat || modifier == Modifier::sync || modifier == Modifier::approx ||
           modifier == Modifier::uni || modifier == Modifier::cc;
}

} // namespace

WordKey wordKey(const ModifierUse& use) {
    if (use.id != Modifier::unknown && use.space == StateSpace::none && use.type == ScalarType::none)
        return static_cast<WordKey>(use.id);
    if (use.type != ScalarType::none) return static_cast<WordKey>(typeBase + static_cast<WordKey>(use.type));
    if (use.id != Modifier::unknown) return static_cast<WordKey>(use.id); // shared::cta
    if (use.space != StateSpace::none) return static_cast<WordKey>(spaceBase + static_cast<WordKey>(use.space));
    return use.vector ? static_cast<WordKey>(vectorBase + use.vector) : noWord;
}

std::string_view wordText(WordKey key) {
    return table().text(key);
}

WordAge wordAge(WordKey key) {
    switch (static_cast<Modifier>(key)) {
    case Modifier::shared_cta:
    case Modifier::param_entry: return {78, 0};
    case Modifier::shared_cluster:
    case Modifier::cluster: return {78, 90};
    case Modifier::multicast_cluster: return {80, 90};
    case Modifier::L2_cache_hint: return {74, 80};
    case Modifier::L2_64B:
    case Modifier::L2_128B: return {74, 75};
    case Modifier::L2_256B: return {74, 80};
    case Modifier::sp_ordered_metadata: return {85, 80};
    case Modifier::tile_gather4:
    case Modifier::tile_scatter4:
    case Modifier::im2col_w:
    case Modifier::im2col_w_128:
    case Modifier::cta_group_1:
    case Modifier::cta_group_2: return {86, 100};
    default: break;
    }
    if (key == typeBase + static_cast<WordKey>(ScalarType::b128)) return {83, 70};
    if (key == vectorBase + 8) return {88, 100};
    return {};
}

const WordGroup& formGroup(std::uint16_t group) {
    return table().group(group);
}

std::span<const Form> formsOf(Opcode opcode) {
    return table().of(opcode);
}

Fit fit(const Form& form, std::span<const ModifierUse> words) {
    Fit answer{&form, 0, 0};
    std::uint32_t taken = 0;
    for (std::size_t i = 0; i < words.size() && i < 32; ++i) {
        const WordKey key = wordKey(words[i]);
        bool placed = false, again = false;
        for (std::size_t g = 0; g < form.groups.size() && !placed; ++g) {
            if (!table().group(form.groups[g]).has(key)) continue;
            if (taken & (1u << g)) {
                again = true;
                continue;
            }
            taken |= 1u << g;
            placed = true;
        }
        if (!placed && again && mayRepeat(words[i].id))
            for (std::size_t j = 0; j < i; ++j) placed |= wordKey(words[j]) == key;
        if (!placed) answer.extra |= 1u << i;
    }
    for (std::size_t g = 0; g < form.groups.size(); ++g)
        if (!(taken & (1u << g)) && !table().group(form.groups[g]).optional) answer.missing |= 1u << g;
    return answer;
}

Fit bestFit(Opcode opcode, std::span<const ModifierUse> words) {
    Fit best;
    // A word too many is a surer sign of another form than one that was forgotten.
    const auto distance = [](const Fit& one) { return 3 * std::popcount(one.extra) + 2 * std::popcount(one.missing); };
    for (const Form& form : formsOf(opcode)) {
        const Fit one = fit(form, words);
        if (!best.form || distance(one) < distance(best) ||
            (one.fits() && best.fits() && one.form->firstPtx < best.form->firstPtx))
            best = one;
    }
    return best;
}

namespace {

std::string formText(const Form& form, std::size_t shown) {
    std::string all;
    for (const std::uint16_t index : form.groups) {
        const WordGroup& group = formGroup(index);
        std::string words;
        for (std::size_t i = 0; i < group.words.size() && i < shown; ++i)
            words += (i ? "," : "") + std::string(wordText(group.words[i]));
        if (group.words.size() > shown) words += ",...";
        if (group.words.size() > 1) words = "{" + words + "}";
        all += group.optional ? "[." + words + "]" : "." + words;
    }
    return all;
}

} // namespace

std::string formText(const Form& form) {
    constexpr std::size_t longest = 110;
    std::string text = formText(form, 8);
    return text.size() > longest ? formText(form, 2) : text;
}

} // namespace ptxwb::ptx
