#!/usr/bin/env bash
# Pictures of the window with the saxpy example, made without a display: screenshots.sh [FOLDER]
# Every layout, light, dark and in high contrast, at 1x, 1.5x and 2x, and on a small screen (1280x720). Those of the
# README are in packaging/images, made anew by `packaging/screenshots.sh --readme`.
set -euo pipefail
# shellcheck source=packaging/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

readme=no
folder="$root/build/screenshots"
case "${1:-}" in
--readme) readme=yes ;;
"") ;;
*) folder="$1" ;;
esac

install_packages
cd "$root"
cmake --preset ci
cmake --build --preset ci --target screenshots review_screenshots
program="$root/build/ci/bin/screenshots"
review="$root/build/ci/bin/review_screenshots"

mkdir -p "$folder/1.5x" "$folder/2x"
export QT_QPA_PLATFORM=offscreen
for theme in light dark contrast; do
    "$program" "$folder" "$theme"
    "$program" "$folder" "$theme" 1280x720
    "$review" "$folder" "$theme"
    for scale in 1.5 2; do
        QT_SCALE_FACTOR=$scale "$program" "$folder/${scale}x" "$theme"
    done
done

if [[ $readme == yes ]]; then
    mkdir -p "$root/packaging/images"
    cp "$folder/light-finding.png" "$root/packaging/images/window-light.png"
    cp "$folder/dark-verified.png" "$root/packaging/images/window-dark.png"
    cp "$folder/dark-stepper.png" "$root/packaging/images/stepper-dark.png"
    cp "$folder/light-review-comments.png" "$root/packaging/images/review-light.png"
    cp "$folder/light-model-talk.png" "$root/packaging/images/model-light.png"
    say "copied to packaging/images/"
fi
