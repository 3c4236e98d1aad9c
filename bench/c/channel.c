/* SPDX-License-Identifier: Apache-2.0
 *
 * A channel between two processes written by hand: a ring with one producer and one consumer over shared memory, for
 * bench/channel.sh. The words of the slots, the count of free slots and the copies are those of coterie.channel.
 *
 *   cc -std=gnu11 -O3 -march=native -o channel channel.c      SLOTS=64 ./channel BYTES SECONDS
 *
 * Prints the median of the rates of tenths of the time, in messages per second.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "timing.h"

enum { LINE = 64, PARTS = 10 };

static uint64_t slots, stride, bytes;
static _Atomic uint64_t *freed, *filled, *stop;
static char *ring;

/* Spins, and yields where the other process may need this processor. */
static void await(_Atomic uint64_t *word, uint64_t least)
{
    for (int i = 0; atomic_load_explicit(word, memory_order_acquire) < least; i++)
        if (i > 1000) sched_yield();
}

static void produce(double seconds)
{
    static double rates[PARTS];
    char *source = aligned_alloc(LINE, stride);
    memset(source, 1, stride);
    uint64_t sent = 0, known = 0, slot = 0, lap = 1;
    for (int part = -2; part < PARTS; part++) { /* two to warm up */
        double start = now(), end = start;
        uint64_t before = sent;
        while ((end = now()) - start < 1e9 * seconds / PARTS)
            for (int i = 0; i < 1000; i++) {
                if (sent - known >= slots) {
                    await(freed, sent - slots + 1);
                    known = atomic_load_explicit(freed, memory_order_acquire);
                }
                memcpy(ring + slot * stride, source, bytes);
                atomic_store_explicit(filled + slot, lap << 16 | bytes, memory_order_release);
                sent++;
                if (++slot == slots) { slot = 0; lap++; }
            }
        if (part >= 0) rates[part] = (sent - before) / ((end - start) / 1e9);
    }
    await(freed, sent);
    atomic_store(stop, 1);
    qsort(rates, PARTS, sizeof(double), by_value);
    printf("%.0f\n", (rates[PARTS / 2 - 1] + rates[PARTS / 2]) / 2);
}

static void consume(void)
{
    char *target = aligned_alloc(LINE, stride);
    uint64_t taken = 0, slot = 0, lap = 1;
    while (1) {
        for (int i = 0; atomic_load_explicit(filled + slot, memory_order_acquire) < lap << 16; i++)
            if (i > 1000) {
                if (atomic_load(stop)) return;
                sched_yield();
            }
        memcpy(target, ring + slot * stride, filled[slot] & 0xffff);
        __asm__ volatile("" : : "r"(target) : "memory"); /* the copy is of use */
        atomic_store_explicit(freed, ++taken, memory_order_release);
        if (++slot == slots) { slot = 0; lap++; }
    }
}

/* As --bind core: two processes that the system puts on one processor take turns, whatever the ring is like. */
static void bind_to(int processor)
{
    cpu_set_t usable, one;
    sched_getaffinity(0, sizeof usable, &usable);
    CPU_ZERO(&one);
    for (int cpu = 0, n = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &usable) && n++ == processor) CPU_SET(cpu, &one);
    if (CPU_COUNT(&one)) sched_setaffinity(0, sizeof one, &one);
}

int main(int argc, char **argv)
{
    if (argc != 3) return fprintf(stderr, "usage: channel BYTES SECONDS\n"), 2;
    bytes = strtoull(argv[1], 0, 10);
    slots = number("SLOTS", 64);
    stride = (bytes + LINE - 1) / LINE * LINE;
    size_t words = (slots * 8 + LINE - 1) / LINE * LINE;
    size_t size = 2 * LINE + words + slots * stride;
    char *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return perror("mmap"), 1;
    stop = (void *)memory;
    freed = (void *)(memory + LINE);
    filled = (void *)(memory + 2 * LINE);
    ring = memory + 2 * LINE + words;
    pid_t child = fork();
    bind_to(child == 0);
    if (child == 0) { consume(); return 0; }
    produce(atof(argv[2]));
    waitpid(child, 0, 0);
    return 0;
}
