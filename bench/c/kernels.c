/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of `coterie perf --ops kernels` in C, with the same arithmetic, messages and checks:
 *
 *   cc -O3 -march=native -o limit kernels.c                 limit NP: processes over shared memory, no library
 *   oshcc -O3 -march=native -DOSHMEM -o oshmem kernels.c    oshrun -np NP oshmem: OpenSHMEM 1.4
 *
 * Rows are  system,op,np,bytes,metric,unit,value  as those of coterie perf. Environment: BENCH_REPS, BENCH_REP_MS
 * as for coterie perf; KERNEL_OP and KERNEL_BYTES, one kernel and one size; KERNEL_COLD=N, one repetition of N
 * iterations without warm-up, as BENCH_REPS=1 coterie perf -i N -x 1; LIMIT_SPINS, polls before a yield where PEs
 * outnumber processors.
 */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 32, LINES = 128, MAX_PES = 64, MAX_BYTES = 1 << 20, LINE = 128, SIGNALS = 8 };

static int me, np;
static char *target;             /* symmetric: what peers put */

/* ---- what a system gives: put with a signal, wait for a signal, put, barrier ---- */
#ifdef OSHMEM
#include <shmem.h>
static const char *name = "oshmem";
static char *signals;
static long *word(int k) { return (long *)(signals + k * LINE); }
static void put(void *to, const void *from, size_t n, int pe) { shmem_putmem(to, from, n, pe); }
static void put_signal(void *to, const void *from, size_t n, int k, long value, int pe)
{
    if (n == 8) shmem_double_p(to, *(const double *)from, pe);
    else shmem_putmem(to, from, n, pe);
    shmem_fence();
    shmem_long_p(word(k), value, pe);
}
static void await(int k, long value) { shmem_long_wait_until(word(k), SHMEM_CMP_GE, value); }
static void barrier(void) { shmem_barrier_all(); }
static void begin(int argc, char **argv)
{
    (void)argc; (void)argv;
    shmem_init();
    me = shmem_my_pe();
    np = shmem_n_pes();
    target = shmem_align(4096, MAX_BYTES);
    signals = shmem_align(4096, SIGNALS * LINE);
    memset(signals, 0, SIGNALS * LINE);
    shmem_barrier_all();
}
static void end(void) { shmem_finalize(); }
#else
#include <immintrin.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
typedef struct { _Alignas(LINE) _Atomic long value; } cell;
typedef struct { cell signal[MAX_PES][SIGNALS], count, epoch; } control;
static const char *name = "limit";
static control *shared;
static char *targets[MAX_PES];
static int crowded, polls;
static void until(_Atomic long *p, long value)
{
    for (int n = 0; atomic_load_explicit(p, memory_order_acquire) < value; n++)
        if (crowded && n >= polls) sched_yield();
        else _mm_pause();
}
static void put(void *to, const void *from, size_t n, int pe)
{
    memcpy(targets[pe] + ((char *)to - target), from, n);
}
static void put_signal(void *to, const void *from, size_t n, int k, long value, int pe)
{
    put(to, from, n, pe);
    atomic_store_explicit(&shared->signal[pe][k].value, value, memory_order_release);
}
static void await(int k, long value) { until(&shared->signal[me][k].value, value); }
static void barrier(void)
{
    static long turn;
    turn++;
    if (atomic_fetch_add(&shared->count.value, 1) == np * turn - 1)
        atomic_store_explicit(&shared->epoch.value, turn, memory_order_release);
    else until(&shared->epoch.value, turn);
}
static void *map(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) { perror("mmap"); exit(1); }
    return p;
}
static void begin(int argc, char **argv)
{
    int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
    np = argc > 1 ? atoi(argv[1]) : 2;
    if (np < 1 || np > MAX_PES) { fprintf(stderr, "limit: 1 to %d PEs\n", MAX_PES); exit(2); }
    crowded = np > cpus;
    polls = getenv("LIMIT_SPINS") ? atoi(getenv("LIMIT_SPINS")) : 4;
    shared = map(sizeof *shared);
    for (int pe = 0; pe < np; pe++) targets[pe] = map(MAX_BYTES);
    for (me = 1; me < np; me++) if (fork() == 0) break;
    if (me == np) me = 0;
    target = targets[me];
    if (!crowded) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(me % cpus, &set);
        sched_setaffinity(0, sizeof set, &set);
    }
}
static void end(void) { if (me == 0) while (wait(NULL) > 0) ; }
#endif

/* ---- the kernels: see HaloKernel, WavefrontKernel, TransposeKernel ---- */
static void *array(size_t doubles)
{
    void *p = aligned_alloc(64, (doubles * sizeof(double) + 63) / 64 * 64);
    if (!p) exit(1);
    return p;
}
static void fail(const char *op, size_t bytes, double found, double expected)
{
    fprintf(stderr, "%s: %s of %zu bytes on PE %d of %d: %g, not %g\n", name, op, bytes, me, np, found, expected);
    exit(3);
}
static void expect(const char *op, size_t bytes, double found, double expected)
{
    if (found != expected) fail(op, bytes, found, expected);
}

static double *old, *next;
static long step;
static void halo_begin(size_t width)
{
    old = array((ROWS + 2) * width);
    next = array((ROWS + 2) * width);
    for (size_t i = 0; i < (ROWS + 2) * width; i++) old[i] = next[i] = (double)me * ROWS + i / width;
}
static void compute(double *restrict to, const double *restrict from, size_t width)
{
    for (size_t i = width; i < (ROWS + 1) * width; i++)
        to[i] = 0.25 * from[i - width] + 0.5 * from[i] + 0.25 * from[i + width];
}
static void halo(long iterations, size_t width)
{
    size_t n = width * sizeof(double);
    for (long i = 0; i < iterations; i++) {
        step++;
        int above = 2 * (int)(step & 1), below = above + 1;
        if (me > 0) put_signal(target + below * n, old + width, n, below, step, me - 1);
        if (me + 1 < np) put_signal(target + above * n, old + ROWS * width, n, above, step, me + 1);
        if (me > 0) { await(above, step); memcpy(old, target + above * n, n); }
        if (me + 1 < np) { await(below, step); memcpy(old + (ROWS + 1) * width, target + below * n, n); }
        compute(next, old, width);
        double *computed = next;
        next = old;
        old = computed;
    }
}
static void halo_check(const char *op, size_t width)
{
    for (size_t i = 0; i < ROWS * width; i++)
        expect(op, width * 8, old[width + i], (double)me * ROWS + 1 + i / width);
}

static double *grid;
static long sweeps, grid_sweeps;
static void wavefront_begin(size_t width)
{
    grid = array((LINES + 1) * (width + 1));
    grid_sweeps = 0;
    for (size_t i = 0; i <= width; i++) grid[i] = (double)me * width + i;
    if (me == 0) for (size_t i = 0; i <= LINES; i++) grid[i * (width + 1)] = i;
}
static void wavefront(long iterations, size_t width)
{
    double *received = (double *)target;
    for (long n = 0; n < iterations; n++) {
        double point = 0;
        for (long line = 1; line <= LINES; line++) {
            double *now = grid + line * (width + 1), *up = now - (width + 1);
            if (me > 0) {
                await(4, sweeps * LINES + line);
                now[0] = ((volatile double *)received)[line - 1];
            }
            point = now[0];
            for (size_t i = 1; i <= width; i++) now[i] = point = up[i] + point - up[i - 1];
            if (me + 1 < np) put_signal(received + line - 1, &point, 8, 4, sweeps * LINES + line, me + 1);
        }
        sweeps++;
        grid_sweeps++;
        if (me + 1 == np) put_signal(received + LINES, &point, 8, 5, sweeps, 0);
        if (me == 0) {
            await(5, sweeps);
            grid[0] = -((volatile double *)received)[LINES];
        }
    }
}
static void wavefront_check(const char *op, size_t width)
{
    double before = (grid_sweeps - 1.0) * (LINES + (double)np * width);
    for (size_t line = 1; line <= LINES; line++)
        for (size_t i = 1; i <= width; i++)
            expect(op, width * 8, grid[line * (width + 1) + i], before + line + (double)me * width + i);
}

static double *tiles, *tile;
static long transposed;
static void transpose_begin(size_t count)
{
    tiles = array(count * np);
    tile = array(count);
    transposed = 0;
    for (size_t i = 0; i < count * np; i++) tiles[i] = (double)me * np * count + i;
}
static size_t tile_rows(size_t count) { return (size_t)1 << (__builtin_ctzl(count) / 2); }
static void transpose(long iterations, size_t count)
{
    size_t rows = tile_rows(count), columns = count / rows;
    for (long n = 0; n < iterations; n++) {
        transposed++;
        double *half = (double *)target + (transposed & 1) * np * count;
        for (int k = 0; k < np; k++) {
            int to = (me + k) % np;
            double *from = tiles + to * count;
            for (size_t row = 0; row < rows; row++)
                for (size_t column = 0; column < columns; column++) {
                    from[row * columns + column] += 1;
                    tile[column * rows + row] = from[row * columns + column];
                }
            put(half + me * count, tile, count * sizeof(double), to);
        }
        barrier();
    }
}
static void transpose_check(const char *op, size_t count)
{
    size_t rows = tile_rows(count), columns = count / rows;
    const double *half = (double *)target + (transposed & 1) * np * count;
    for (int from = 0; from < np; from++)
        for (size_t i = 0; i < count; i++)
            expect(op, count * 8, half[from * count + i], (double)from * np * count + (double)me * count
                   + (i % rows) * columns + i / rows + transposed);
}

/* ---- timing ---- */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}
static long agree(long value)        /* PE 0's */
{
    barrier();
    if (me == 0) for (int pe = 0; pe < np; pe++) put(target + MAX_BYTES - LINE, &value, sizeof value, pe);
    barrier();
    return *(volatile long *)(target + MAX_BYTES - LINE);
}
static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}
static long number(const char *variable, long byDefault)
{
    const char *text = getenv(variable);
    return text && *text ? atol(text) : byDefault;
}
static void row(const char *op, size_t bytes, const char *metric, double value)
{
    if (me == 0) printf("%s,%s,%d,%zu,%s,ns,%.2f\n", name, op, np, bytes, metric, value);
}
static double once(void (*run)(long, size_t), long iterations, size_t doubles)
{
    barrier();
    double start = now();
    run(iterations, doubles);
    return now() - start;
}
static void measure(const char *op, size_t bytes, double per, void (*init)(size_t), void (*run)(long, size_t),
                    void (*check)(const char *, size_t))
{
    const char *asked = getenv("KERNEL_OP");
    size_t doubles = bytes / sizeof(double);
    if ((asked && *asked && strcmp(asked, op)) || number("KERNEL_BYTES", (long)bytes) != (long)bytes) return;
    double times[32];
    int reps = (int)number("BENCH_REPS", 7);
    long cold = number("KERNEL_COLD", 0), iterations = 1;
    if (reps > 32) reps = 32;
    init(doubles);
    if (cold) {
        reps = 1;
        iterations = cold;
    } else {
        double rep = number("BENCH_REP_MS", 4) * 1e6;
        for (int settled = 0; settled < 3; ) {
            double took = once(run, iterations, doubles);
            double fitting = iterations * rep / (took < 1 ? 1 : took);
            settled = (int)agree(took > rep / 4 ? settled + 1 : 0);
            iterations = agree(fitting < 1 ? 1 : fitting > 8.0 * iterations ? 8 * iterations : (long)fitting);
        }
    }
    for (int k = 0; k < reps; k++) times[k] = once(run, iterations, doubles) / iterations / per;
    barrier();
    check(op, doubles);
    qsort(times, reps, sizeof *times, ascending);
    row(op, bytes, "lat_med", reps % 2 ? times[reps / 2] : (times[reps / 2 - 1] + times[reps / 2]) / 2);
    row(op, bytes, "lat_min", times[0]);
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = { 64, 4096, 32768, 0 };
    begin(argc, argv);
    for (const size_t *n = sizes; *n; n++) measure("halo", *n, 1, halo_begin, halo, halo_check);
    for (const size_t *n = sizes; *n; n++)
        measure("wavefront", *n, LINES, wavefront_begin, wavefront, wavefront_check);
    for (const size_t *n = sizes; *n; n++) measure("transpose", *n, 1, transpose_begin, transpose, transpose_check);
    fflush(stdout);
    end();
    return 0;
}
