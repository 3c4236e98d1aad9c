#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# allReduce of floats, bfloat16 and halves between two PEs beside MPI_Allreduce of floats, by turns.
#
#   bench/shortsums.sh [ELEMENTS]...
#
#   ROUNDS=5   MPICC=mpicc   MPIRUN="mpirun -np 2 --bind-to core"   COTERIE="coterie run -n 2"
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
[ $# -gt 0 ] || set -- 16384 131072 1048576
${MPICC:-mpicc} -std=gnu11 -O3 -march=native -Wall -Wextra -o "$build/allreduce" "$here/c/allreduce.c"
for _ in $(seq "${ROUNDS:-5}"); do
    ${MPIRUN:-mpirun -np 2 --bind-to core} "$build/allreduce" "$@"
    ${COTERIE:-$here/../coterie run -n 2} "$here/programs/ShortSums.java" "$@"
done
