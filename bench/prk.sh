#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The Parallel Research Kernels of examples/prk beside their C versions over OSHMEM and MPI, by turns.
#
#   PRK=SOURCES bench/prk.sh [RESULTS.csv]
#
#   PRK           the sources of the C versions, github.com/ParRes/Kernels: a folder, an archive, or the URL of an
#                 archive, with MPI1, SHMEM, common and include. They are copied to a folder of their own, compiled
#                 there, and deleted at the end
#   KERNELS="StarStencil Transpose Wavefront RandomAccess Reduce"   PES="1 2 4"   ROUNDS=5
#                                           each round runs each program once on each number of PEs
#   VERSIONS="shmem mpi1"                   in C. Without it shmem, and mpi1 of RandomAccess and Reduce, which have no
#                                           other
#   STARSTENCIL="ITERATIONS SIZE"   TRANSPOSE=…   WAVEFRONT=…   RANDOMACCESS=…   REDUCE=…   arguments of a program;
#                                           the iterations of Reduce are divided by the square of the number of PEs
#   COTERIE="coterie run"                   how to run ours, without -n
#   MPIOPTIONS="--bind-to none"             of mpirun and oshrun
#   CFLAGS="-O3 -march=native -ffast-math"
#
# Appends rows for each run in the form of `coterie perf --csv`: `rate` as both report it, and `whole`, the seconds of
# the whole command. Then prints medians, and ours divided by that of C: less is better for seconds, more for rates. A
# run whose solution does not validate ends the script. It needs mpicc, mpirun, oshcc and oshrun, and curl for URLs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${PRK:?is not set; it names the sources of the Parallel Research Kernels: a folder, an archive or a URL}"
results=$(realpath "${1:-prk.csv}")
kernels=${KERNELS:-StarStencil Transpose Wavefront RandomAccess Reduce}
all_pes=${PES:-1 2 4} rounds=${ROUNDS:-5}
c=${CFLAGS:--O3 -march=native -ffast-math}
run=${COTERIE:-$here/../coterie run}
options=${MPIOPTIONS:-}
# Runs of 1 to 3 seconds on two processors
declare -A arguments=(
    [StarStencil]=${STARSTENCIL:-150 2000} [Transpose]=${TRANSPOSE:-100 2000} [Wavefront]=${WAVEFRONT:-400 2000 2000}
    [RandomAccess]=${RANDOMACCESS:-128 20} [Reduce]=${REDUCE:-2000 1000000})
declare -A shmem=(
    [StarStencil]=Stencil/stencil [Transpose]=Transpose/transpose [Wavefront]=Synch_p2p/p2p)
declare -A mpi1=(
    [StarStencil]=Stencil/stencil [Transpose]=Transpose/transpose [Wavefront]=Synch_p2p/p2p
    [RandomAccess]=Random/random [Reduce]=Reduce/reduce)
cpus=$(nproc)
# Open MPI 4 and 5: more processes than processors, and by root. Open MPI 4.1.4: osc/rdma crashes at the end of a job
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_osc=^rdma
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

copy_sources() {
    mkdir "$build/sources"
    case $PRK in
        http://* | https://*) curl -fsSL "$PRK" -o "$build/archive" && tar -xf "$build/archive" -C "$build/sources" ;;
        *) if [ -d "$PRK" ]; then cp -R "$PRK/." "$build/sources"; else tar -xf "$PRK" -C "$build/sources"; fi ;;
    esac
    sources=$(find "$build/sources" -type d -name MPI1 | head -n 1)
    [ -n "$sources" ] || { echo "prk.sh: $PRK has no folder MPI1" >&2; exit 2; }
    sources=${sources%/MPI1}
    printf 'DEFAULT_OPT_FLAGS = %s\nMPICC = mpicc\nSHMEMCC = oshcc\n' "$c" >"$sources/common/make.defs"
    # A folder that was built in has programs of other flags
    find "$sources/MPI1" "$sources/SHMEM" -name '*.o' -delete
}

# Sets $versions to those of a kernel.
find_versions() {  # kernel
    versions=${VERSIONS:-}
    if [ -z "$versions" ] && [ -n "${shmem[$1]:-}" ]; then versions=shmem; fi
    if [ -z "$versions" ]; then versions=mpi1; fi
}

# Sets $program to the C program of a kernel, or to nothing.
find_program() {  # version kernel
    case $1 in
        shmem) program=${shmem[$2]:-} ;;
        mpi1) program=${mpi1[$2]:-} ;;
        *) echo "prk.sh: there is no version \"$1\"; there are shmem, mpi1" >&2; exit 2 ;;
    esac
    [ -z "$program" ] || program=$sources/${1^^}/$program
}

compile() {  # version kernel
    find_program "$1" "$2"
    [ -n "$program" ] || return 0
    rm -f "$program"
    make -C "${program%/*}" "${program##*/}" >"$build/log" 2>&1 && [ -x "$program" ] ||
        { cat "$build/log" >&2; exit 1; }
}

# Runs a command, and appends its rows.
measure() {  # system kernel PEs command...
    local row="$1,${2,,},$3,0" start=$EPOCHREALTIME
    shift 3
    "$@" >"$build/out" 2>&1 </dev/null || { cat "$build/out" >&2; exit 1; }
    local end=$EPOCHREALTIME
    grep -q '^Solution validates' "$build/out" || { cat "$build/out" >&2; exit 1; }
    awk -v row="$row" -v start="$start" -v end="$end" '
        /^Rate / {
            unit = $2; gsub(/[():]/, "", unit)
            value = $3; sub(/,$/, "", value)
            print row ",rate," unit "," value
        }
        END { printf "%s,whole,s,%.3f\n", row, end - start }' "$build/out" >>"$results"
}

launcher() {  # version PEs
    local yield=""
    [ "$2" -le "$cpus" ] || yield="--bind-to none --mca mpi_yield_when_idle 1"
    case $1 in shmem) echo oshrun -np "$2" $options $yield ;; *) echo mpirun -np "$2" $options $yield ;; esac
}

copy_sources
[ -s "$results" ] || echo "system,op,np,bytes,metric,unit,value" >"$results"
for kernel in $kernels; do
    [ -n "${arguments[$kernel]:-}" ] || { echo "prk.sh: there is no kernel \"$kernel\"" >&2; exit 2; }
    find_versions "$kernel"
    for version in $versions; do compile "$version" "$kernel"; done
done
before=$(wc -l <"$results")
# Sets $words to the arguments of a kernel.
find_arguments() {  # kernel PEs
    read -ra words <<<"${arguments[$1]}"
    [ "$1" != Reduce ] || words[0]=$(((words[0] + $2 * $2 - 1) / ($2 * $2)))
}

for round in $(seq "$rounds"); do
    for pes in $all_pes; do
        for kernel in $kernels; do
            find_versions "$kernel"
            find_arguments "$kernel" "$pes"
            for version in $versions; do
                find_program "$version" "$kernel"
                [ -z "$program" ] ||
                    measure "$version" "$kernel" "$pes" $(launcher "$version" "$pes") "$program" "${words[@]}"
            done
            measure coterie "$kernel" "$pes" $run -n "$pes" "$here/../examples/prk/$kernel.java" "${words[@]}"
        done
    done
    echo "round $round of $rounds is done" >&2
done

tail -n "+$((before + 1))" "$results" | awk -F, -v kernels="$kernels" -v all="$all_pes" '
    { key = $1 " " $2 " " $3 " " $5; values[key, ++count[key]] = $7; if ($5 == "rate") units[$2] = $6 }
    function median(key,    n, i, j, value) {
        n = count[key]
        for (i = 2; i <= n; i++) {
            value = values[key, i] + 0
            for (j = i - 1; j > 0 && values[key, j] + 0 > value; j--) values[key, j + 1] = values[key, j]
            values[key, j + 1] = value
        }
        return (values[key, int((n + 1) / 2)] + values[key, int(n / 2) + 1]) / 2
    }
    END {
        print "                                whole command, s                rate"
        print "kernel        PEs  C is        C   Coterie   ratio            C     Coterie   ratio"
        kernel_count = split(kernels, names, " "); pes_count = split(all, pes, " "); split("shmem mpi1", version, " ")
        for (k = 1; k <= kernel_count; k++) for (p = 1; p <= pes_count; p++) for (v = 1; v in version; v++) {
            rest = " " tolower(names[k]) " " pes[p] " "
            if (!count[version[v] rest "rate"]) continue
            a = median(version[v] rest "whole"); b = median("coterie" rest "whole")
            c = median(version[v] rest "rate"); d = median("coterie" rest "rate")
            printf "%-13s %3d %5s %8.2f %9.2f %7.2f %12.4g %11.4g %7.2f  %s\n", names[k], pes[p], version[v], a, b,
                b / a, c, d, d / c, units[tolower(names[k])]
        }
    }'
