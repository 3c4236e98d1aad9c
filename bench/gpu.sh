#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures puts with signal and puts from a kernel, beside the same kernels in NVSHMEM on the same device.
#
#   NVSHMEM_HOME=DIR bench/gpu.sh [RESULTS.csv]
#
#   NVSHMEM_HOME     a folder with NVSHMEM's include and lib, such as nvidia/nvshmem of the wheel nvidia-nvshmem-cu12;
#                    without it, Coterie alone
#   CUDA_ARCH=90     the device's compute capability
#   COTERIE          the command line; default: that of this repository. A folder of cuda/device-tests.sh has one that
#                    needs no JDK and no Maven
#   ROUNDS=3         each round runs each system once
#
# Appends rows of `coterie perf --csv`, and prints their medians with `coterie compare`: those of one PE, where NVSHMEM
# has them too, and all of them otherwise. Needs nvcc for NVSHMEM. A system that fails is named; the others go on, and
# the exit code is 1.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
coterie=${COTERIE:-$here/../coterie}
results=${1:-gpu.csv}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
failed=0
lib=
if [ -n "${NVSHMEM_HOME:-}" ]; then
    lib=$NVSHMEM_HOME/lib
    hosts=("$lib"/libnvshmem_host.so*)
    [ -e "${hosts[0]}" ] || { echo "$0: $lib has no libnvshmem_host.so; set NVSHMEM_HOME" >&2; exit 2; }
    nvcc -O3 -std=c++17 -rdc=true -arch="sm_${CUDA_ARCH:-90}" -I "$NVSHMEM_HOME/include" -o "$build/costs" \
        "$here/c/nvshmem_costs.cu" -L "$lib" -l:"$(basename "${hosts[0]}")" -lnvshmem_device -Xlinker -rpath="$lib"
fi

# Kernels of two PEs wait for each other: each has a queue of the device, and all code is there before the first runs.
export CUDA_MODULE_LOADING=EAGER CUDA_DEVICE_MAX_CONNECTIONS=32

# measure NAME COMMAND...: appends the rows of a command that succeeds
measure() {
    local name=$1
    shift
    if "$@" > "$build/rows"; then
        grep -E ',(lat|bw)_med,' "$build/rows" >> "$results" || { echo "$0: $name prints no rows" >&2; failed=1; }
    else
        echo "$0: $name fails with exit code $?" >&2
        failed=1
    fi
}

[ -s "$results" ] || echo "system,op,np,bytes,metric,unit,value" > "$results"
program=("$here/programs/gpu/KernelCosts.java" "$here/programs/gpu/costs.cu")
for round in $(seq "${ROUNDS:-3}"); do
    measure "one PE" "$coterie" run -n 1 "${program[@]}"
    measure "two PEs" "$coterie" run -n 2 --pes threads "${program[@]}"
    if [ -n "$lib" ]; then
        measure NVSHMEM env LD_LIBRARY_PATH="$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$build/costs"
    fi
    echo "round $round of ${ROUNDS:-3} is done" >&2
done
"$coterie" compare "$results"
exit $failed
