/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of `coterie perf` between two PEs in OpenSHMEM 1.4, for bench/network.sh:
 *
 *   oshcc -O3 -march=native -o rma rma.c      oshrun -np 2 rma
 *
 * Rows are  system,op,np,bytes,metric,unit,value  as those of coterie perf. Environment: BENCH_REPS, BENCH_REP_MS as
 * for coterie perf.
 */
#include <shmem.h>
#include <stdio.h>
#include <string.h>
#include "timing.h"

enum { WINDOW = 64, MAX_BYTES = 1 << 20, MAX_REPS = 1000, SYNCS = 16, WARM_UP = 3 };

static int me;
static char *source, *target;    /* symmetric, as all below */
static long *word, *iterations;
static long *psync[SYNCS];
static double *work[SYNCS];
static long turn;

/* PE 0 is the origin of one-sided operations; collectives are of both. */
static void put_quiet(long count, size_t n)
{
    for (long i = 0; me == 0 && i < count; i++) { shmem_putmem(target, source, n, 1); shmem_quiet(); }
}
static void get(long count, size_t n)
{
    for (long i = 0; me == 0 && i < count; i++) shmem_getmem(target, source, n, 1);
}
static void fadd(long count, size_t n)
{
    (void)n;
    for (long i = 0; me == 0 && i < count; i++) shmem_long_atomic_fetch_add(word, 1, 1);
}
static void put_bw(long count, size_t n)
{
    for (long i = 0; me == 0 && i < count; i++) {
        for (int w = 0; w < WINDOW; w++) shmem_putmem_nbi(target, source, n, 1);
        shmem_quiet();
    }
}
static void get_bw(long count, size_t n)
{
    for (long i = 0; me == 0 && i < count; i++) {
        for (int w = 0; w < WINDOW; w++) shmem_getmem_nbi(target, source, n, 1);
        shmem_quiet();
    }
}
static void barrier(long count, size_t n)
{
    (void)n;
    for (long i = 0; i < count; i++) shmem_barrier_all();
}
static void reduce(long count, size_t n)
{
    for (long i = 0; i < count; i++, turn++)
        shmem_double_sum_to_all((double *)target, (double *)source, (int)(n / 8), 0, 0, 2, work[turn % SYNCS],
                                psync[turn % SYNCS]);
}

/* Nanoseconds of a repetition, on PE 0. */
static double repetition(void (*operation)(long, size_t), long count, size_t n)
{
    shmem_barrier_all();
    double start = now();
    operation(count, n);
    double end = now();
    shmem_barrier_all();
    return end - start;
}

/* PE 0 decides how many operations take the time of a repetition, and prints the row. */
static void measure(const char *op, void (*operation)(long, size_t), size_t n, double bytes)
{
    static double times[MAX_REPS];
    double wanted = 1e6 * number("BENCH_REP_MS", 4);
    int reps = number("BENCH_REPS", 7);
    long count = 1;
    if (reps > MAX_REPS) reps = MAX_REPS;
    for (int round = 0; round < WARM_UP;) {
        double taken = repetition(operation, count, n);
        if (me == 0) {
            double next = taken > 0 ? count * wanted / taken : 2 * count;
            next = next < 1 ? 1 : next > 10.0 * count ? 10.0 * count : next;
            shmem_long_p(iterations, (long)next, 0);
            shmem_long_p(iterations, (long)next, 1);
            iterations[1] = taken > wanted / 2 || count > 1000000;
            shmem_long_p(iterations + 1, iterations[1], 1);
        }
        shmem_barrier_all();
        count = iterations[0];
        if (iterations[1]) round++;
    }
    for (int rep = 0; rep < reps; rep++) times[rep] = repetition(operation, count, n) / count;
    if (me != 0) return;
    qsort(times, reps, sizeof *times, by_value);
    double median = times[reps / 2];
    if (bytes > 0) printf("oshmem,%s,2,%zu,bw_med,GB/s,%.4f\n", op, n, bytes / median);
    else printf("oshmem,%s,2,%zu,lat_med,ns,%.2f\n", op, n, median);
    fflush(stdout);
}

static void *symmetric(size_t n)
{
    void *memory = shmem_align(4096, n);
    if (!memory) { fprintf(stderr, "rma: no symmetric memory\n"); shmem_global_exit(1); }
    memset(memory, 0, n);
    return memory;
}

int main(void)
{
    static const size_t sizes[] = {65536, MAX_BYTES};
    shmem_init();
    me = shmem_my_pe();
    if (shmem_n_pes() != 2) { fprintf(stderr, "rma: needs 2 PEs\n"); shmem_global_exit(2); }
    source = symmetric(MAX_BYTES);
    target = symmetric(MAX_BYTES);
    word = symmetric(sizeof *word);
    iterations = symmetric(2 * sizeof *iterations);
    for (int k = 0; k < SYNCS; k++) {
        psync[k] = symmetric(SHMEM_REDUCE_SYNC_SIZE * sizeof(long));
        work[k] = symmetric(SHMEM_REDUCE_MIN_WRKDATA_SIZE * sizeof(double));
        for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) psync[k][i] = SHMEM_SYNC_VALUE;
    }
    shmem_barrier_all();
    measure("put_quiet", put_quiet, 8, 0);
    measure("get", get, 8, 0);
    measure("fadd", fadd, 8, 0);
    measure("barrier", barrier, 0, 0);
    *(double *)source = me + 1;
    measure("reduce", reduce, 8, 0);
    if (*(double *)target != 3) { fprintf(stderr, "rma: the sum is wrong\n"); shmem_global_exit(1); }
    for (int k = 0; k < 2; k++) {
        measure("put_bw", put_bw, sizes[k], (double)WINDOW * sizes[k]);
        measure("get_bw", get_bw, sizes[k], (double)WINDOW * sizes[k]);
    }
    shmem_finalize();
    return 0;
}
