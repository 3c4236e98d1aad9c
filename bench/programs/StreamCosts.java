// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.stream.*;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

static final int OPERATIONS = 1_000_000;
static final int ROUNDS = 15;
static final int WARM_ROUNDS = 5;
static final int STREAMS = 1_000;
static final int IDLE_CALLS = 20_000;

/// Fewer than the operations of a lane that the records have room for, so that each of them is recorded.
static final int GROUP = 64;

/// The program's puts go to 2^10 places, in the order that a multiplication by this number gives.
static final int SPREAD = 0x9E3779B1;
static final int PLACES = 10;

final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

/// What operations of streams cost, in nanoseconds each; one row for each case, with the least, the median and the
/// greatest of the rounds. Run it by turns with and without records, whose cost is the difference:
///
/// `COTERIE_RECORDS=false coterie run -n 1 bench/programs/StreamCosts.java`
void main() {
    World world = World.join();
    LongView longs = world.allocate(Long.BYTES * 2L * STREAMS).longs();
    MemorySegment one = MemorySegment.ofArray(new long[] {1});
    try (StreamRuntime runtime = StreamRuntime.open(world)) {
        WorkStream stream = runtime.createStream("S");
        Runnable nothing = () -> {};
        IO.println("case,records,least_ns,median_ns,greatest_ns");
        measure("empty, back to back", OPERATIONS, () -> {
            for (int i = 0; i < OPERATIONS; i++) {
                stream.execute(nothing);
            }
            stream.synchronize();
        });
        measure("empty, from idle", IDLE_CALLS, () -> {
            for (int i = 0; i < IDLE_CALLS; i++) {
                stream.execute(nothing);
                stream.synchronize();
            }
        });
        measure("put of 8 bytes, back to back", OPERATIONS, () -> {
            for (int i = 0; i < OPERATIONS; i++) {
                stream.put(longs, 0, one, 0, 1, world.pe());
            }
            stream.synchronize();
        });
        measure("put of 8 bytes, in groups of 64", OPERATIONS, () -> {
            for (int i = 0; i < OPERATIONS; i += GROUP) {
                for (int j = 0; j < GROUP; j++) {
                    stream.put(longs, 0, one, 0, 1, world.pe());
                }
                stream.synchronize();
            }
        });
        measure("put of 8 bytes by the program", OPERATIONS, () -> {
            for (int i = 0; i < OPERATIONS; i++) {
                one.setAtIndex(ValueLayout.JAVA_LONG, 0, i);
                longs.put(i * SPREAD >>> -PLACES, one, 0, 1, world.pe()); // none stores what the one before has stored
            }
        });
        chain(world, runtime, longs);
    }
}

/// Each stream waits for the one before it, and all wait at the same time: progress of the last one needs all.
void chain(World world, StreamRuntime runtime, IntegerView longs) {
    WorkStream[] streams = new WorkStream[STREAMS];
    Arrays.setAll(streams, i -> runtime.createStream("chain-" + i, StreamOption.NON_BLOCKING));
    long[] round = {0};
    measure("stream of 1000 that wait in a chain", STREAMS, () -> {
        long now = ++round[0];
        for (int i = STREAMS - 1; i > 0; i--) {
            streams[i].waitUntil(longs, i - 1, Comparison.GE, now);
            streams[i].put(longs, i, now, world.pe());
        }
        streams[0].put(longs, 0, now, world.pe());
        streams[STREAMS - 1].synchronize();
    });
}

/// Measures the CPU time of this thread, which does all the work: other programs may use the processor meanwhile.
void measure(String name, int operations, Runnable body) {
    double[] nanos = new double[ROUNDS];
    for (int round = -WARM_ROUNDS; round < ROUNDS; round++) {
        long start = threads.getCurrentThreadCpuTime();
        body.run();
        double each = (threads.getCurrentThreadCpuTime() - start) / (double) operations;
        if (round >= 0) {
            nanos[round] = each;
        }
    }
    Arrays.sort(nanos);
    String records = System.getenv().getOrDefault("COTERIE_RECORDS", "true");
    IO.println(String.format(
            Locale.ROOT, "%s,%s,%.1f,%.1f,%.1f", name, records, nanos[0], nanos[ROUNDS / 2], nanos[ROUNDS - 1]));
}
