#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures operations between two PEs over UCX beside the OpenSHMEM of Open MPI over the same transport of UCX. PEs of
# one node do not load and store each other's memory here, so that all bytes go through UCX.
#
#   bench/ucx.sh [RESULTS.csv]
#
#   UCX_TLS=tcp,self             the transports that both use
#   UCX_NET_DEVICES=lo           their devices
#   ROUNDS=5                     each round runs each system once
#   BENCH_REPS, BENCH_REP_MS     see docs/performance.md
#
# Appends rows of `coterie perf --csv`, and prints their medians with `coterie compare`. Needs oshcc and oshrun.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-ucx.csv}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
export UCX_TLS=${UCX_TLS:-tcp,self} UCX_NET_DEVICES=${UCX_NET_DEVICES:-lo}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
oshcc -std=gnu11 -O3 -march=native -Wall -Wextra -o "$build/rma" "$here/c/rma.c"

ours() {     # operations sizes
    COTERIE_CONDUIT=ucx COTERIE_LOAD_STORE=false "$here/../coterie" perf -n 2 -- --csv --system ours --ops "$1" --sizes "$2"
}
oshmem() {   # the layers of Open MPI that go through UCX; osc/rdma crashes at the end of a job of 4.1.4
    oshrun -np 2 --bind-to core --mca spml ucx --mca atomic ucx --mca pml ucx --mca osc ^rdma --mca coll ^sm \
        --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any "$build/rma"
}

[ -s "$results" ] || echo "system,op,np,bytes,metric,unit,value" > "$results"
for round in $(seq "${ROUNDS:-5}"); do
    { oshmem; ours put_quiet,get,fadd,barrier,reduce 8:8
      ours put_bw,get_bw 65536:65536; ours put_bw,get_bw 1048576:1048576; } \
        | grep -E ',(lat|bw)_med,' >> "$results"
    echo "round $round of ${ROUNDS:-5} is done" >&2
done
"$here/../coterie" compare "$results"
