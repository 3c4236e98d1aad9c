// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The guarantees of order, with a small program for each: one PE puts, and another one checks that it reads the
/// put.
///
/// A program has many rounds, each with memory of its own, so that only the guarantee in question orders the
/// accesses.
enum OrderCase {
    /// SH-R1: bytes put before a barrier are visible after it.
    BARRIER(2, ""),

    /// SH-R9: put, quiet, flag to a third PE: the third PE gets the put bytes.
    QUIET(3, ""),

    /// SH-R9 with a put after a fence, which may not have been started yet at the quiet.
    QUIET_BEHIND_FENCE(3, ""),

    /// SH-R10: put, fence, flag.
    FENCE(2, ""),

    /// GI-V4: two puts, and a strong signal: a fence and a signal.
    STRONG_SIGNAL(2, ""),

    /// SH-S1: a put with signal.
    PUT_SIGNAL(2, ""),

    /// GI-V13: a put with signal that travels in 16 pieces.
    SPLIT_PUT_SIGNAL(2, "mtu=64");

    private static final int ROUNDS = 12;

    /// Longs of each round.
    private static final int SPAN = 128;

    final int pes;
    private final String script;

    OrderCase(int pes, String script) {
        this.pes = pes;
        this.script = script;
    }

    /// @param number of the round
    private record Round(World world, SymmetricMemory memory, int number) {
        int pe() {
            return world.pe();
        }

        IntegerView longs() {
            return memory.longs();
        }

        /// Returns the index of the round's first long.
        int first() {
            return number * SPAN;
        }

        /// Returns the index of its flag.
        long flag() {
            return (long) ROUNDS * SPAN + number;
        }

        /// Returns what is put in this round.
        long value() {
            return 1_000L + number;
        }

        void put(int index, int pe) {
            longs().put(first() + index, value(), pe);
        }

        /// Sets the flag of a PE.
        void flag(int pe) {
            longs().put(flag(), 1, pe);
        }

        void awaitFlag() {
            longs().waitUntil(flag(), Comparison.EQ, 1);
        }

        SignalWord signal() {
            return memory.signal(flag());
        }

        /// Checks a long of this PE.
        void expect(int index) {
            check(index, longs().get(first() + index));
        }

        /// Checks a long of another PE.
        void expect(int index, int pe) {
            check(index, longs().get(first() + index, pe));
        }

        private void check(int index, long found) {
            if (found != value()) {
                throw new Stale("round " + number + ", word " + index + ": " + found + " instead of " + value());
            }
        }
    }

    /// Put bytes are not visible.
    static final class Stale extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stale(String message) {
            super(message);
        }
    }

    /// Returns the settings of the case, together with those of the caller.
    String script(String more) {
        return script.isEmpty() ? more : script + "," + more;
    }

    /// The program of each PE. It allocates once: an allocation depends on the same orders, and a mutation that
    /// it stumbles over shows nothing of the case.
    void run(World world) {
        try (SymmetricMemory memory = world.allocate((long) ROUNDS * (SPAN + 1) * Long.BYTES)) {
            for (int number = 0; number < ROUNDS; number++) {
                run(new Round(world, memory, number));
            }
        }
    }

    private void run(Round round) {
        switch (this) {
            case BARRIER -> barrier(round);
            case QUIET -> quiet(round);
            case QUIET_BEHIND_FENCE -> quietBehindFence(round);
            case FENCE -> fence(round);
            case STRONG_SIGNAL -> strongSignal(round);
            case PUT_SIGNAL -> putSignal(round);
            case SPLIT_PUT_SIGNAL -> splitPutSignal(round);
        }
    }

    private static void barrier(Round round) {
        if (round.pe() == 0) {
            round.put(0, 1);
        }
        round.world.team().barrier();
        if (round.pe() == 1) {
            round.expect(0);
        }
    }

    private static void quiet(Round round) {
        if (round.pe() == 0) {
            round.put(0, 1);
            round.world.context().quiet();
            round.flag(2);
        } else if (round.pe() == 2) {
            round.awaitFlag();
            round.expect(0, 1);
        }
    }

    private static void quietBehindFence(Round round) {
        if (round.pe() == 0) {
            round.put(0, 1);
            round.world.context().fence();
            round.put(1, 1);
            round.world.context().quiet();
            round.flag(2);
        } else if (round.pe() == 2) {
            round.awaitFlag();
            round.expect(1, 1);
            round.expect(0, 1);
        }
    }

    private static void fence(Round round) {
        if (round.pe() == 0) {
            round.put(0, 1);
            round.world.context().fence();
            round.flag(1);
        } else {
            round.awaitFlag();
            round.expect(0);
        }
    }

    private static void strongSignal(Round round) {
        if (round.pe() == 0) {
            round.put(0, 1);
            round.put(1, 1);
            round.world.context().fence();
            round.signal().add(1, 1);
        } else {
            round.signal().waitUntil(Comparison.GE, 1);
            round.expect(0);
            round.expect(1);
        }
    }

    private static void putSignal(Round round) {
        if (round.pe() == 0) {
            send(round, 1);
        } else {
            round.signal().waitUntil(Comparison.GE, 1);
            round.expect(0);
        }
    }

    /// Polls, because the arrival of a piece wakes no wait.
    private static void splitPutSignal(Round round) {
        if (round.pe() == 0) {
            send(round, SPAN);
        } else {
            while (round.signal().fetch() == 0) {
                Thread.onSpinWait();
            }
            for (int index = 0; index < SPAN; index++) {
                round.expect(index);
            }
        }
    }

    private static void send(Round round, int count) {
        long[] values = new long[count];
        Arrays.fill(values, round.value());
        MemorySegment source = MemorySegment.ofArray(values);
        round.longs().putSignal(round.first(), source, 0, count, round.signal().setting(1), 1);
    }
}
