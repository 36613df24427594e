#include "kernel/draft.h"

#include "kernel/draft_types.h"
#include "kernel/reference.h"
#include "kernel/spec_save.h"
#include "support/json_fields.h"
#include "support/sha256.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::kernel {

namespace {

/// "ns::scale<float>(float*, int)" -> "scale"
std::string baseName(std::string_view demangled) {
    int depth = 0;
    std::size_t end = demangled.size();
    if (demangled.ends_with(')'))
        for (std::size_t i = demangled.size(); i-- > 0;) {
            depth += demangled[i] == ')' ? 1 : demangled[i] == '(' ? -1 : 0;
            if (depth == 0) {
                end = i;
                break;
            }
        }
    auto name = demangled.substr(0, end);
    if (name.ends_with('>'))
        for (std::size_t i = name.size(); i-- > 0;) {
            depth += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
            if (depth == 0) {
                name = name.substr(0, i);
                break;
            }
        }
    const auto start = name.find_last_of(": ");
    return std::string(start == std::string_view::npos ? name : name.substr(start + 1));
}

std::string identifier(std::string text, std::string_view fallback) {
    for (char& c : text)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
    if (!isIdentifier(text)) text = std::string(fallback) + text;
    return text;
}

std::optional<ElementType> ptxElement(std::string_view text) {
    if (text.starts_with('.')) text.remove_prefix(1);
    return elementType(text);
}

bool isInteger(ElementType type) {
    return !isFloat(type);
}

class Drafter {
public:
    explicit Drafter(const DraftRequest& request) : m_request(request) {}

    Draft draft() {
        auto& spec = m_draft.spec;
        const auto demangled = demangle(m_request.entry);
        const auto base = baseName(demangled);
        spec.name = identifier(base, "kernel_");
        spec.source = m_request.source;
        spec.entry = m_request.entry;
        spec.arch = m_request.arch;
        if (!m_request.source.empty()) spec.flags = {"-O3"};
        if (!m_request.ptx.empty())
            spec.baseline = Baseline{m_request.ptx, m_request.nvcc,
                                     m_request.sourceText.empty() ? "" : sha256Hex(m_request.sourceText)};
        note("intent", "say in words what the kernel computes, for the reader and the model");
        readParameters(demangled, base);
        addSymbols();
        for (const auto& parameter : m_parameters) addArgument(parameter);
        addLaunch();
        const std::string file = m_request.ownReference ? spec.name + ".reference.cpp" : "reference.cpp";
        spec.reference = {ReferenceKind::host, file, "reference", {}};
        note("reference", fmt::format("write {}: the same result in double, on the CPU", file));
        spec.work.flops.reset();
        spec.work.bytes.reset();
        note("work", "give \"flops\" and \"bytes\" of one launch for the roofline, and \"reduction\": how many "
                     "additions go into one output");
        m_draft.specFile = spec.name + ".kernel.json";
        m_draft.specText = formatJson(toJson(spec));
        m_draft.referenceText = referenceText(spec);
        return std::move(m_draft);
    }

private:
    struct Known {
        DraftParameter given;
        CppType type;
        bool isSymbol = false;
    };

    void note(std::string_view about, std::string_view what) {
        m_draft.spec.notes.push_back(fmt::format("{}: {}", about, what));
    }

    /// Types and names: what the caller says, else the source, else the demangled name.
    void readParameters(const std::string& demangled, const std::string& base) {
        const auto fromSource = sourceParameters(m_request.sourceText, base);
        const auto fromName = parameterTypes(demangled);
        const std::size_t count = m_request.parameters.size();
        std::vector<std::string> taken;
        for (std::size_t i = 0; i < count; ++i) {
            Known known{m_request.parameters[i], {}, false};
            if (fromSource && fromSource->size() == count) {
                known.given.name = (*fromSource)[i].name;
                if (known.given.type.empty()) known.given.type = (*fromSource)[i].type;
            }
            if (known.given.type.empty() && fromName.size() == count) known.given.type = fromName[i];
            // What the compiler names ENTRY_param_3 says no more than its number.
            if (known.given.name.starts_with(m_request.entry + "_param_")) known.given.name = fmt::format("p{}", i);
            known.given.name = identifier(known.given.name, "p");
            if (std::ranges::find(taken, known.given.name) != taken.end()) known.given.name += fmt::format("_{}", i);
            taken.push_back(known.given.name);
            known.type = readCppType(known.given.type);
            if (known.type.pointers > 0) known.given.isPointer = true;
            const auto element = scalarType(known);
            known.isSymbol = known.given.handleOf.empty() && !known.given.isPointer && element && isInteger(*element) &&
                             known.given.size >= 4 && isFreeName(known.given.name);
            m_parameters.push_back(std::move(known));
        }
    }

    static std::optional<ElementType> scalarType(const Known& known) {
        if (known.given.isPointer) return std::nullopt;
        if (known.type.element && known.type.lanes == 1 && sizeOf(*known.type.element) == known.given.size)
            return known.type.element;
        const auto ptx = ptxElement(known.given.ptxType);
        if (ptx && sizeOf(*ptx) == known.given.size && known.type.lanes == 1) return ptx;
        return std::nullopt;
    }

    void addSymbols() {
        std::vector<std::string> names;
        for (const auto& known : m_parameters)
            if (known.isSymbol) names.push_back(known.given.name);
        std::ranges::sort(names);
        for (const auto& name : names) {
            SymbolSizes sizes{name, {1, 33, 1000}, {0, 1, 31, 32, 33, 255, 256, 257, 1000}, {16777216}};
            if (names.size() > 1)
                sizes = {name, {1, 17, 32}, {0, 1, 16, 31, 33, 64}, {names.size() == 2 ? 4096 : 1024}};
            m_draft.spec.symbols.push_back(std::move(sizes));
            note(name, "decide which sizes are run and timed, and whether \"require\" must exclude some");
        }
        m_symbols = std::move(names);
    }

    Formula formula(const std::string& text) const { return {Expression::compile(text, m_symbols).value(), false, {}}; }

    void addArgument(const Known& known) {
        const auto& given = known.given;
        Argument argument;
        argument.name = given.name;
        if (!given.handleOf.empty()) {
            argument.kind = ArgumentKind::null;
            note(given.name,
                 fmt::format(
                     "the handle of a {0}, which a draft does not describe: the PTX tells neither its size nor "
                     "its elements nor how it is sampled. Write {{\"name\": \"{1}\", \"type\": \"{0}\", "
                     "\"of\": \"{1}_texels\"}} and add the buffer {{\"name\": \"{1}_texels\", \"type\": \"f32\", "
                     "\"shape\": [\"height\", \"width\"], \"access\": \"{2}\"}}; until then it is 0",
                     given.handleOf, given.name, given.handleOf == "texture" ? "in" : "inout"));
        } else if (given.isPointer) {
            addBuffer(known, argument);
        } else if (const auto type = scalarType(known)) {
            argument.kind = ArgumentKind::scalar;
            argument.type = *type;
            if (known.isSymbol) {
                argument.value = formula(given.name);
            } else {
                argument.value = isFloat(*type)
                                     ? Formula{Expression::compile("1.5", {}, Arithmetic::real).value(), true, {}}
                                     : Formula::constant(1);
                note(given.name, "decide the value");
            }
            if (known.type.base.empty() && sizeOf(*type) == 8 && isInteger(*type))
                note(given.name, "decide whether it is a number or an address; the PTX does not tell");
            if (known.type.base.empty() && name(*type).starts_with('b'))
                note(given.name, fmt::format("decide the type; the PTX says only {}", given.ptxType));
        } else {
            argument.kind = ArgumentKind::structure;
            argument.size = given.size;
            argument.align = given.align ? given.align : 1;
            note(
                given.name,
                fmt::format("list the fields of {} ({} bytes): {{\"offset\": 0, \"type\": \"f32\", \"value\": 1.5}} or "
                            "{{\"offset\": 8, \"buffer\": \"x\"}}; until then all bytes are 0",
                            given.type.empty() ? "the struct" : given.type, given.size));
        }
        m_draft.spec.arguments.push_back(std::move(argument));
    }

    void addBuffer(const Known& known, Argument& argument) {
        argument.kind = ArgumentKind::buffer;
        argument.type = known.type.element.value_or(ElementType::b32);
        if (!known.type.element)
            note(argument.name, fmt::format("decide the element type{}",
                                            known.given.type.empty() ? "; the PTX does not tell"
                                                                     : ": " + known.type.base + " is not known"));
        if (known.type.pointers > 1) note(argument.name, "a pointer to pointers: use \"type\": \"pointer_array\"");
        const auto lanes = known.type.lanes;
        argument.count = formula(m_symbols.empty() ? fmt::format("{}", lanes)
                                 : lanes == 1      ? m_symbols.front()
                                                   : fmt::format("{} * {}", lanes, m_symbols.front()));
        if (m_symbols.size() != 1) note(argument.name, "decide how many elements it has");
        argument.align =
            std::max(sizeOf(argument.type) * (lanes == 3 ? 1 : lanes), std::max(known.given.pointeeAlign, 1U));
        argument.access = Access::inout;
        if (known.type.pointsToConst)
            argument.access = Access::in;
        else
            note(argument.name, "decide between \"out\" (written only), \"inout\" (read, then written) and \"in\"");
        argument.fill = Fill{};
        if (isInteger(argument.type)) {
            argument.fill->kind = FillKind::integers;
            note(argument.name, "decide the range of its values (\"low\", \"high\"), above all if they are indices");
        }
    }

    void addLaunch() {
        auto& launch = m_draft.spec.launch;
        auto block = m_request.maxThreads;
        if (block[0] == 0) {
            block = {256, 1, 1};
            note("launch", "decide the block size; the PTX does not tell");
        }
        std::uint64_t threads = 1;
        for (std::size_t i = 0; i < 3; ++i) {
            launch.block[i] = Formula::constant(std::max(block[i], 1U));
            threads *= std::max(block[i], 1U);
        }
        if (!m_symbols.empty()) launch.grid[0] = formula(fmt::format("ceil_div({}, {})", m_symbols.front(), threads));
        for (std::size_t i = 0; i < 3; ++i) launch.cluster[i] = Formula::constant(m_request.cluster[i]);
        if (m_request.sharedBytes) {
            launch.sharedBytes = Formula::constant(*m_request.sharedBytes);
            note("launch", "decide the grid as the program launches it");
        } else {
            note("launch", "decide the grid and the dynamic shared memory as the program launches it");
        }
        m_draft.spec.notes.insert(m_draft.spec.notes.end(), m_request.notes.begin(), m_request.notes.end());
    }

    static std::string referenceText(const KernelSpec& spec) {
        return fmt::format("// What {0} must compute, in double, on the CPU. Every floating-point buffer is widened to "
                           "double, scratch is zeroed.\n"
                           "{1} {{\n"
                           "#error \"write the reference: what {0} must compute, then remove this line\"\n"
                           "}}\n",
                           spec.name, referenceSignature(spec));
    }

    const DraftRequest& m_request;
    Draft m_draft;
    std::vector<Known> m_parameters;
    std::vector<std::string> m_symbols;
};

} // namespace

Expected<TritonMetadata> readTritonMetadata(const std::string& text, const std::string& file) {
    const auto json = parseJson(text, file);
    if (!json) return std::unexpected(json.error());
    const JsonReader reader(*json, file);
    TritonMetadata metadata;
    JsonFields fields(reader);
    fields.take(reader.text("name"), metadata.entry);
    fields.read("num_warps", metadata.warps);
    fields.read("shared", metadata.sharedBytes);
    if (const auto target = reader.find("target"); target && target->isObject()) {
        JsonFields of(*target);
        of.read("warp_size", metadata.warpSize);
    }
    std::optional<std::array<std::uint32_t, 3>> cluster;
    fields.read("cluster_dims", cluster);
    if (cluster) metadata.cluster = *cluster;
    if (metadata.warps == 0)
        fields.note(
            reader.fail("\"num_warps\" is missing", "it tells the block: Triton writes it for every kernel").error());
    return fields.result(std::move(metadata));
}

Draft draftSpec(const DraftRequest& request) {
    return Drafter(request).draft();
}

} // namespace ptxwb::kernel
