// golden_generate FORMS FOLDER: writes the kernels of every group as FOLDER/<group>.ptx and counts the forms.
#include "forms.h"
#include "support/files.h"

#include <cstdio>
#include <fmt/format.h>

using namespace ptxwb;

int main(int count, char** arguments) {
    if (count != 3) {
        std::fprintf(stderr, "usage: golden_generate forms.txt FOLDER\n");
        return 2;
    }
    const auto groups = golden::readForms(arguments[1]);
    if (!groups) {
        std::fprintf(stderr, "%s\n", format(groups.error()).c_str());
        return 1;
    }
    std::size_t forms = 0;
    for (const golden::Group& group : *groups) {
        const std::string text = golden::kernelsOf(group.forms, std::max(group.arch, 80));
        const auto written = writeFileAtomically(std::filesystem::path(arguments[2]) / (group.name + ".ptx"), text);
        if (!written) {
            std::fprintf(stderr, "%s\n", format(written.error()).c_str());
            return 1;
        }
        std::printf("%-16s %5zu forms, sm_%d\n", group.name.c_str(), group.forms.size(), group.arch);
        forms += group.forms.size();
    }
    std::printf("%zu forms, %zu tuples each\n", forms, golden::tuples);
}
