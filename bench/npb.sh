#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The NAS Parallel Benchmarks of examples/npb beside those of NASA in Fortran and C over MPI, by turns.
#
#   NPB=SOURCES bench/npb.sh [RESULTS.csv]
#
#   NPB           NASA's sources: a folder, an archive, or the URL of an archive, that has NPB3.3-MPI or NPB3.4-MPI.
#                 They are copied to a folder of their own, compiled there, and deleted at the end
#   KERNELS="EP IS CG MG FT LU SP BT"   CLASS=A   PES=4   ROUNDS=5   each round runs each program once.
#                 SP and BT of NASA need a square number of PEs; without KERNELS they are left out for others
#   COTERIE="coterie run -n 4"                               how to run ours
#   MPIRUN="mpirun -np 4"                                    how to run NASA's
#   FFLAGS="-O3 -march=native …"   CFLAGS="-O3 -march=native"
#
# Appends rows for each run in the form of `coterie perf --csv`, of which `coterie compare --plot` draws Mop/s: `mops`
# and `time` as the benchmark reports them, and `whole`, the seconds of the whole command. Then prints medians, and ours
# divided by NASA's: less is better for seconds, more for Mop/s. A run whose results are not verified ends the script.
# It needs mpicc, a Fortran compiler behind mpif77 and mpif90, mpirun, and curl for URLs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${NPB:?is not set; it names the sources of NPB3.3-MPI or NPB3.4-MPI: a folder, an archive or a URL}"
results=$(realpath "${1:-npb.csv}")
class=${CLASS:-A} pes=${PES:-4} rounds=${ROUNDS:-5}
case $pes in 1 | 4 | 9 | 16 | 25 | 36 | 49 | 64) square=" SP BT" ;; *) square= ;; esac
kernels=${KERNELS:-EP IS CG MG FT LU$square}
fortran=${FFLAGS:--O3 -march=native -fallow-argument-mismatch -fallow-invalid-boz}
c=${CFLAGS:--O3 -march=native}
run=${COTERIE:-$here/../coterie run -n $pes}
mpirun=${MPIRUN:-mpirun -np $pes}
# Open MPI 4 and 5: more processes than processors, and by root
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

copy_sources() {
    mkdir "$build/sources"
    case $NPB in
        http://* | https://*) curl -fsSL "$NPB" -o "$build/archive" && tar -xf "$build/archive" -C "$build/sources" ;;
        *) if [ -d "$NPB" ]; then cp -R "$NPB" "$build/sources"; else tar -xf "$NPB" -C "$build/sources"; fi ;;
    esac
    nasa=$(find "$build/sources" -type d -name 'NPB3*-MPI' | sort | tail -n 1)
    [ -n "$nasa" ] || { echo "npb.sh: $NPB has no folder NPB3.x-MPI" >&2; exit 2; }
    # Both versions: 3.3 has MPIF77, 3.4 has MPIFC
    cat >"$nasa/config/make.def" <<END
MPIF77 = mpif77
MPIFC = mpif90
FLINK = mpif90
FMPI_LIB =
FMPI_INC =
FFLAGS = $fortran
FLINKFLAGS = $fortran
MPICC = mpicc
CLINK = mpicc
CMPI_LIB =
CMPI_INC =
CFLAGS = $c
CLINKFLAGS = $c
CC = cc
BINDIR = ../bin
RAND = randi8
END
    # A folder that was built in has programs and parameters for other numbers of processes
    mkdir -p "$nasa/bin"
    rm -f "$nasa"/bin/* "$nasa"/*/*.o "$nasa"/*/*.mod "$nasa"/*/npbparams.h
}

# Sets $program to NASA's program of a kernel, and compiles it.
compile() {  # kernel
    local name=${1,,}
    make -C "$nasa" "$name" CLASS="$class" NPROCS="$pes" >"$build/log" 2>&1 || { cat "$build/log" >&2; exit 1; }
    program=$(find "$nasa/bin" -name "$name.$class.*" | head -n 1)
    [ -n "$program" ] || { cat "$build/log" >&2; exit 1; }
}

# Runs a command, and appends its rows.
measure() {  # kernel system command...
    local kernel=$1 system=$2 start=$EPOCHREALTIME
    shift 2
    "$@" >"$build/out" 2>&1 </dev/null || { cat "$build/out" >&2; exit 1; }
    local end=$EPOCHREALTIME
    grep -Eq '^ Verification +=  *SUCCESSFUL' "$build/out" || { cat "$build/out" >&2; exit 1; }
    awk -v row="$system,${kernel,,}.$class,$pes,0," -v start="$start" -v end="$end" '
        /^ Mop\/s total/ { print row "mops,Mop/s," $NF }
        /^ Time in seconds/ { print row "time,s," $NF }
        END { printf "%swhole,s,%.3f\n", row, end - start }' "$build/out" >>"$results"
}

copy_sources
[ -s "$results" ] || echo "system,op,np,bytes,metric,unit,value" >"$results"
declare -A programs
for kernel in $kernels; do
    compile "$kernel"
    programs[$kernel]=$program
    $run "$here/../examples/npb/$kernel.java" S >/dev/null # compiles it
done
before=$(wc -l <"$results")
for round in $(seq "$rounds"); do
    for kernel in $kernels; do
        measure "$kernel" mpi $mpirun "${programs[$kernel]}"
        measure "$kernel" coterie $run "$here/../examples/npb/$kernel.java" "$class"
    done
    echo "round $round of $rounds is done" >&2
done

tail -n "+$((before + 1))" "$results" | awk -F, -v kernels="$kernels" -v class="$class" -v pes="$pes" '
    { key = $1 $2 $5; values[key, ++count[key]] = $7 }
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
        printf "class %s on %d PEs       whole command, s                Mop/s\n", class, pes
        print "kernel           MPI   Coterie   ratio         MPI     Coterie   ratio"
        kernel_count = split(kernels, names, " ")
        for (k = 1; k <= kernel_count; k++) {
            op = tolower(names[k]) "." class
            a = median("mpi" op "whole"); b = median("coterie" op "whole")
            c = median("mpi" op "mops"); d = median("coterie" op "mops")
            printf "%-6s %13.2f %9.2f %7.2f %11.1f %11.1f %7.2f\n", names[k], a, b, b / a, c, d, d / c
        }
    }'
