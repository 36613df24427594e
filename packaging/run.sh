#!/usr/bin/env bash
# From a fresh checkout to the running program: installs what the build needs, builds the release preset and opens the
# window on the saxpy example. Without a display, or without the window in this build, it prints the verdicts of the
# same example instead.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages
configure_and_build release -DPTXWB_TESTS=OFF

window="$root/build/release/bin/ptx-workbench"
command_line="$root/build/release/bin/ptxwb"
if [[ -x $window && -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]]; then
    say "starting the window: $window saxpy --verify"
    exec "$window" saxpy --verify
fi

if [[ -x $window ]]; then
    say "no display (DISPLAY, WAYLAND_DISPLAY and QT_QPA_PLATFORM are not set): ptxwb verify saxpy"
else
    say "this build has no window: ptxwb verify saxpy"
fi
# The example holds wrong candidates on purpose, so status 1 (a candidate failed) is what it should be; 3 says that
# something is missing here, for instance ptxas.
status=0
"$command_line" verify saxpy || status=$?
case $status in
0 | 1 | 3) exit 0 ;;
*) exit "$status" ;;
esac
