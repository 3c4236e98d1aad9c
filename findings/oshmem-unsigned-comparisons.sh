#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# OSHMEM of Open MPI 4.1.4 (Debian 12: 4.1.4-3+b1): comparisons of unsigned words.
#
# Input: one PE; a word of each unsigned type has all bits set, and is compared with 1.
#
# Behaviour seen: shmem_TYPE_test(&word, SHMEM_CMP_GT, 1) is 0 for ushort, uint, ulong, ulonglong, uint32,
# uint64 and size, and SHMEM_CMP_LT gives 1: the comparison is signed. OpenSHMEM has these routines for the
# unsigned types, and no rule that their comparisons are signed. So a test for a counter that has passed 2^63,
# or of a sentinel of ~0, has the wrong answer.
#
# Needs gcc, dpkg and apt's lists of Debian 12. Changes nothing outside a temporary folder. Fails if the
# behaviour changes.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chmod 755 .
mkdir -p debs/partial
apt-get install --reinstall --download-only --yes --no-install-recommends -o Dir::Cache::archives="$work/debs" \
  openmpi-bin=4.1.4-3+b1 libopenmpi3=4.1.4-3+b1 openmpi-common=4.1.4-3 >log 2>&1
(cd debs && apt-get download libopenmpi-dev=4.1.4-3+b1 >>../log 2>&1)
for package in debs/*.deb; do dpkg -x "$package" root; done

cat >compare.c <<'C'
#include <shmem.h>
#include <stdio.h>
#define TRY(TYPE, NAME)                                                                                         \
    {                                                                                                           \
        TYPE *word = shmem_malloc(sizeof(TYPE));                                                                \
        *word = (TYPE)-1;                                                                                       \
        fprintf(seen, "%s: C %d, GT %d, LT %d\n", #NAME, *word > 1, shmem_##NAME##_test(word, SHMEM_CMP_GT, 1),        \
               shmem_##NAME##_test(word, SHMEM_CMP_LT, 1));                                                     \
    }
int main(void) {
    FILE *seen = fopen("seen", "w");
    shmem_init();
    TRY(unsigned short, ushort)
    TRY(unsigned int, uint)
    TRY(unsigned long, ulong)
    TRY(unsigned long long, ulonglong)
    TRY(uint32_t, uint32)
    TRY(uint64_t, uint64)
    TRY(size_t, size)
    fclose(seen);
    shmem_global_exit(0);
}
C
libraries=$work/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries OPAL_PREFIX=$work/root/usr OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
gcc -w compare.c -o compare -I "$libraries/openmpi/include" "$libraries/liboshmem.so.40" "$libraries/libmpi.so.40"
for type in ushort uint ulong ulonglong uint32 uint64 size; do echo "$type: C 1, GT 0, LT 1"; done >expected
root/usr/bin/mpirun.openmpi --oversubscribe -n 1 ./compare
cat seen
diff expected seen >&2 || { echo "changed: comparisons of unsigned words" >&2; exit 1; }
