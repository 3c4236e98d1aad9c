// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import coterie.IntegerView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/// Has two PEs race through many rounds of a [LitmusShape], and counts how they end.
///
/// A handshake before each round would drain the very buffers that are looked into, so there is one for a batch
/// only. In it the PEs agree on a time, and from then on the clock starts each round, a touch early or late at
/// random. So both set off within the time that a store takes to the other processor, and whatever may overtake it
/// does.
///
/// ```
///  PE 0   barrier │ 0   1   2     3   4  … │ results │ barrier │ compare
///  PE 1   barrier │  0  1     2   3  4   … │ results │ barrier │ compare
///                 start           due = start + 3 × 250 ns + jitter
///
///  cell   X (128 bytes)   Y (128 bytes)       each round of a batch has its own
/// ```
///
/// Cells are not cleared between rounds, their values grow.
final class Litmus implements AutoCloseable {
    /// The second word of a cell, beyond the pair of lines that a processor may fetch at once.
    static final int Y = 16;

    private static final int CELL = 2 * Y;

    /// Rounds of a batch: the barriers cost little beside them, and a PE that was interrupted does not miss many.
    private static final int BATCH = 256;

    /// From the agreement on a start to the start: a barrier fits in.
    private static final long START_NANOS = 2_000;

    /// From one round to the next: twice what two stores of lines that are elsewhere and a full fence take.
    private static final long ROUND_NANOS = 250;

    /// How much later than planned a round may start: as long as a line travels.
    private static final int JITTER_NANOS = 64;

    final World world;
    final SymmetricMemory cells;
    final IntegerView words;
    private final SymmetricMemory exchange;
    private final SymmetricMemory start;
    private final byte[] mine = new byte[BATCH];
    private final SignalWord[] signals = new SignalWord[BATCH];
    private final SplittableRandom random;
    private final String mode;

    /// Where the PEs run.
    enum Place {
        ANYWHERE,
        OWN_PROCESSOR;

        /// What this machine has.
        static List<Place> all() {
            return Processors.usable().cardinality() > 1 ? List.of(values()) : List.of(ANYWHERE);
        }
    }

    /// Collective.
    Litmus(World world) {
        this.world = world;
        this.cells = world.allocate((long) BATCH * CELL * Long.BYTES);
        this.exchange = world.allocate(BATCH);
        this.start = world.allocate(Long.BYTES);
        this.words = cells.longs();
        this.random = new SplittableRandom(world.pe());
        long pid = ProcessHandle.current().pid();
        this.mode = world.team().sum(pid) == 2 * pid ? "threads" : "processes";
        for (int i = 0; i < BATCH; i++) {
            signals[i] = cells.signal((long) i * CELL + Y);
        }
    }

    /// The Y of a cell as a signal.
    SignalWord signal(long cell) {
        return signals[(int) cell / CELL];
    }

    /// Runs so many rounds, or some more. Collective.
    ///
    /// @return the same on both PEs
    LitmusHistogram run(LitmusShape shape, long rounds, Place place) {
        return run(shape, rounds, place, false);
    }

    /// Runs until a round has ended as it may not, or there were so many. Collective.
    LitmusHistogram runUntilForbidden(LitmusShape shape, long rounds, Place place) {
        return run(shape, rounds, place, true);
    }

    private LitmusHistogram run(LitmusShape shape, long rounds, Place place, boolean once) {
        String where = place == Place.ANYWHERE ? mode : mode + ", pinned";
        LitmusHistogram histogram = new LitmusHistogram(shape.name() + ", " + where);
        Runnable batches = () -> {
            for (long base = 4; histogram.rounds() < rounds && !(once && histogram.forbidden() > 0); base += 4) {
                batch(shape, base, histogram);
            }
        };
        cells.segment().fill((byte) 0);
        if (place == Place.ANYWHERE) {
            batches.run();
        } else {
            Processors.on(world.pe(), batches);
        }
        world.team().barrier();
        return histogram;
    }

    private void batch(LitmusShape shape, long base, LitmusHistogram histogram) {
        if (world.pe() == 0) {
            long soon = System.nanoTime() + START_NANOS;
            start.longs().set(0, soon);
            start.longs().put(0, soon, 1);
        }
        world.team().barrier();
        race(world.pe() == 0 ? shape.zero() : shape.one(), base, start.longs().get(0));
        exchange.bytes().put(0, MemorySegment.ofArray(mine), 0, BATCH, 1 - world.pe());
        world.team().barrier();
        byte[] others = exchange.segment().toArray(JAVA_BYTE);
        byte[] zeros = world.pe() == 0 ? mine : others;
        byte[] ones = world.pe() == 0 ? others : mine;
        for (int i = 0; i < BATCH; i++) {
            int last = shape.last().run((long) i * CELL, base);
            histogram.count(zeros[i], ones[i], last, shape.law().allows(zeros[i], ones[i], last));
        }
    }

    private void race(LitmusShape.Step step, long base, long startNanos) {
        for (int i = 0; i < BATCH; i++) {
            long due = startNanos + i * ROUND_NANOS + random.nextInt(JITTER_NANOS);
            long now;
            do {
                now = System.nanoTime();
            } while (now - due < 0);
            mine[i] = (byte) step.run((long) i * CELL, base);
        }
    }

    @Override
    public void close() {
        start.close();
        exchange.close();
        cells.close();
    }
}
