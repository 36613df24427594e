// kernels_record FOLDER FILE [--compare | --values INTO]: runs every kernel of FOLDER on the first GPU and writes FILE,
// or compares the GPU with it. INTO gets the bytes of every output as LAUNCH.BUFFER, to look at a difference: exact
// answers are kept as digests only. Ends with 77 where there is no GPU, with 1 where a kernel fails or an answer
// differs.
#include "cases.h"

#include "gpu/gpu.h"
#include "ptx/parse.h"
#include "support/files.h"
#include "toolchain/discover.h"
#include "toolchain/ptxas.h"
#include "verify/gpu_executor.h"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

using namespace ptxwb;

namespace {

constexpr int notHere = 77;

struct Machine {
    std::filesystem::path values; ///< where the bytes of outputs go; empty: nowhere
    std::unique_ptr<gpu::Gpu> gpu;
    std::optional<toolchain::Toolkit> toolkit; ///< empty: the driver compiles the PTX
};

/// What is printed to file descriptor 1 while it lives: the driver writes a kernel's printf there.
class PrintCapture {
public:
    explicit PrintCapture(const std::filesystem::path& file) : m_file(file) {
        std::fflush(stdout);
        m_stdout = dup(STDOUT_FILENO);
        const int fd = open(file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
        dup2(fd, STDOUT_FILENO);
        close(fd);
    }
    std::string end() {
        std::fflush(stdout);
        if (m_stdout < 0) return {};
        dup2(m_stdout, STDOUT_FILENO);
        close(m_stdout);
        m_stdout = -1;
        return readFile(m_file).value_or("");
    }
    ~PrintCapture() { end(); }
    PrintCapture(const PrintCapture&) = delete;
    PrintCapture& operator=(const PrintCapture&) = delete;

private:
    std::filesystem::path m_file;
    int m_stdout = -1;
};

Expected<std::string> imageOf(const Machine& machine, const kernels::Case& one) {
    if (!machine.toolkit) return one.ptx;
    toolchain::PtxasRequest request;
    request.text = one.ptx;
    request.file = one.ptxFile;
    request.arch = verify::archFor(*ptx::parse(one.ptx, one.ptxFile), machine.gpu->device());
    auto assembled = toolchain::assemble(request, *machine.toolkit);
    if (!assembled) return std::unexpected(std::move(assembled.error()));
    if (!assembled->ok) return failure(Cause::rejected, assembled->log);
    return std::move(assembled->cubin);
}

struct Launched {
    std::vector<std::vector<std::uint8_t>> buffers;
    std::string printed;
};

/// One launch of a freshly loaded module, with outputs that hold the pattern.
Expected<Launched> launch(const Machine& machine, const kernels::Case& one, const std::string& image,
                          kernel::Poison pattern, const std::filesystem::path& scratch) {
    const auto loaded = machine.gpu->load(image, one.data.entry);
    if (!loaded) return std::unexpected(loaded.error());
    std::vector<kernel::Buffer> buffers = one.data.buffers;
    for (kernel::Buffer& buffer : buffers)
        if (buffer.access == kernel::Access::out) kernel::poison(buffer, pattern);
    gpu::LaunchRequest request = verify::launchRequest(one.data);
    request.placement = pattern == kernel::Poison::first ? gpu::Placement::flush : gpu::Placement::exact;
    for (const kernel::Buffer& buffer : buffers)
        request.buffers.push_back(
            {buffer.bytes, buffer.align,
             buffer.access == kernel::Access::in ? gpu::Access::readOnly : gpu::Access::readWrite});
    PrintCapture capture(scratch / "printed");
    auto result = machine.gpu->launch(**loaded, request);
    std::string printed = capture.end();
    if (!result) return std::unexpected(std::move(result.error()));
    if (result->ended != gpu::Ended::completed)
        return failure(Cause::rejected, result->ended == gpu::Ended::timedOut ? "the kernel hangs" : result->problem);
    if (!result->damage.empty())
        return failure(Cause::rejected, one.data.buffers[result->damage[0].buffer].name + ": written outside of it");
    return Launched{std::move(result->buffers), std::move(printed)};
}

/// Two launches over two patterns must leave the same bytes: every element is written, and the answer repeats.
Expected<kernels::Answer> answer(const Machine& machine, const kernels::Case& one,
                                 const std::filesystem::path& scratch) {
    const auto image = imageOf(machine, one);
    if (!image) return std::unexpected(image.error());
    const auto first = launch(machine, one, *image, kernel::Poison::first, scratch);
    if (!first) return std::unexpected(first.error());
    const auto second = launch(machine, one, *image, kernel::Poison::second, scratch);
    if (!second) return std::unexpected(second.error());
    for (std::size_t i = 0; i < first->buffers.size(); ++i) {
        if (one.data.buffers[i].access == kernel::Access::scratch || first->buffers[i] == second->buffers[i]) continue;
        const auto [a, b] =
            std::mismatch(first->buffers[i].begin(), first->buffers[i].end(), second->buffers[i].begin());
        return failure(Cause::rejected, fmt::format("{}: byte {} differs from launch to launch or was never written",
                                                    one.data.buffers[i].name, a - first->buffers[i].begin()));
    }
    if (first->printed != second->printed) return failure(Cause::rejected, "what is printed differs");
    for (std::size_t i = 0; i < first->buffers.size() && !machine.values.empty(); ++i) {
        const auto& bytes = first->buffers[i];
        if (one.data.buffers[i].access == kernel::Access::in) continue;
        const auto written =
            writeFileAtomically(machine.values / fmt::format("{}.{}", one.title, one.data.buffers[i].name),
                                std::string(bytes.begin(), bytes.end()));
        if (!written) return std::unexpected(written.error());
    }
    return kernels::answerOf(one, first->buffers, first->printed);
}

std::string headerOf(const Machine& machine) {
    const gpu::Device& device = machine.gpu->device();
    const std::time_t now = std::time(nullptr);
    char date[16] = {};
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    return fmt::format("# What the kernels of this folder write on a GPU. Made by kernels_record.\n"
                       "# {}, {}, driver {}, {}, {}\n",
                       device.name, device.arch(), gpu::driverRelease(),
                       machine.toolkit ? "ptxas " + machine.toolkit->version : std::string("the driver's compiler"),
                       date);
}

/// The number of kernels that failed or, where `old` is given, differ from it.
int recordAll(const Machine& machine, const std::vector<kernels::Case>& cases, const kernels::Recording* old,
              const std::filesystem::path& scratch, kernels::Recording& recording) {
    int bad = 0;
    for (const kernels::Case& one : cases) {
        const auto now = answer(machine, one, scratch);
        std::vector<std::string> problems;
        if (!now) problems.push_back(now.error().message);
        const kernels::Answer* recorded = old ? old->find(one.title) : nullptr;
        if (now && recorded) problems = kernels::differences(one, *recorded, *now);
        bad += problems.empty() ? 0 : 1;
        std::printf("%-40s %s\n", one.title.c_str(), problems.empty() ? "ok" : problems[0].c_str());
        if (now) recording.answers.push_back(*now);
        if (!machine.gpu->isLost()) continue;
        std::printf("the GPU's context is lost: the kernels behind this one did not run\n");
        return bad + 1;
    }
    return bad;
}

} // namespace

int main(int count, char** arguments) {
    const bool comparing = count == 4 && std::strcmp(arguments[3], "--compare") == 0;
    const bool keeping = count == 5 && std::strcmp(arguments[3], "--values") == 0;
    if (count != 3 && !comparing && !keeping) {
        std::fprintf(stderr, "usage: kernels_record FOLDER FILE [--compare | --values INTO]\n");
        return 2;
    }
    const auto cases = kernels::readCases(arguments[1]);
    if (!cases) {
        std::fprintf(stderr, "%s\n", format(cases.error()).c_str());
        return 2;
    }
    const auto old = comparing ? kernels::readRecording(arguments[2]) : kernels::Recording{};
    const auto scratch = TemporaryFolder::create();
    if (!old || !scratch) {
        std::fprintf(stderr, "%s\n", format(old ? scratch.error() : old.error()).c_str());
        return 2;
    }
    Machine machine;
    if (keeping) machine.values = arguments[4];
    auto opened = gpu::Gpu::open({});
    if (!opened) {
        std::printf("skipped: %s\n", opened.error().message.c_str());
        return notHere;
    }
    machine.gpu = std::move(*opened);
    if (const auto tools = toolchain::discover())
        for (const auto& toolkit : tools->toolkits)
            if (toolkit.ptxas && !machine.toolkit) machine.toolkit = toolkit;
    kernels::Recording recording{headerOf(machine), {}};
    std::printf("%s", recording.header.c_str());
    const int bad = recordAll(machine, *cases, comparing ? &*old : nullptr, scratch->path(), recording);
    std::printf("%zu of %zu launches, %d bad\n", recording.answers.size(), cases->size(), bad);
    if (!comparing)
        if (const auto written = writeFileAtomically(arguments[2], kernels::textOf(recording)); !written) {
            std::fprintf(stderr, "%s\n", format(written.error()).c_str());
            return 2;
        }
    return bad == 0 ? 0 : 1;
}
