#!/usr/bin/env bash
# Makes NAME.ptx of every NAME.cu here (or of those that are named) anew, with the nvcc on the PATH.
# -fmad=false: products and sums stay apart, so that ptxas cannot fuse them and the results are defined to the bit.
# A first line "// sm_90" asks for another target than sm_80.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
for source in "${@:-*.cu}"; do
    for file in $source; do
        arch=$(sed -n '1s|^// \(sm_[0-9a-z]*\)$|\1|p' "$file")
        nvcc -ptx -O3 -std=c++17 -fmad=false -arch="${arch:-sm_80}" -o "${file%.cu}.ptx" "$file"
    done
done
