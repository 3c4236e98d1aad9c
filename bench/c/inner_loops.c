/* SPDX-License-Identifier: Apache-2.0
 * The stencil of bench/InnerLoops.java in C:  cc -O3 -march=native -o inner_loops inner_loops.c && ./inner_loops
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 32, REPETITIONS = 4000 };

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
static void step(double *restrict to, const double *restrict from, size_t width)
{
    for (size_t row = 1; row <= ROWS; row++)
        for (size_t i = row * width + 1; i < (row + 1) * width - 1; i++)
            to[i] = 0.25 * (from[i - width] + from[i + width] + (from[i - 1] + from[i + 1]));
}
int main(void)
{
    for (size_t width = 512; width <= 4096; width *= 8) {
        double *from = calloc((ROWS + 2) * width, sizeof *from), *to = calloc((ROWS + 2) * width, sizeof *to);
        long least = 1L << 62;
        for (int k = 0; k < REPETITIONS; k++) {
            long start = now();
            for (int i = 0; i < 4; i++) {
                step(to, from, width);
                __asm__ volatile("" : : "r"(to) : "memory");
            }
            if (now() - start < least) least = now() - start;
        }
        printf("%-20s %5zu %6ld ps\n", "C", width, least * 1000 / (4L * ROWS * (long)width));
        free(from);
        free(to);
    }
    return 0;
}
