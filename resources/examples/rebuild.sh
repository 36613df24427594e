#!/usr/bin/env bash
# Makes NAME.sm_90.ptx of every example anew with the nvcc on the PATH and prints what belongs into "baseline".
# nvcc writes absolute paths into `.file`; they are cut down to the bare name, so that the result is the same anywhere.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

for folder in */; do
    name=${folder%/}
    (
        cd "$name"
        arch=$(sed -n 's/^ *"arch": "\(sm_[0-9a-z]*\)",$/\1/p' "$name.kernel.json")
        nvcc -ptx -O3 -lineinfo -arch="$arch" -o "$name.sm_90.ptx" "$name.cu"
        sed -i -E 's|^([[:space:]]*\.file[[:space:]]+[0-9]+ ")[^"]*/|\1|' "$name.sm_90.ptx"
    )
    printf '%s: nvcc %s, source_sha256 %s\n' "$name" \
        "$(nvcc --version | sed -n 's/.*, V\([0-9.]*\)$/\1/p')" "$(sha256sum "$name/$name.cu" | cut -d' ' -f1)"
done
