#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures the kernels of whole applications beside their C twins (bench/c/kernels.c): every round runs each system
# once, so that all of them meet the same moods of the machine.
#
#   bench/run.sh [RESULTS.csv]
#
#   SYSTEMS="limit ours oshmem"  which systems; those whose compiler is missing are left out
#   NPS="1 2 4"   ROUNDS=5       numbers of PEs, and rounds
#   COLD="OP:BYTES:N ..."        instead of warm medians: one repetition of N iterations in a fresh process
#   BENCH_REPS, BENCH_REP_MS     see docs/performance.md
#   COTERIE_PERF_OPTIONS         more options of `coterie perf`, such as "-J -XX:+UseParallelGC"
#
# Appends rows of `coterie perf --csv`, of which `coterie compare` prints medians. Needs a C compiler; for oshmem
# the OpenSHMEM of Open MPI.
set -u
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-kernels.csv}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cpus=$(nproc)
flags="-std=gnu11 -O3 -march=native -Wall -Wextra"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

if command -v cc > /dev/null; then cc $flags -o "$build/limit" "$here/c/kernels.c"; fi
if command -v oshcc > /dev/null; then oshcc $flags -DOSHMEM -o "$build/oshmem" "$here/c/kernels.c"; fi

launch() {   # system PEs operation bytes cold
    local bind="--bind-to core"
    [ "$2" -le "$cpus" ] || bind="--oversubscribe --bind-to none --mca mpi_yield_when_idle 1"
    local -a chosen=(--ops "${3:-kernels}")
    [ -z "${4:-}" ] || chosen+=(--sizes "$4:$4")
    [ -z "${5:-}" ] || chosen+=(--iterations "$5" --warmup 1)
    case $1 in
    limit) [ ! -x "$build/limit" ] || "$build/limit" "$2" ;;
    # Open MPI 4.1.4: osc/rdma crashes at the end of a job
    oshmem) [ ! -x "$build/oshmem" ] || oshrun -np "$2" $bind --mca osc ^rdma "$build/oshmem" ;;
    ours) "$here/../coterie" perf -n "$2" ${COTERIE_PERF_OPTIONS:-} -- --csv --system ours "${chosen[@]}" ;;
    *) echo "run.sh: there is no system \"$1\"; there are limit, ours, oshmem" >&2; return 2 ;;
    esac
}

[ -s "$results" ] || echo "system,op,np,bytes,metric,unit,value" > "$results"
for np in ${NPS:-1 2 4}; do
    for round in $(seq "${ROUNDS:-5}"); do
        for system in ${SYSTEMS:-limit ours oshmem}; do
            if [ -z "${COLD:-}" ]; then
                launch "$system" "$np"
            else
                for point in $COLD; do
                    IFS=: read -r op bytes n <<< "$point"
                    export KERNEL_OP=$op KERNEL_BYTES=$bytes KERNEL_COLD=$n
                    BENCH_REPS=1 launch "$system" "$np" "$op" "$bytes" "$n"
                done
            fi | grep ',lat_' >> "$results"
        done
        echo "np=$np: round $round of ${ROUNDS:-5} is done" >&2
    done
done
"$here/../coterie" compare --ops halo,wavefront,transpose "$results"
