// golden_record FORMS FOLDER [--compare]: runs every form on the first GPU and writes FOLDER/<group>.txt, or compares
// the GPU with the files that are there. Ends with 77 where there is no GPU, with 1 where a comparison fails.
#include "forms.h"
#include "gpu/gpu.h"
#include "support/files.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fmt/format.h>

using namespace ptxwb;

namespace {

constexpr int notHere = 77;
using Words = std::vector<std::uint64_t>;

struct Machine {
    std::unique_ptr<gpu::Gpu> gpu;
    std::optional<toolchain::Toolkit> toolkit; ///< empty: the driver compiles the PTX
};

/// The module as the device takes it; empty (and the reason on stderr) where ptxas refuses it.
std::string imageOf(const Machine& machine, const std::vector<golden::Form>& forms, int arch) {
    std::string text = golden::kernelsOf(forms, arch);
    if (!machine.toolkit) return text;
    toolchain::PtxasRequest request;
    request.text = std::move(text);
    request.file = "forms.ptx";
    request.arch = machine.gpu->device().arch();
    const auto assembled = toolchain::assemble(request, *machine.toolkit);
    if (assembled && assembled->ok) return assembled->cubin;
    if (forms.size() == 1)
        std::fprintf(stderr, "%s\n%s\n", forms[0].text.c_str(),
                     assembled ? assembled->log.c_str() : format(assembled.error()).c_str());
    return {};
}

/// Runs entry number `entry` of the image on the form's operands.
std::optional<golden::Record> answer(const Machine& machine, const std::string& image, std::size_t entry,
                                     const golden::Form& form) {
    const auto kernel = machine.gpu->load(image, fmt::format("form{}", entry));
    if (!kernel) {
        std::fprintf(stderr, "%s\n%s\n", form.text.c_str(), format(kernel.error()).c_str());
        return std::nullopt;
    }
    golden::Record record{form.text, golden::operandsOf(form), {}};
    constexpr std::size_t each = golden::tuples * 8;
    std::vector<std::uint8_t> in(record.operands.size() * each), out(form.results.size() * each);
    for (std::size_t k = 0; k < record.operands.size(); ++k)
        std::memcpy(in.data() + k * each, record.operands[k].data(), each);
    gpu::LaunchRequest launch;
    launch.block = {golden::tuples, 1, 1};
    launch.parameters.assign(16, 0);
    launch.offsets = {0, 8};
    launch.patches = {{0, 0}, {8, 1}};
    launch.buffers = {{in, 16, gpu::Access::readOnly}, {out, 16, gpu::Access::readWrite}};
    const auto result = machine.gpu->launch(**kernel, launch);
    if (!result || result->ended != gpu::Ended::completed) {
        std::fprintf(stderr, "%s\n%s\n", form.text.c_str(),
                     result ? result->problem.c_str() : format(result.error()).c_str());
        return std::nullopt;
    }
    for (std::size_t k = 0; k < form.results.size(); ++k)
        std::memcpy(record.results.emplace_back(golden::tuples).data(), result->buffers[1].data() + k * each, each);
    return record;
}

/// All forms of a group. One module for all is quick; where ptxas refuses it, each form gets its own, so that one that
/// this ptxas does not know costs only itself.
std::vector<golden::Record> answers(const Machine& machine, const golden::Group& group) {
    const int arch = std::max(group.arch, 80);
    std::vector<golden::Record> out;
    const std::string image = imageOf(machine, group.forms, arch);
    for (std::size_t i = 0; i < group.forms.size() && !machine.gpu->isLost(); ++i) {
        const std::string own = image.empty() ? imageOf(machine, {group.forms[i]}, arch) : std::string();
        if (image.empty() && own.empty()) continue;
        if (auto record = answer(machine, image.empty() ? own : image, image.empty() ? 0 : i, group.forms[i]))
            out.push_back(std::move(*record));
    }
    return out;
}

std::string headerOf(const Machine& machine, const std::string& group) {
    const gpu::Device& device = machine.gpu->device();
    const std::time_t now = std::time(nullptr);
    char date[16] = {};
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    return fmt::format("# Golden vectors: {}. Each form's results by tuple of operands, in hexadecimal.\n"
                       "# {}, {}, driver {}, {}, {}\n",
                       group, device.name, device.arch(), gpu::driverRelease(),
                       machine.toolkit ? "ptxas " + machine.toolkit->version : std::string("the driver's compiler"),
                       date);
}

std::size_t compare(const golden::Group& group, const std::vector<golden::Record>& fresh,
                    const golden::Recording& recorded) {
    std::size_t different = 0;
    for (const golden::Form& form : group.forms) {
        const golden::Record* old = recorded.find(form.text);
        for (const golden::Record& now : fresh) {
            if (now.form != form.text || !old || old->operands != now.operands) continue;
            const auto lines = golden::differences(form, *old, now.results);
            different += lines.size();
            if (!lines.empty()) std::printf("  %s\n", lines[0].c_str());
        }
    }
    return different;
}

} // namespace

int main(int count, char** arguments) {
    const bool comparing = count == 4 && std::strcmp(arguments[3], "--compare") == 0;
    if (count != 3 && !comparing) {
        std::fprintf(stderr, "usage: golden_record forms.txt FOLDER [--compare]\n");
        return 2;
    }
    const auto groups = golden::readForms(arguments[1]);
    if (!groups) {
        std::fprintf(stderr, "%s\n", format(groups.error()).c_str());
        return 2;
    }
    Machine machine;
    auto opened = gpu::Gpu::open({});
    if (!opened) {
        std::printf("skipped: %s\n", opened.error().message.c_str());
        return notHere;
    }
    machine.gpu = std::move(*opened);
    if (const auto tools = toolchain::discover())
        for (const auto& toolkit : tools->toolkits)
            if (toolkit.ptxas && !machine.toolkit) machine.toolkit = toolkit;
    std::printf("%s\n", headerOf(machine, "all").c_str());
    const int capability = machine.gpu->device().major * 10 + machine.gpu->device().minor;
    bool good = true;
    std::size_t forms = 0, bytes = 0;
    for (const golden::Group& group : *groups) {
        if (group.arch > capability) {
            std::printf("%-16s needs sm_%d\n", group.name.c_str(), group.arch);
            continue;
        }
        const auto start = std::chrono::steady_clock::now();
        const std::filesystem::path file = std::filesystem::path(arguments[2]) / (group.name + ".txt");
        const golden::Recording recording{headerOf(machine, group.name), answers(machine, group)};
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::printf("%-16s %4zu of %4zu forms, %5.1f s", group.name.c_str(), recording.records.size(),
                    group.forms.size(), seconds);
        forms += recording.records.size();
        if (comparing) {
            const auto recorded = golden::readRecording(file);
            const std::size_t different = recorded ? compare(group, recording.records, *recorded) : 0;
            std::printf(", %zu tuples differ%s\n", different, recorded ? "" : " (nothing is recorded)");
            good &= different == 0;
            continue;
        }
        const std::string text = golden::textOf(recording, group);
        bytes += text.size();
        std::printf(", %zu bytes\n", text.size());
        if (const auto written = writeFileAtomically(file, text); !written) {
            std::fprintf(stderr, "%s\n", format(written.error()).c_str());
            return 2;
        }
        if (machine.gpu->isLost()) {
            std::fprintf(stderr, "the GPU's context is lost\n");
            return 2;
        }
    }
    std::printf("%zu forms, %zu tuples each, %zu bytes\n", forms, golden::tuples, bytes);
    return good ? 0 : 1;
}
