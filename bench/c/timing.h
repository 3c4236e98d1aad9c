/* SPDX-License-Identifier: Apache-2.0
 *
 * What the C programs beside `coterie perf` measure with.
 */
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e9 + t.tv_nsec;
}
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static int number(const char *variable, int otherwise)
{
    return getenv(variable) ? atoi(getenv(variable)) : otherwise;
}
