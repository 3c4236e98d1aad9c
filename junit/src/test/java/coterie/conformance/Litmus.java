// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.Integers;
import coterie.Signal;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/// Has two PEs race through many rounds of a [LitmusShape], and counts how they end.
///
/// ```
///  cell   X (128 bytes)   Y (128 bytes)       a round has a cell of its own: two PEs in different rounds do not meet
///
///  PE 0   barrier │ 0 1 2 · 3 4 5 6 · · 7 …  │ barrier │ compare
///  PE 1   barrier │ · 0 1 2 3 · 4 5 · 6 7 …  │ barrier │ compare
/// ```
///
/// A handshake before each round would drain the very buffers that are looked into, so there is one for a batch only. In
/// between each PE runs as fast as it can, with pauses at random, so that now the one is ahead and now the other. A
/// store then takes as long as the way of its line from the other processor, and whatever may overtake it does.
///
/// Cells are not cleared between rounds, their values grow.
final class Litmus implements AutoCloseable {
    /// The second word of a cell, beyond the pair of lines that a processor may fetch at once.
    static final int Y = 16;

    private static final int CELL = 2 * Y;

    /// Rounds of a batch: few enough that neither PE gets far ahead, many enough that barriers cost little.
    private static final int BATCH = 256;

    /// Outcomes of a step, and of each of the three in a round.
    private static final int OUTCOMES = 16;

    final World world;
    final SymmetricMemory cells;
    final Integers words;
    private final SymmetricMemory exchange;
    private final byte[] mine = new byte[BATCH];
    private final Signal[] signals = new Signal[BATCH];
    private final SplittableRandom random;
    private final boolean threads;

    Litmus(World world) {
        this.world = world;
        this.cells = world.allocate((long) BATCH * CELL * Long.BYTES);
        this.exchange = world.allocate(BATCH);
        this.words = cells.longs();
        this.random = new SplittableRandom(world.pe());
        long pid = ProcessHandle.current().pid();
        this.threads = world.team().sum(pid) == 2 * pid;
        for (int i = 0; i < BATCH; i++) {
            signals[i] = cells.signal(((long) i * CELL + Y) * Long.BYTES);
        }
    }

    /// The Y of a cell as a signal.
    Signal signal(long cell) {
        return signals[(int) cell / CELL];
    }

    /// How many rounds ended how, as one line says it. Both PEs have the same.
    static final class Histogram {
        private final String title;
        private final long[] counts = new long[OUTCOMES * OUTCOMES * OUTCOMES];
        private long rounds;

        /// Rounds that ended as they may not.
        private long forbidden;

        private Histogram(String title) {
            this.title = title;
        }

        long forbidden() {
            return forbidden;
        }

        private void count(int zero, int one, int last, boolean allowed) {
            rounds++;
            counts[(zero * OUTCOMES + one) * OUTCOMES + last]++;
            forbidden += allowed ? 0 : 1;
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("litmus ").append(title).append(": ").append(rounds);
            text.append(" rounds, ").append(forbidden).append(" forbidden; PE 0/PE 1/last");
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    text.append(i == 0 ? " " : ", ").append(i / OUTCOMES / OUTCOMES).append('/');
                    text.append(i / OUTCOMES % OUTCOMES).append('/').append(i % OUTCOMES);
                    text.append(": ").append(counts[i]);
                }
            }
            return text.toString();
        }
    }

    /// Runs rounds until there were that many. Collective.
    Histogram run(LitmusShape shape, long rounds) {
        return run(shape, rounds, false);
    }

    /// Runs rounds until one ended as it may not, or there were that many. Collective.
    Histogram runUntilForbidden(LitmusShape shape, long rounds) {
        return run(shape, rounds, true);
    }

    private Histogram run(LitmusShape shape, long rounds, boolean once) {
        cells.segment().fill((byte) 0);
        Histogram histogram = new Histogram(shape.name() + ", 2 " + (threads ? "threads" : "processes")
                + (Runtime.getRuntime().availableProcessors() == 1 ? ", one processor each" : ""));
        LitmusShape.Step step = world.pe() == 0 ? shape.zero() : shape.one();
        for (long base = 4; histogram.rounds < rounds && !(once && histogram.forbidden > 0); base += 4) {
            world.team().barrier();
            race(step, base);
            exchange.bytes().put(0, MemorySegment.ofArray(mine), 0, BATCH, 1 - world.pe());
            world.team().barrier();
            compare(shape, base, histogram);
        }
        world.team().barrier();
        return histogram;
    }

    private void race(LitmusShape.Step step, long base) {
        // Whoever leaves the barrier last, and it is mostly the same one, shall not always be behind.
        pause(random.nextInt(16));
        for (int i = 0; i < BATCH; i++) {
            pause(random.nextInt(8) - 5);
            mine[i] = (byte) step.run((long) i * CELL, base);
        }
    }

    private static void pause(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private void compare(LitmusShape shape, long base, Histogram histogram) {
        byte[] others = exchange.segment().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
        byte[] zeros = world.pe() == 0 ? mine : others;
        byte[] ones = world.pe() == 0 ? others : mine;
        for (int i = 0; i < BATCH; i++) {
            int last = shape.last().run((long) i * CELL, base);
            histogram.count(zeros[i], ones[i], last, shape.law().allows(zeros[i], ones[i], last));
        }
    }

    @Override
    public void close() {
        exchange.close();
        cells.close();
    }
}
