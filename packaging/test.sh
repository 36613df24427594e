#!/usr/bin/env bash
# What continuous integration runs: installs what the build needs, builds the ci preset (warnings are errors) and runs
# every test but the measuring ones. Ends with ctest's status; its closing lines are the last that is printed.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages
configure_and_build ci

say "testing: ctest --preset ci --label-exclude bench"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
status=0
ctest --preset ci --label-exclude bench --parallel "$(nproc)" 2>&1 | tee "$log" || status=$?
say "ctest ended with status $status"
# From "N% tests passed" on: figures, labels, and the tests that failed or were skipped.
sed -n '/tests passed/,$p' "$log"
exit "$status"
