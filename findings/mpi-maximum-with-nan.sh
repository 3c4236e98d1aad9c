#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# MPICH 4.0.2 and Open MPI 4.1.4 (Debian 12: 4.0.2-3+b1, 4.1.4-3+b1): MPI_Allreduce of operands without order.
# Input: four ranks on one node reduce one double each; rank r has r, and one rank has NaN, or -0 among zeros.
#
# Behaviour seen:
#   1. MPICH: the ranks of one allreduce get different results. With NaN at rank 3, MPI_MAX of 0, 1, 2, NaN is
#      NaN at rank 0, 2 at ranks 1 and 3, and 1 at rank 2. MPI_MIN of zeros is -0 on one rank, 0 on the others.
#   2. Open MPI: all ranks get the same, but a NaN can take a number with it: MPI_MAX of 0, 1, NaN, 3 is 1.
#      Whether NaN is the result depends on its rank.
# So a loop that ends when an allreduced maximum is small enough ends on some ranks alone, or too early.
#
# Needs gcc, dpkg and apt's lists of Debian 12; changes nothing outside a temporary folder.
# Fails if the behaviour changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .
mkdir -p debs/partial
apt-get install --reinstall --download-only --yes --no-install-recommends -o Dir::Cache::archives="$work/debs" \
  mpich=4.0.2-3+b1 libmpich12=4.0.2-3+b1 openmpi-bin=4.1.4-3+b1 libopenmpi3=4.1.4-3+b1 openmpi-common=4.1.4-3 >log 2>&1
(cd debs && apt-get download libmpich-dev=4.0.2-3+b1 libopenmpi-dev=4.1.4-3+b1 >>../log 2>&1)
for package in debs/*.deb; do dpkg -x "$package" root; done

cat >orders.c <<'C'
#include <math.h>
#include <mpi.h>
#include <stdio.h>
static double all[4];
static int size, me;
static void show(const char *what, int odd, double mine) {
    MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (me == 0) {
        printf("%s %d:", what, odd);
        for (int i = 0; i < size; i++) {
            if (isnan(all[i])) printf(" nan"); else printf(" %g", all[i]);
        }
        printf("\n");
    }
}
int main(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int odd = 2; odd < size; odd++) {
        double in = me == odd ? NAN : me, out;
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        show("MAX, NaN at rank", odd, out);
        in = me == odd ? -0.0 : 0.0;
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
        show("MIN, -0 at rank", odd, out);
    }
    MPI_Finalize();
}
C
headers=root/usr/include/x86_64-linux-gnu/mpich
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries OPAL_PREFIX=$work/root/usr OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
gcc orders.c -o with-mpich -I $headers "$libraries/libmpich.so.12"
gcc orders.c -o with-openmpi -I "$libraries/openmpi/include" "$libraries/libmpi.so.40"

expect() { diff "$1.expected" "$1.seen" >&2 || { echo "changed: $1" >&2; exit 1; }; echo "$1"; cat "$1.seen"; }
cat >mpich.expected <<'T'
MAX, NaN at rank 2: 3 nan 3 1
MIN, -0 at rank 2: 0 -0 0 0
MAX, NaN at rank 3: nan 2 1 2
MIN, -0 at rank 3: -0 0 0 0
T
root/usr/bin/mpiexec.hydra -n 4 ./with-mpich >mpich.seen
expect mpich
cat >openmpi.expected <<'T'
MAX, NaN at rank 2: 1 1 1 1
MIN, -0 at rank 2: 0 0 0 0
MAX, NaN at rank 3: 2 2 2 2
MIN, -0 at rank 3: 0 0 0 0
T
root/usr/bin/mpirun.openmpi --oversubscribe -n 4 ./with-openmpi >openmpi.seen
expect openmpi
