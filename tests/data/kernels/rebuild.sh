#!/usr/bin/env bash
# Makes NAME.ptx of every NAME.cu here (or of those that are named) anew with the nvcc on the PATH, and notes the source's hash
# in the specs that stand on it.
# -fmad=false: products and sums stay apart, so that ptxas cannot fuse them and the results are defined to the bit.
# A first line "// sm_90" asks for another target than sm_80.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[ $# -gt 0 ] || set -- *.cu
for file in "$@"; do
    name=${file%.cu}
    arch=$(sed -n '1s|^// \(sm_[0-9a-z]*\)$|\1|p' "$file")
    nvcc -ptx -O3 -std=c++17 -fmad=false -arch="${arch:-sm_80}" -o "$name.ptx" "$file"
    version=$(nvcc --version | sed -n 's/.*, V\([0-9.]*\)$/\1/p')
    baseline="{\"ptx\": \"$name.ptx\", \"nvcc\": \"$version\", \"source_sha256\": \"$(sha256sum "$file" | cut -d' ' -f1)\"}"
    grep -l "\"ptx\": \"$name.ptx\"" -- *.kernel.json | xargs -r sed -i "s|\"baseline\": {.*}|\"baseline\": $baseline|"
done
