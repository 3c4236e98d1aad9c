// SPDX-License-Identifier: Apache-2.0

import coterie.*;
import coterie.gin.*;
import java.util.Arrays;
import java.util.Locale;

/// What GIN costs between two PEs, with the names of nccl-tests' GIN benchmarks, beside a ping-pong of a flag.
///
/// Run: coterie run -n 2 bench/programs/GinCosts.java [largest bytes, by default 4194304]
///
/// Prints CSV: operation, bytes, least and median nanoseconds of the rounds, and the rate at the median. `flag`,
/// `signal` and `put_signal` are one way: half of there and back. `put`, `get` and `put_counter` are the time of one
/// of a row of 64, with the flush at its end; their targets are not waited for.
class GinCosts {
    static final int ROUNDS = 11;
    static final int ROW = 64;

    interface Body {
        void run(long iterations, long bytes);
    }

    final World world = World.join();
    final int me = world.pe();
    final DeviceCommunicator comm = DeviceCommunicator.create(
            world,
            CommunicatorRequirements.DEFAULT
                    .withConnectionType(ConnectionType.FULL)
                    .withSignals(4)
                    .withCounters(1));
    final Gin gin = comm.gin(0);
    final AffineTeam all = comm.worldTeam();
    final int peer = 1 - me;
    long pings;
    long signals;
    long puts;
    long counted;

    public static void main(String[] args) {
        new GinCosts().measure(args.length > 0 ? Long.parseLong(args[0]) : 4 << 20);
    }

    void measure(long largest) {
        SymmetricMemory memory = world.allocate(2 * largest + 8192, 4096);
        SymmetricMemory flags = world.allocate(4096, 4096);
        Window window = comm.registerWindow(memory);
        LongView flag = flags.longs();
        RemoteAction signal = RemoteAction.weakSignalInc(0);
        RemoteAction arrived = RemoteAction.weakSignalInc(1);
        LocalAction consumed = LocalAction.weakCounterInc(0);
        long source = largest + 4096;
        if (me == 0) {
            System.out.println("operation,bytes,least_ns,median_ns,MB_per_s");
        }
        // Twice: the first pass compiles.
        for (int pass = 0; pass < 2; pass++) {
            boolean prints = pass == 1;
            time(prints, "flag", 8, 2, (n, _) -> pingPong(n, i -> {
                flag.put(0, i, peer);
            }, i -> flag.waitUntil(0, Comparison.GE, i), true));
            time(prints, "signal", 0, 2, (n, _) -> pingPong(
                    n, _ -> gin.signal(all, peer, signal), i -> gin.waitSignal(0, i), false));
            for (long bytes = 4; bytes <= largest; bytes *= 4) {
                time(prints, "put", bytes, 1, (n, b) -> row(n, () -> gin.put(all, 1, window, 0, window, source, b)));
                time(prints, "get", bytes, 1, (n, b) -> row(n, () -> gin.get(all, 1, window, source, window, 0, b)));
                time(prints, "put_signal", bytes, 2, (n, b) -> putSignal(n, window, source, b, arrived));
                time(prints, "put_counter", bytes, 1, (n, b) -> row(n, () -> {
                    gin.put(all, 1, window, 0, window, source, b, RemoteAction.NONE, consumed);
                    gin.waitCounter(0, ++counted);
                }));
            }
        }
        window.close();
        comm.close();
    }

    interface Turn {
        void of(long number);
    }

    void pingPong(long iterations, Turn send, Turn await, boolean isFlag) {
        long from = isFlag ? pings : signals;
        for (long i = from + 1; i <= from + iterations; i++) {
            if (me == 0) {
                send.of(i);
                await.of(i);
            } else {
                await.of(i);
                send.of(i);
            }
        }
        if (isFlag) {
            pings += iterations;
        } else {
            signals += iterations;
        }
    }

    void putSignal(long iterations, Window window, long source, long bytes, RemoteAction arrived) {
        for (long i = puts + 1; i <= puts + iterations; i++) {
            if (me == 0) {
                gin.put(all, peer, window, 0, window, source, bytes, arrived);
                gin.waitSignal(1, i);
            } else {
                gin.waitSignal(1, i);
                gin.put(all, peer, window, 0, window, source, bytes, arrived);
            }
        }
        puts += iterations;
    }

    void row(long iterations, Runnable operation) {
        if (me == 0) {
            for (long i = 0; i < iterations; i++) {
                operation.run();
                if (i % ROW == ROW - 1) {
                    gin.flush();
                }
            }
        }
    }

    /// @param hops operations of one iteration that follow each other
    void time(boolean prints, String name, long bytes, int hops, Body body) {
        long iterations = Math.max(ROW, 20_000 * 64 / Math.max(64, bytes / 16));
        double[] nanos = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            world.team().barrier();
            long start = System.nanoTime();
            body.run(iterations, bytes);
            nanos[round] = (System.nanoTime() - start) / (double) (iterations * hops);
        }
        world.team().barrier();
        Arrays.sort(nanos);
        double median = nanos[ROUNDS / 2];
        if (prints && me == 0) {
            System.out.printf(
                    Locale.ROOT, "%s,%d,%.1f,%.1f,%.0f%n", name, bytes, nanos[0], median, bytes * 1e3 / median);
        }
    }
}
