// Steps of the warp stepper: through 10,000 recorded instructions forward and back, with all its views painted.
// Run by hand. On a busy machine the processor's time of a step is the figure to look at.
#include "../ui/models/recordings.h"
#include "editors/code_pane.h"
#include "panels/warp_panel.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTabWidget>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace ptxwb;
using namespace ptxwb::ui;

namespace {

double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

/// Every step with the paints that it asks for.
template <class Step>
void measure(const char* what, std::uint32_t count, Step step) {
    std::vector<double> wall, processor;
    for (std::uint32_t i = 0; i < count; ++i) {
        QElapsedTimer clock;
        clock.start();
        const double before = threadMilliseconds();
        step();
        QCoreApplication::processEvents(QEventLoop::AllEvents);
        wall.push_back(double(clock.nsecsElapsed()) * 1e-6);
        processor.push_back(threadMilliseconds() - before);
    }
    std::ranges::sort(wall);
    std::ranges::sort(processor);
    const auto at = [](const std::vector<double>& all, double share) {
        return all[std::min(all.size() - 1, std::size_t(double(all.size()) * share))];
    };
    std::printf(
        "%-36s %6u steps: median %5.2f ms, 99 %% under %5.2f ms, longest %6.2f ms; processor %5.2f, %5.2f, %6.2f ms\n",
        what, count, at(wall, 0.5), at(wall, 0.99), wall.back(), at(processor, 0.5), at(processor, 0.99),
        processor.back());
}

/// As many registers as a large kernel has.
std::string wideKernel(int registers, int rounds) {
    std::string text = test::barrierKernel(rounds);
    std::string more;
    for (int i = 0; i < registers; ++i) more += "    mov.u32 %w" + std::to_string(i) + ", %t;\n";
    text.insert(text.find("    shl.b32"), more);
    text.insert(text.find("    .reg .f32"), "    .reg .b32 %w<" + std::to_string(registers) + ">;\n");
    return text;
}

void run(const char* name, const std::string& text) {
    QElapsedTimer clock;
    clock.start();
    RecordedWarp warp = test::recordWarp(text);
    std::printf("%s: %zu steps recorded and prepared in %lld ms, %zu KiB of changes\n", name,
                warp.recording->steps.size(), static_cast<long long>(clock.elapsed()),
                warp.recording->log.size() / 1024);
    WarpReplay replay;
    WarpPanel panel(&replay);
    CodePane pane(Language::ptx, Access::readOnly, QStringLiteral("Candidate"));
    pane.setText(QByteArray::fromStdString(text));
    pane.resize(700, 800);
    pane.show();
    panel.resize(1600, 420);
    panel.show();
    QObject::connect(&replay, &WarpReplay::moved, &pane, [&] { pane.setStepLine(replay.line()); });
    replay.setWarp(std::move(warp));
    QTest::qWait(200);
    const std::uint32_t count = std::min(replay.steps(), 10'000U);
    for (int tab = 0; tab < panel.tabs().count(); ++tab) {
        panel.tabs().setCurrentIndex(tab);
        QTest::qWait(50);
        replay.moveTo(0);
        const QByteArray title = panel.tabs().tabText(tab).toUtf8();
        measure(("  forward, " + title).constData(), count, [&] { replay.forward(); });
        measure(("  back, " + title).constData(), count, [&] { replay.back(); });
    }
    measure("  from one end to the other", 20, [&] { replay.moveTo(replay.position() == 0 ? replay.steps() : 0); });
}

} // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    run("small kernel", test::barrierKernel(2'600));
    run("1,000 registers", wideKernel(1'000, 2'600));
    return 0;
}
