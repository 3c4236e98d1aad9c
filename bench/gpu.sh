#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures puts with signal and puts from a kernel, beside the same kernels in NVSHMEM on the same device.
#
#   NVSHMEM_HOME=DIR bench/gpu.sh [RESULTS.csv]
#
#   NVSHMEM_HOME     a folder with NVSHMEM's include and lib; by default, that of a wheel such as nvidia-nvshmem-cu13,
#                    if cuda/device-tests/environment finds one. Without one, or if it is empty: Coterie alone
#   CUDA_ARCH=90     the device's compute capability
#   COTERIE          the command line; default: that of this repository. A folder of cuda/device-tests.sh has one that
#                    needs no JDK and no Maven
#   ROUNDS=3         each round runs each system once
#
# Appends rows of `coterie perf --csv`, and prints their medians with `coterie compare`: those of one PE, where NVSHMEM
# has them too, and all of them otherwise. Needs nvcc for NVSHMEM. A system that fails, or takes more than two minutes,
# is named; the others go on, and the exit code is 1.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
coterie=${COTERIE:-$here/../coterie}
results=${1:-gpu.csv}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
failed=0
for each in "$here/../environment" "$here/../cuda/device-tests/environment"; do
    # shellcheck source=cuda/device-tests/environment
    [ ! -f "$each" ] || . "$each"
done

# fail WORDS: says what has failed, and goes on
fail() {
    echo "$0: $1" >&2
    failed=1
}

lib=
if [ -n "${NVSHMEM_HOME:-}" ]; then
    hosts=("$NVSHMEM_HOME"/lib/libnvshmem_host.so*)
    if [ ! -e "${hosts[0]}" ]; then
        fail "NVSHMEM is not measured: $NVSHMEM_HOME/lib has no libnvshmem_host.so; set NVSHMEM_HOME"
    elif ! command -v nvcc > /dev/null; then
        fail "NVSHMEM is not measured: no nvcc"
    elif timeout 120 nvcc -O3 -std=c++17 -rdc=true -arch="sm_${CUDA_ARCH:-90}" -I "$NVSHMEM_HOME/include" \
        -o "$build/costs" "$here/c/nvshmem_costs.cu" -L "$NVSHMEM_HOME/lib" -l:"$(basename "${hosts[0]}")" \
        -lnvshmem_device -Xlinker -rpath="$NVSHMEM_HOME/lib"; then
        lib=$NVSHMEM_HOME/lib
    else
        fail "NVSHMEM is not measured: nvcc fails with exit code $?"
    fi
fi

# measure NAME COMMAND...: appends the rows of a command that succeeds
measure() {
    local name=$1
    shift
    if timeout -k 5 120 "$@" > "$build/rows"; then
        grep -E ',(lat|bw)_med,' "$build/rows" >> "$results" || fail "$name prints no rows"
    else
        fail "$name fails with exit code $?"
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
"$coterie" compare "$results" || fail "there is nothing to compare"
exit $failed
