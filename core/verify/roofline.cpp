#include "verify/roofline.h"

#include "kernel/reference.h"
#include "support/files.h"
#include "support/json_fields.h"
#include "verify/context.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ptxwb::verify {

namespace {

using nlohmann::json;
using ptx::Modifier;
using ptx::Opcode;
using ptx::ScalarType;

std::filesystem::path cacheFile(const Context& context, const gpu::Device& device) {
    std::filesystem::path folder = context.machine.cacheFolder;
    if (folder.empty()) folder = kernel::defaultCacheFolder();
    if (folder.empty()) return {};
    return folder / "peaks" / fmt::format("{}-{}.json", device.uuid, gpu::driverRelease());
}

/// Nothing where there is no such file, or not ours: then it is measured again.
std::optional<gpu::Peaks> readPeaks(const std::filesystem::path& file) {
    const auto text = readFile(file);
    if (!text) return std::nullopt;
    const auto value = parseJson(*text);
    if (!value) return std::nullopt;
    gpu::Peaks peaks;
    JsonFields fields((JsonReader(*value)));
    fields.read("bytes_per_second", peaks.bytesPerSecond);
    const auto rates = JsonReader(*value).at("operations_per_second");
    const auto members = rates ? rates->members() : std::unexpected(rates.error());
    if (!members) return std::nullopt;
    for (const auto& [rate, member] : *members) fields.take(member.number(), peaks.operationsPerSecond[rate]);
    if (!fields.result(true) || peaks.bytesPerSecond <= 0) return std::nullopt;
    return peaks;
}

void writePeaks(const std::filesystem::path& file, const gpu::Device& device, const gpu::Peaks& peaks) {
    std::error_code ignored; // without a cache it is measured the next time too
    std::filesystem::create_directories(file.parent_path(), ignored);
    const json value{{"device", device.name},
                     {"driver", gpu::driverRelease()},
                     {"bytes_per_second", peaks.bytesPerSecond},
                     {"operations_per_second", peaks.operationsPerSecond}};
    (void)writeFileAtomically(file, value.dump(2) + "\n");
}

/// "f16" of the operands of a tensor core's product; empty for one whose peak is not measured.
std::string_view productType(const ptx::Function& function, const ptx::Instruction& instruction) {
    std::string_view found;
    for (const ptx::ModifierUse& word : function.modifiersOf(instruction)) {
        if (word.id == Modifier::sp) return {};
        switch (word.type) {
        case ScalarType::f16:
        case ScalarType::bf16: found = "f16"; break;
        case ScalarType::tf32: found = "tf32"; break;
        case ScalarType::f64: found = "f64"; break;
        case ScalarType::s8:
        case ScalarType::u8: found = "s8"; break;
        case ScalarType::e4m3:
        case ScalarType::e5m2: found = "f8"; break;
        case ScalarType::f32: // wmma names the accumulators only where the operands are f16
            if (found.empty()) found = "f16";
            break;
        case ScalarType::none:
        case ScalarType::s32: break;
        default: return {};
        }
    }
    return found;
}

bool isArithmetic(Opcode opcode) {
    return opcode == Opcode::fma || opcode == Opcode::mad || opcode == Opcode::mul || opcode == Opcode::add ||
           opcode == Opcode::sub;
}

/// The name of an instruction's peak; nothing where it has none, "s32" where it does not count.
std::optional<std::string> rateOf(const ptx::Function& function, const ptx::Instruction& instruction) {
    const Opcode opcode = instruction.opcode;
    const bool isWgmma = opcode == Opcode::wgmma;
    if (opcode == Opcode::mma || opcode == Opcode::wmma || isWgmma) {
        const bool multiplies = opcode == Opcode::mma || function.has(instruction, Modifier::mma) ||
                                function.has(instruction, Modifier::mma_async);
        if (!multiplies) return "s32";
        const std::string_view type = productType(function, instruction);
        if (type.empty()) return std::nullopt;
        return fmt::format("{}.{}", isWgmma ? "wgmma" : "mma", type);
    }
    if (opcode == Opcode::tcgen05) return std::nullopt;
    if (opcode == Opcode::dp4a || opcode == Opcode::dp2a) return "dp4a";
    if (!isArithmetic(opcode)) return "s32";
    switch (function.typeOf(instruction)) {
    case ScalarType::f64: return "f64";
    case ScalarType::f16:
    case ScalarType::bf16:
    case ScalarType::f16x2:
    case ScalarType::bf16x2: return "f16x2";
    case ScalarType::f32x2: return std::nullopt;
    default: return "f32";
    }
}

} // namespace

Expected<gpu::Peaks> peaksOf(const Context& context, gpu::Gpu& gpu) {
    const auto file = cacheFile(context, gpu.device());
    if (!file.empty())
        if (auto known = readPeaks(file)) return std::move(*known);
    context.progress(Stage::benchmark, 0, 0, "measuring what the device reaches at most");
    auto peaks = gpu::measurePeaks(gpu, context.stop);
    if (peaks && !file.empty()) writePeaks(file, gpu.device(), *peaks);
    return peaks;
}

std::optional<ArithmeticPeak> arithmeticPeak(const ptx::Module& module, const gpu::Peaks& peaks) {
    ArithmeticPeak best;
    for (const ptx::Function& function : module.functions)
        for (const ptx::Instruction& instruction : function.instructions) {
            const auto rate = rateOf(function, instruction);
            if (!rate) return std::nullopt;
            const auto known = peaks.operationsPerSecond.find(*rate);
            if (known == peaks.operationsPerSecond.end()) return std::nullopt;
            if (known->second > best.operationsPerSecond) best = {*rate, known->second};
        }
    if (best.rate.empty()) return std::nullopt;
    return best;
}

Roofline rooflineOf(const Work& work, double seconds, const gpu::Peaks& peaks,
                    const std::optional<ArithmeticPeak>& arithmetic) {
    Roofline roofline;
    roofline.memoryPercent = work.bytes / peaks.bytesPerSecond / seconds * 100;
    if (arithmetic) {
        roofline.arithmeticPercent = work.operations / arithmetic->operationsPerSecond / seconds * 100;
        roofline.rate = arithmetic->rate;
    }
    return roofline;
}

} // namespace ptxwb::verify
