#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures operations between two PEs that reach each other by a network alone: over the conduits tcp and ucx, beside
# the OpenSHMEM of Open MPI over the same transport of UCX, and beside a C program over one bare socket. PEs of one node
# do not load and store each other's memory here, so that all bytes go through the conduit.
#
#   bench/network.sh [RESULTS.csv]
#
#   SYSTEMS="sockets tcp ucx oshmem"   which of them, and tcp-tls; the others are compared with the first
#   UCX_TLS=tcp,self             the transports that ucx and oshmem use
#   UCX_NET_DEVICES=lo           their devices
#   ROUNDS=5                     each round runs each system once
#   BENCH_REPS, BENCH_REP_MS     see docs/performance.md
#
# Appends rows of `coterie perf --csv`, and prints their medians with `coterie compare`. oshmem needs oshcc and oshrun.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
results=${1:-network.csv}
systems=${SYSTEMS:-sockets tcp ucx oshmem}
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
export UCX_TLS=${UCX_TLS:-tcp,self} UCX_NET_DEVICES=${UCX_NET_DEVICES:-lo}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
flags="-std=gnu11 -O3 -march=native -Wall -Wextra"
[[ $systems != *oshmem* ]] || oshcc $flags -o "$build/rma" "$here/c/rma.c"
cc $flags -o "$build/sockets" "$here/c/sockets.c"

perf() {     # system operations sizes
    local encryption=none
    [[ $1 != *-tls ]] || encryption=tls
    COTERIE_CONDUIT=${1%-tls} COTERIE_ENCRYPTION=$encryption COTERIE_LOAD_STORE=false \
        "$here/../coterie" perf -n 2 -- --csv --system "$1" --ops "$2" --sizes "$3"
}
measure() {  # system
    case $1 in
        oshmem)   # the layers of Open MPI that go through UCX; osc/rdma crashes at the end of a job of 4.1.4
            oshrun -np 2 --bind-to core --mca spml ucx --mca atomic ucx --mca pml ucx --mca osc ^rdma --mca coll ^sm \
                --mca opal_common_ucx_tls any --mca opal_common_ucx_devices any "$build/rma" ;;
        sockets)
            "$build/sockets" ;;
        *)
            perf "$1" put_quiet,get,fadd,barrier,reduce 8:8
            perf "$1" put_bw,get_bw 65536:65536
            perf "$1" put_bw,get_bw 1048576:1048576 ;;
    esac
}

[ -s "$results" ] || echo "system,op,np,bytes,metric,unit,value" > "$results"
for round in $(seq "${ROUNDS:-5}"); do
    for system in $systems; do
        measure "$system" | { grep -E ',(lat|bw)_med,' || true; } >> "$results"
    done
    echo "round $round of ${ROUNDS:-5} is done" >&2
done
"$here/../coterie" compare "$results"
