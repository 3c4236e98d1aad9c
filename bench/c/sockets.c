/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of `coterie perf` between two processes over one bare TCP connection, for bench/network.sh. Each side polls
 * its socket without ever sleeping, and has nothing else to do: no failures, no other threads, no order but the wire's.
 *
 *   cc -O3 -march=native -o sockets sockets.c      ./sockets [ADDRESS]
 *
 * With no address both processes are here, on the loopback interface; else process 1 listens at the address, started
 * with LISTEN=1, and process 0 connects. Rows are  system,op,np,bytes,metric,unit,value  as those of coterie perf.
 * Environment: BENCH_REPS, BENCH_REP_MS as for coterie perf.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include "timing.h"

enum { WINDOW = 64, MAX_BYTES = 1 << 20, MAX_REPS = 1000, WARM_UP = 3, PORT = 47113 };
enum { PUT, GET, ADD, QUIET, END };

struct header {
    long kind, bytes, value;
};

static int me, wire;
static char *source, *target;
static long word, acknowledged;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static void take(void *to, size_t n)
{
    for (char *at = to; n > 0;) {
        ssize_t some = recv(wire, at, n, MSG_DONTWAIT);
        if (some == 0 || (some < 0 && errno != EAGAIN)) fail("recv");
        if (some > 0) { at += some; n -= some; }
    }
}

static void give(const struct header *header, const void *data, size_t n)
{
    struct iovec parts[] = {{(void *)header, header ? sizeof *header : 0}, {(void *)data, n}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        ssize_t some = sendmsg(wire, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (some < 0 && errno != EAGAIN) fail("sendmsg");
        for (int part = 0; part < 2 && some > 0; part++) {
            size_t sent = (size_t)some < parts[part].iov_len ? (size_t)some : parts[part].iov_len;
            parts[part].iov_base = (char *)parts[part].iov_base + sent;
            parts[part].iov_len -= sent;
            some -= sent;
        }
    }
}

static void ask(long kind, size_t n, const void *data, size_t length)
{
    struct header header = {kind, n, 1};
    give(&header, data, length);
}

/* Process 1 applies what arrives, until process 0 has no more. */
static void serve(void)
{
    for (;;) {
        struct header header;
        take(&header, sizeof header);
        switch (header.kind) {
        case PUT: take(target, header.bytes); break;
        case GET: give(NULL, source, header.bytes); break;
        case ADD: { long old = word; word += header.value; give(NULL, &old, sizeof old); break; }
        case QUIET: give(NULL, &word, sizeof word); break;
        default: return;
        }
    }
}

static void put_quiet(long count, size_t n)
{
    for (long i = 0; i < count; i++) {
        struct { struct header put; char data[8]; struct header quiet; } both = {{PUT, n, 0}, "", {QUIET, 0, 0}};
        memcpy(both.data, source, sizeof both.data);
        give(NULL, &both, sizeof both);
        take(&acknowledged, sizeof acknowledged);
    }
}
static void get(long count, size_t n)
{
    for (long i = 0; i < count; i++) { ask(GET, n, NULL, 0); take(target, n); }
}
static void fadd(long count, size_t n)
{
    (void)n;
    for (long i = 0; i < count; i++) { ask(ADD, 8, NULL, 0); take(&acknowledged, sizeof acknowledged); }
}
static void put_bw(long count, size_t n)
{
    for (long i = 0; i < count; i++) {
        for (int w = 0; w < WINDOW; w++) ask(PUT, n, source, n);
        ask(QUIET, 0, NULL, 0);
        take(&acknowledged, sizeof acknowledged);
    }
}
static void get_bw(long count, size_t n)
{
    for (long i = 0; i < count; i++) {
        for (int w = 0; w < WINDOW; w++) ask(GET, n, NULL, 0);
        for (int w = 0; w < WINDOW; w++) take(target, n);
    }
}
static void exchange(long count, double *sum)
{
    for (long i = 0; i < count; i++) {
        double mine = me + 1, its;
        give(NULL, &mine, sizeof mine);
        take(&its, sizeof its);
        *sum = mine + its;
    }
}
static void barrier(long count, size_t n)
{
    double sum = 3;
    (void)n;
    exchange(count, &sum);
}
static void reduce(long count, size_t n)
{
    double sum = 0;
    (void)n;
    exchange(count, &sum);
    if (sum != 3) { fprintf(stderr, "sockets: the sum is wrong\n"); exit(1); }
}

static double repetition(void (*operation)(long, size_t), long count, size_t n, int is_of_both)
{
    barrier(1, 0);
    double start = now();
    if (is_of_both || me == 0) operation(count, n);
    else serve();
    double end = now();
    if (!is_of_both && me == 0) ask(END, 0, NULL, 0);
    barrier(1, 0);
    return end - start;
}

static void measure(const char *op, void (*operation)(long, size_t), size_t n, int is_of_both, double bytes)
{
    static double times[MAX_REPS];
    double wanted = 1e6 * number("BENCH_REP_MS", 4);
    int reps = number("BENCH_REPS", 7);
    long next[] = {1, 0};
    if (reps > MAX_REPS) reps = MAX_REPS;
    for (int round = 0; round < WARM_UP; round += next[1]) {
        double taken = repetition(operation, next[0], n, is_of_both);
        if (me == 0) {
            double more = next[0] * wanted / taken;
            more = more < 1 ? 1 : more > 10.0 * next[0] ? 10.0 * next[0] : more;
            next[0] = (long)more;
            next[1] = taken > wanted / 2;
            give(NULL, next, sizeof next);
        } else {
            take(next, sizeof next);
        }
    }
    for (int rep = 0; rep < reps; rep++) times[rep] = repetition(operation, next[0], n, is_of_both) / next[0];
    if (me != 0) return;
    qsort(times, reps, sizeof *times, by_value);
    double median = times[reps / 2];
    if (bytes > 0) printf("sockets,%s,2,%zu,bw_med,GB/s,%.4f\n", op, n, bytes / median);
    else printf("sockets,%s,2,%zu,lat_med,ns,%.2f\n", op, n, median);
    fflush(stdout);
}

static void connected(const char *host)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    int yes = 1;
    if (inet_pton(AF_INET, host ? host : "127.0.0.1", &address.sin_addr) != 1) fail(host);
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    int is_listener = host == NULL || getenv("LISTEN") != NULL;
    if (is_listener) {
        setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (bind(listening, (struct sockaddr *)&address, sizeof address) || listen(listening, 1)) fail("listen");
    }
    me = host == NULL ? fork() != 0 ? 0 : 1 : is_listener;
    if (me == 1) {
        wire = accept(listening, NULL, NULL);
    } else {
        wire = socket(AF_INET, SOCK_STREAM, 0);
        for (double end = now() + 1e10; connect(wire, (struct sockaddr *)&address, sizeof address) != 0;)
            if (now() > end) fail("connect");
    }
    if (wire < 0) fail("accept");
    setsockopt(wire, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

int main(int count, char **arguments)
{
    static const size_t sizes[] = {65536, MAX_BYTES};
    cpu_set_t mine;
    connected(count > 1 ? arguments[1] : NULL);
    CPU_ZERO(&mine);
    CPU_SET(me, &mine);
    if (sched_setaffinity(0, sizeof mine, &mine)) fail("sched_setaffinity");
    source = calloc(1, MAX_BYTES);
    target = calloc(1, MAX_BYTES);
    if (!source || !target) fail("calloc");
    measure("put_quiet", put_quiet, 8, 0, 0);
    measure("get", get, 8, 0, 0);
    measure("fadd", fadd, 8, 0, 0);
    measure("barrier", barrier, 0, 1, 0);
    measure("reduce", reduce, 8, 1, 0);
    for (int k = 0; k < 2; k++) {
        measure("put_bw", put_bw, sizes[k], 0, (double)WINDOW * sizes[k]);
        measure("get_bw", get_bw, sizes[k], 0, (double)WINDOW * sizes[k]);
    }
    return 0;
}
