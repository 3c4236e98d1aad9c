#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures puts with signal and puts from a kernel, beside the same kernels in NVSHMEM on the same device.
#
#   NVSHMEM_HOME=DIR bench/gpu.sh [RESULTS.csv]
#
#   NVSHMEM_HOME     a folder with NVSHMEM's include and lib; without it, Coterie alone
#   CUDA_ARCH=90     the device's compute capability
#   ROUNDS=3         each round runs each system once
#
# Appends rows of `coterie perf --csv`, and prints their medians with `coterie compare`. Needs nvcc for NVSHMEM.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-gpu.csv}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
if [ -n "${NVSHMEM_HOME:-}" ]; then
    lib=$NVSHMEM_HOME/lib
    host=$(basename "$(ls "$lib"/libnvshmem_host.so* | head -1)")
    nvcc -O3 -std=c++17 -rdc=true -arch="sm_${CUDA_ARCH:-90}" -I "$NVSHMEM_HOME/include" -o "$build/costs" \
        "$here/c/nvshmem_costs.cu" -L "$lib" -l:"$host" -lnvshmem_device -Xlinker -rpath="$lib"
fi
[ -s "$results" ] || echo "system,op,np,bytes,metric,unit,value" > "$results"
for round in $(seq "${ROUNDS:-3}"); do
    { "$here/../coterie" run -n 1 "$here/programs/gpu/KernelCosts.java" "$here/programs/gpu/costs.cu"
      "$here/../coterie" run -n 2 --pes threads "$here/programs/gpu/KernelCosts.java" "$here/programs/gpu/costs.cu"
      if [ -x "$build/costs" ]; then "$build/costs"; fi; } | grep -E ',(lat|bw)_med,' >> "$results"
    echo "round $round of ${ROUNDS:-3} is done" >&2
done
"$here/../coterie" compare "$results"
