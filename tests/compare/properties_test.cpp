// What holds for every pair of texts, tried on thousands of small random kernels; and two edits that people make, in
// large ones.
#include "checks.h"
#include "random_kernel.h"

using namespace ptxwb::compare;
using namespace ptxwb::compare::test;

namespace {

bool isLoad(const std::string& line) {
    return line.starts_with("\tld.global.f32");
}

/// Between a load and `steps` lines before it: no label, branch or barrier, nothing that writes what its address is
/// made of or mentions what it loads.
bool canRise(const std::vector<std::string>& lines, std::size_t at, std::size_t steps) {
    const std::string& load = lines[at];
    const std::size_t name = load.find('%'), comma = load.find(','), base = load.find('[');
    const std::string result = load.substr(name, comma - name);
    const std::string address = load.substr(base + 1, load.find_first_of("+]", base) - base - 1);
    for (std::size_t i = at - steps; i < at; ++i) {
        const std::string& line = lines[i];
        if (line.empty() || line[0] != '\t' || line.find("bra") != std::string::npos ||
            line.find("bar.") != std::string::npos || line.find("st.") != std::string::npos || line[1] == '@' ||
            line.find(".reg") != std::string::npos)
            return false;
        const auto mentions = [&](const std::string& reg) {
            for (std::size_t p = line.find(reg); p != std::string::npos; p = line.find(reg, p + 1))
                if (!std::isdigit(static_cast<unsigned char>(line[p + reg.size()]))) return true;
            return false;
        };
        if (mentions(result) || mentions(address)) return false;
    }
    return true;
}

} // namespace

class PropertiesTest : public QObject {
    Q_OBJECT

private slots:
    void renamingIsNoChange() {
        for (std::uint64_t seed = 0; seed < 1500; ++seed) {
            Random random(seed);
            const std::string text = KernelWriter(seed, seed % 2 ? Reuse::often : Reuse::never).write(20 + seed % 60);
            const std::string right = seed % 5 == 0 ? renameSingly(text, random) : renamePermuted(text, random);
            const Comparison c = compareTexts(text, right);
            if (!c.same || c.counts.changes() != 0) QFAIL(("seed " + std::to_string(seed) + ": " + summary(c)).c_str());
        }
    }

    void anyMutationIsAChange() {
        int different = 0;
        for (std::uint64_t seed = 0; seed < 2500; ++seed) {
            Random random(seed);
            const std::string text = KernelWriter(seed, seed % 3 ? Reuse::never : Reuse::often).write(20 + seed % 50);
            const std::string mutant = mutate(text, mutations[seed % std::size(mutations)], random);
            if (mutant.empty()) continue;
            const std::string right = seed % 2 ? renamePermuted(mutant, random) : mutant;
            const bool same = sameByDefinition(text, right);
            different += !same;
            const Comparison c = compareTexts(text, right);
            if (c.same != same || (c.counts.changes() >= 1) == same)
                QFAIL(("seed " + std::to_string(seed) + ": " + summary(c)).c_str());
        }
        QVERIFY2(different > 1500, std::to_string(different).c_str());
    }

    void aHoistedLoadIsOneMove() {
        int hoisted = 0;
        for (std::uint64_t seed = 0; seed < 120; ++seed) {
            Random random(seed);
            const std::string text = KernelWriter(seed, Reuse::never).write(300);
            std::vector<std::string> lines = splitLines(text);
            for (std::size_t at = lines.size() - 1; at > 40; --at) {
                const std::size_t steps = 4 + random.below(12);
                if (!isLoad(lines[at]) || !canRise(lines, at, steps)) continue;
                std::rotate(lines.begin() + static_cast<std::ptrdiff_t>(at - steps),
                            lines.begin() + static_cast<std::ptrdiff_t>(at),
                            lines.begin() + static_cast<std::ptrdiff_t>(at + 1));
                const std::string right = joinLines(lines);
                const Comparison c = compareTexts(text, right);
                COMPARE_IS_SOUND(c, text, right);
                if (c.counts.of(RowClass::moved) != 1 || c.counts.changes() != 1)
                    QFAIL(("seed " + std::to_string(seed) + ": " + summary(c)).c_str());
                ++hoisted;
                break;
            }
        }
        QVERIFY2(hoisted > 30, std::to_string(hoisted).c_str());
    }

    void anEarlyReturnTouchesFewRows() {
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            Random random(seed);
            const std::string text = KernelWriter(seed, Reuse::never).write(10'000);
            std::vector<std::string> lines = splitLines(text);
            std::size_t at = 40;
            while (!lines[at].starts_with("\tadd")) ++at;
            const char* added[] = {"\tsetp.ge.u32 \t%p0, %r1, 1000;", "\t@%p0 bra \t$L_early;", "\tret;", "$L_early:"};
            lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::begin(added), std::end(added));
            const std::string right = seed % 2 ? renamePermuted(joinLines(lines), random) : joinLines(lines);
            const Comparison c = compareTexts(text, right);
            COMPARE_IS_SOUND(c, text, right);
            QVERIFY2(c.counts.changes() >= 1 && c.counts.changes() < 50, summary(c).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(PropertiesTest)
#include "properties_test.moc"
