# What run.sh and test.sh share: where the tree is, and the packages that a build needs. Sourced, not run.
# shellcheck shell=bash
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"

say() {
    printf '== %s\n' "$*" >&2
}

# Where a package has another name in another release, the names are separated by "|": any of them will do.
packages=(
    build-essential cmake ninja-build ccache pkg-config
    libfmt-dev libcli11-dev nlohmann-json3-dev libssl-dev libcurl4-openssl-dev libvalijson-dev libpugixml-dev
    qt6-base-dev "qt6-svg-dev|libqt6svg6-dev" "qt6-charts-dev|libqt6charts6-dev" "libqt6opengl6-dev|qt6-base-dev"
    libqscintilla2-qt6-dev qtkeychain-qt6-dev
)

is_installed() {
    [[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

# The first of the names in "$1" that apt can install; the first name of all where apt knows none.
name_for_apt() {
    local name names
    IFS='|' read -ra names <<<"$1"
    for name in "${names[@]}"; do
        if apt-cache show "$name" >/dev/null 2>&1; then
            printf '%s\n' "$name"
            return
        fi
    done
    printf '%s\n' "${names[0]}"
}

# Prints one line for each entry of `packages` that is not installed under any of its names.
missing_packages() {
    local entry name names found
    for entry in "${packages[@]}"; do
        IFS='|' read -ra names <<<"$entry"
        found=no
        for name in "${names[@]}"; do
            if is_installed "$name"; then found=yes; fi
        done
        if [[ $found == no ]]; then printf '%s\n' "$entry"; fi
    done
}

# Says what is missing and ends with status 3, as ptxwb does when a machine lacks something.
give_up() {
    say "$1"
    say "these packages are missing: ${*:2}"
    say "install them (or what your distribution calls them) and start this script again"
    exit 3
}

# Installs what is missing. Asks apt nothing where all is there, so that a machine without a network works.
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "no dpkg here: only Debian 12 and Ubuntu 24.04 are set up by this script; going on with what is installed"
        return
    fi

    local entries entry missing=() become=()
    mapfile -t entries < <(missing_packages)
    if [[ ${#entries[@]} -eq 0 ]]; then
        say "all packages are installed"
        return
    fi

    local id="" version_id=""
    if [[ -r /etc/os-release ]]; then
        # shellcheck disable=SC1091
        id="$(. /etc/os-release && printf '%s' "${ID:-}")"
        # shellcheck disable=SC1091
        version_id="$(. /etc/os-release && printf '%s' "${VERSION_ID:-}")"
    fi
    case "$id $version_id" in
    "debian 12" | "ubuntu 24.04") ;;
    *) say "tried on Debian 12 and Ubuntu 24.04, this is ${id:-unknown} ${version_id:-}: package names may differ" ;;
    esac

    command -v apt-get >/dev/null || give_up "there is no apt-get on this machine" "${entries[@]}"
    if [[ $EUID -ne 0 ]]; then
        command -v sudo >/dev/null || give_up "installing needs root, and there is no sudo" "${entries[@]}"
        become=(sudo)
    fi

    say "installing with apt: ${entries[*]}"
    "${become[@]}" apt-get update || give_up "apt-get update failed (no network?)" "${entries[@]}"
    for entry in "${entries[@]}"; do missing+=("$(name_for_apt "$entry")"); done
    "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" ||
        give_up "apt-get could not install them" "${missing[@]}"
}

# configure_and_build PRESET [CMAKE OPTION]...
configure_and_build() {
    cd "$root"
    say "configuring: cmake --preset $*"
    cmake --preset "$@"
    say "building: cmake --build --preset $1"
    cmake --build --preset "$1"
}
