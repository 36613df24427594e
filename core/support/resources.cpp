#include "support/resources.h"

#include "support/environment.h"

#include <algorithm>

namespace ptxwb {

namespace fs = std::filesystem;

fs::path programFile() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error);
}

fs::path resourcesFolder() {
    if (const auto given = environmentVariable("PTXWB_RESOURCES")) return *given;
    const fs::path bin = programFile().parent_path();
    std::error_code error;
    for (const fs::path& folder :
         {bin / "../share/ptx-workbench", bin / "../../../resources", fs::path(PTXWB_RESOURCES_FOLDER)})
        if (fs::is_directory(folder / "examples", error)) return fs::weakly_canonical(folder, error);
    return PTXWB_RESOURCES_FOLDER;
}

fs::path examplesFolder() {
    return resourcesFolder() / "examples";
}

bool isInside(const fs::path& file, const fs::path& folder) {
    if (folder.empty()) return false;
    std::error_code error;
    const fs::path inner = fs::weakly_canonical(file, error), outer = fs::weakly_canonical(folder, error);
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

} // namespace ptxwb
