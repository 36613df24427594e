#include "emulator/emitter.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace ptxwb::emulator {

namespace {

using ptx::StateSpace;

std::uint64_t alignUp(std::uint64_t value, std::uint64_t align) {
    return (value + align - 1) / align * align;
}

constexpr std::uint64_t maxLocalBytes =
    512 * 1024; ///< of a thread: CUDA C++ Programming Guide, technical specifications
constexpr std::uint64_t maxSharedBytes = 227 * 1024; ///< of a block
constexpr std::uint64_t maxImageBytes = std::uint64_t{1} << 32;

/// Refuses variables that nothing could hold, before their sizes are added up in 32 bits.
Expected<void> checkSizes(const ptx::Module& module, const std::vector<const ptx::Function*>& functions) {
    std::uint64_t shared = 0, image = 0;
    // Saturates: a size may be anything up to 2^64 - 1.
    const auto add = [](std::uint64_t& sum, std::uint64_t bytes) {
        sum = bytes > ~std::uint64_t{0} - sum ? ~std::uint64_t{0} : sum + bytes;
    };
    const auto refuse = [](std::string message) {
        return failure(Cause::rejected, std::move(message), "make the arrays smaller, or pass a buffer");
    };
    for (const ptx::Variable& v : module.variables) {
        if (v.space == StateSpace::shared) add(shared, v.sizeBytes);
        const bool isGlobal = v.space == StateSpace::global || v.space == StateSpace::constant;
        if (isGlobal && v.linkage != ptx::Linkage::external) add(image, v.sizeBytes);
        if (image > maxImageBytes)
            return refuse(fmt::format("with {} the module's variables take {} bytes, and the emulator has {} for them",
                                      v.name, image, maxImageBytes));
    }
    for (const ptx::Function* f : functions) {
        std::uint64_t local = 0;
        for (const ptx::Variable& v : f->variables) add(v.space == StateSpace::shared ? shared : local, v.sizeBytes);
        if (local > maxLocalBytes)
            return refuse(fmt::format("the local variables of {} take {} bytes, and a thread has {}", f->name, local,
                                      maxLocalBytes));
    }
    if (shared > maxSharedBytes)
        return refuse(fmt::format("the shared variables take {} bytes, more than the {} that a block can have", shared,
                                  maxSharedBytes));
    return {};
}

/// Gives every module variable its place: .shared ones an offset, .global and .const ones an address of the image.
void layOutModule(Program& program) {
    std::uint64_t next = imageWindow + 0x10000;
    std::uint32_t shared = 0;
    for (const ptx::Variable& v : program.module->variables) {
        if (v.space == StateSpace::shared) {
            shared = static_cast<std::uint32_t>(alignUp(shared, v.align));
            program.variableAddresses.emplace(v.name, shared);
            shared += static_cast<std::uint32_t>(v.sizeBytes);
        } else if (v.space == StateSpace::global || v.space == StateSpace::constant) {
            // An external variable lies in another module: without it the kernel cannot run here.
            if (v.linkage == ptx::Linkage::external) continue;
            const std::uint64_t address = alignUp(next, std::max<std::uint64_t>(v.align, 16));
            program.variableAddresses.emplace(v.name, address);
            program.image.emplace_back(&v, address);
            next = address + v.sizeBytes + 4096;
        }
    }
    program.staticSharedBytes = shared;
}

/// Unsized `extern .shared` arrays all begin where static shared memory ends.
void layOutDynamicShared(Program& program) {
    std::uint64_t align = 16;
    auto isDynamic = [](const ptx::Variable& v) { return v.space == StateSpace::shared && v.isUnsized; };
    for (const ptx::Variable& v : program.module->variables)
        if (isDynamic(v)) align = std::max<std::uint64_t>(align, v.align);
    const std::uint64_t start = alignUp(program.staticSharedBytes, align);
    bool any = false;
    for (const ptx::Variable& v : program.module->variables)
        if (isDynamic(v)) {
            program.variableAddresses[v.name] = start;
            any = true;
        }
    if (any) program.staticSharedBytes = static_cast<std::uint32_t>(start);
}

void layOutFunction(Program& program, DecodedFunction& function) {
    std::uint32_t local = 0;
    auto inFrame = [&local](const ptx::Variable& v) {
        local = static_cast<std::uint32_t>(alignUp(local, v.align));
        const std::uint32_t at = local;
        local += static_cast<std::uint32_t>(v.sizeBytes);
        return at;
    };
    const ptx::Function& source = *function.source;
    for (const ptx::Variable& v : source.variables) {
        std::uint64_t at = 0;
        if (v.space == StateSpace::local || v.space == StateSpace::param) {
            at = inFrame(v);
        } else if (v.space == StateSpace::shared && !v.isUnsized) {
            program.staticSharedBytes = static_cast<std::uint32_t>(alignUp(program.staticSharedBytes, v.align));
            at = program.staticSharedBytes;
            program.staticSharedBytes += static_cast<std::uint32_t>(v.sizeBytes);
        }
        function.variableOffsets.push_back(at);
    }
    if (!source.isEntry) {
        for (const ptx::Variable& v : source.parameters) function.parameterOffsets.push_back(inFrame(v));
        for (const ptx::Variable& v : source.results) function.resultOffsets.push_back(inFrame(v));
    }
    function.localBytes = static_cast<std::uint32_t>(alignUp(local, 16));
}

void layOutParameters(Program& program, const ptx::Function& entry) {
    std::uint32_t offset = 0;
    for (const ptx::Variable& v : entry.parameters) {
        offset = static_cast<std::uint32_t>(alignUp(offset, v.align));
        program.parameters.push_back({v.name, offset, static_cast<std::uint32_t>(v.sizeBytes)});
        offset += static_cast<std::uint32_t>(v.sizeBytes);
    }
    program.parameterBytes = offset;
}

/// The functions with a body that `entry` reaches by calls or whose address it or a variable takes, itself first.
std::vector<const ptx::Function*> reached(const ptx::Module& module, const ptx::Function& entry) {
    std::vector<const ptx::Function*> out{&entry};
    std::set<std::string_view> seen{entry.name};
    const auto reach = [&](std::string_view name) {
        for (const ptx::Function& f : module.functions)
            if (f.hasBody && !f.isEntry && f.name == name && seen.insert(name).second) out.push_back(&f);
    };
    for (const ptx::Variable& v : module.variables)
        for (const ptx::Relocation& r : v.relocations) reach(r.symbol);
    for (std::size_t i = 0; i < out.size(); ++i)
        for (const ptx::Instruction& instruction : out[i]->instructions)
            for (const ptx::Operand& operand : out[i]->operandsOf(instruction))
                if (operand.kind == ptx::OperandKind::function) reach(module.functions[operand.symbol].name);
    return out;
}

/// The loads in front of loops of compare-and-swap: the CUDA Programming Guide's way to any atomic operation begins
/// with a plain load of what other threads may be changing, and no harm comes of a value that the swap then refuses.
void markFirstGuesses(DecodedFunction& function) {
    std::vector<Slot> compared;
    for (const AtomicOp& a : function.atomics)
        if (a.kind == AtomicKind::cas) compared.push_back(a.b.slot);
    if (compared.empty()) return;
    const auto isCompared = [&](Slot slot) { return std::ranges::find(compared, slot) != compared.end(); };
    for (bool grown = true; grown;) {
        grown = false;
        for (const MicroOp& op : function.code) {
            const bool copies = op.kind == Kind::lanes &&
                                (op.lanes == laneFunction(Lane::copy32) || op.lanes == laneFunction(Lane::copy64));
            if (!copies || !isCompared(op.d) || isCompared(op.a)) continue;
            compared.push_back(op.a);
            grown = true;
        }
    }
    for (MemoryOp& m : function.memory) m.firstGuess = m.count == 1 && isCompared(m.values[0].slot);
}

void decodeFunction(Program& program, ConstantPool& constants, DecodedFunction& function) {
    Emitter e(program, constants, function);
    const auto count = static_cast<std::uint32_t>(function.source->instructions.size());
    std::vector<std::uint32_t> starts(count + 1);
    for (std::uint32_t i = 0; i < count; ++i) {
        starts[i] = static_cast<std::uint32_t>(function.code.size());
        e.begin(i);
        const bool known = decodeMixedForms(e) || decodeHalf(e) || decodeArithmetic(e) || decodeBits(e) ||
                           decodeCompare(e) || decodeConversion(e) || decodeCluster(e) || decodeMemory(e) ||
                           decodeAsync(e) || decodeTexture(e) || decodeMatrix(e) || decodeWgmma(e) || decodeControl(e);
        if (!known) e.unsupported(fmt::format("the emulator has no {} in this form", e.instructionText()));
        e.finish();
    }
    starts[count] = static_cast<std::uint32_t>(function.code.size());
    // A body that ends without ret returns: so does the hardware's code.
    MicroOp end;
    end.kind = function.source->isEntry ? Kind::exit : Kind::ret;
    end.first = false;
    end.instruction = count ? count - 1 : 0;
    function.code.push_back(end);
    for (MicroOp& op : function.code)
        if (op.kind == Kind::branch) op.immediate = starts[static_cast<std::size_t>(op.immediate)];
    for (auto& targets : function.targetLists)
        for (std::uint32_t& target : targets) target = starts[target];
    std::vector<SlotRef>& slots = function.registerSlots;
    for (ptx::Index r = 0; r < function.source->registerCount; ++r) slots.push_back(e.reg(r));
    markRegisterChecks(function, slots);
    markFragmentUses(function);
    markFirstGuesses(function);
}

/// Whether a thread block may learn from memory what another one did, and the smallest accesses to shared and to global
/// memory.
void surveyMemory(Program& program) {
    std::uint32_t granule = 4;
    std::uint32_t globalGranule = 4;
    for (const DecodedFunction& f : program.functions) {
        for (const MemoryOp& m : f.memory) {
            const bool shared = m.space == StateSpace::shared || m.space == StateSpace::none;
            if (shared) granule = std::min<std::uint32_t>(granule, m.bytes);
            const bool global = m.space == StateSpace::global || m.space == StateSpace::none;
            if (m.strong && global) program.ordersBlocks = true;
            if (global) globalGranule = std::min<std::uint32_t>(globalGranule, m.bytes);
        }
        for (const AtomicOp& a : f.atomics) {
            if (a.space != StateSpace::shared) program.ordersBlocks = true;
            granule = std::min(granule, ptx::sizeBytes(a.type));
            if (a.space != StateSpace::shared) globalGranule = std::min(globalGranule, ptx::sizeBytes(a.type));
        }
        // The texels of a surface are not known before the launch.
        for (const TextureOp& t : f.textures)
            if (t.kind == TextureOp::Kind::load || t.kind == TextureOp::Kind::store) globalGranule = 1;
        for (const BulkOp& b : f.bulkCopies) {
            if (b.reduces) program.ordersBlocks = true;
            // The elements of a tensor map are not known before the launch.
            if (b.toGlobal && (b.rank || b.byteMask != noSlot))
                globalGranule = 1;
            else if (b.reduces)
                globalGranule = std::min(globalGranule, ptx::sizeBytes(b.reduce.type));
        }
    }
    program.sharedGranule = granule;
    program.globalGranule = globalGranule;
}

} // namespace

Expected<std::shared_ptr<const Program>> decode(std::shared_ptr<const ptx::Module> module, std::string_view entry) {
    if (module->hasErrors())
        return failure(
            Cause::rejected,
            fmt::format("{} has errors and cannot be run", module->name.empty() ? "the module" : module->name),
            "`ptxwb check` lists them");
    const ptx::Function* source = module->function(entry);
    if (!source || !source->isEntry || !source->hasBody) {
        std::string names;
        for (const ptx::Function* f : module->entries())
            names += fmt::format("{}{}", names.empty() ? "" : ", ", f->name);
        return failure(Cause::badRequest, fmt::format("there is no entry \"{}\"", entry),
                       names.empty() ? "the module has no entry at all" : "entries: " + names);
    }
    auto program = std::make_shared<Program>();
    program->module = module;
    const auto functions = reached(*module, *source);
    if (auto fits = checkSizes(*module, functions); !fits) return std::unexpected(std::move(fits.error()));
    layOutModule(*program);
    for (const ptx::Function* f : functions) {
        program->functions.emplace_back().source = f;
        layOutFunction(*program, program->functions.back());
        program->variableAddresses.emplace(f->name, functionAddress(program->functions.size() - 1));
    }
    layOutDynamicShared(*program);
    layOutParameters(*program, *source);
    for (const auto& [variable, address] : program->image)
        for (const ptx::Relocation& r : variable->relocations)
            if (!program->variableAddresses.contains(r.symbol))
                return failure(
                    Cause::rejected,
                    fmt::format("the initialiser of {} takes the address of {}, which the emulator does not lay out",
                                variable->name, r.symbol),
                    "the addresses of functions without a body and of external variables are not supported here");
    ConstantPool constants(program->constants);
    for (DecodedFunction& f : program->functions) decodeFunction(*program, constants, f);
    surveyMemory(*program);
    return program;
}

std::vector<ParameterLayout> parameterLayout(const Program& program) {
    return program.parameters;
}
std::uint32_t parameterBytes(const Program& program) {
    return program.parameterBytes;
}
std::uint32_t staticSharedBytes(const Program& program) {
    return program.staticSharedBytes;
}

} // namespace ptxwb::emulator
