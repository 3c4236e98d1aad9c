// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.Context;
import coterie.DoubleView;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.DisplayName;

/// Tickets of operations: each completes one operation, by polls or by a wait.
class TicketConformanceTest {
    /// Elements of copies: a word, what a conduit copies at once, what it does not, more than a message.
    private static final int[] COUNTS = {1, 100, 3000, 300_000};

    private static final int MOST = 300_000;

    @SpmdTest(
            pes = {1, 2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "when the ticket of a put is complete, its source may change; when that of a quiet is, the peer sees it")
    void puts(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8L * MOST);
                SymmetricMemory flags = world.allocate(8);
                Context own = world.team().createContext();
                Context other = world.team().createContext();
                Arena arena = Arena.ofShared()) {
            LongView longs = memory.longs().through(own);
            SignalWord flag = flags.signal(0).through(other); // no order between contexts: the ticket alone counts
            MemorySegment source = arena.allocate(8L * MOST, 8);
            for (int round = 0; round < COUNTS.length; round++) {
                int count = COUNTS[round];
                fill(source, count, 1000L * round + world.pe());
                long put = longs.putNbi(0, source, 0, count, right);
                long visible = round % 2 == 0 ? own.quietNbi() : own.quietNbi(right);
                complete(own, put, round);
                fill(source, count, -1);
                complete(own, visible, round);
                flag.set(round + 1, right);
                flags.signal(0).waitUntil(Comparison.GE, round + 1);
                for (int i = 0; i < count; i += 1 + count / 7) {
                    assertThat(longs.get(i)).isEqualTo(1000L * round + left + i);
                }
                world.team().barrier();
            }
        }
    }

    private static void fill(MemorySegment segment, int count, long first) {
        for (int i = 0; i < count; i++) {
            segment.setAtIndex(ValueLayout.JAVA_LONG, i, first + i);
        }
    }

    /// Polls or waits, by turns.
    private static void complete(Context context, long ticket, int turn) {
        if (turn / 2 % 2 == 0) {
            while (!context.isComplete(ticket)) {
                Thread.onSpinWait();
            }
        } else {
            context.complete(ticket);
        }
        assertThat(context.isComplete(ticket)).as("a ticket stays complete").isTrue();
    }

    @SpmdTest(
            pes = {1, 2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "when the ticket of a get or of an atomic is complete, the caller has the elements and the former value")
    void fetches(World world) {
        int me = world.pe();
        int right = (me + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8L * MOST);
                SymmetricMemory cells = world.allocate(8L * 4);
                Arena arena = Arena.ofShared()) {
            LongView longs = memory.longs();
            LongView words = cells.longs();
            DoubleView doubles = cells.doubles();
            fill(memory.segment(), MOST, 5L * me);
            words.set(0, 70 + me);
            words.set(1, 80 + me);
            doubles.set(2, 0.5 + me);
            world.team().barrier();
            Context context = world.context();
            MemorySegment target = arena.allocate(8L * MOST, 8);
            MemorySegment results = arena.allocate(8L * 4, 8);
            for (int round = 0; round < COUNTS.length; round++) {
                int count = COUNTS[round];
                target.fill((byte) -1);
                complete(context, longs.getNbi(0, target, 0, count, right), round);
                for (int i = 0; i < count; i += 1 + count / 7) {
                    assertThat(target.getAtIndex(ValueLayout.JAVA_LONG, i)).isEqualTo(5L * right + i);
                }
            }
            for (int round = 0; round < 4; round++) {
                complete(context, words.fetchNbi(AtomicOperation.ADD, 0, 100, results, 0, right), round);
                assertThat(results.getAtIndex(ValueLayout.JAVA_LONG, 0)).isEqualTo(70 + right + 100L * round);
                complete(context, words.compareAndExchangeNbi(1, 80 + right, 9, results, 1, right), round);
                assertThat(results.getAtIndex(ValueLayout.JAVA_LONG, 1)).isEqualTo(round == 0 ? 80 + right : 9);
                complete(context, doubles.fetchNbi(AtomicOperation.ADD, 2, 1, results, 2, right), round);
                assertThat(results.getAtIndex(ValueLayout.JAVA_DOUBLE, 2)).isEqualTo(0.5 + right + round);
            }
            world.team().barrier();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "tickets of many operations complete in any order, after fences as well, and after a quiet all are complete")
    void manyInAnyOrder(World world) {
        int peer = world.size() - 1 - world.pe();
        int count = 300;
        try (SymmetricMemory memory = world.allocate(8L * 2 * count);
                SymmetricMemory signals = world.allocate(8)) {
            LongView longs = memory.longs();
            Context context = world.context();
            for (int round = 0; round < 2; round++) {
                long[] tickets = new long[2 * count];
                MemorySegment source = MemorySegment.ofArray(new long[count]);
                for (int i = 0; i < count; i++) {
                    source.setAtIndex(ValueLayout.JAVA_LONG, i, i + 1L + round);
                    tickets[2 * i] = longs.putNbi((long) count + i, source, i, 1, peer);
                    if (i % 10 == 0) {
                        context.fence();
                    }
                    tickets[2 * i + 1] = longs.putSignalNbi(
                            i, source, i, 1, signals.signal(0).adding(1), peer);
                }
                if (round == 0) {
                    for (int i = 2 * count - 1; i >= 0; i--) {
                        complete(context, tickets[i], i);
                    }
                } else {
                    context.quiet();
                }
                for (long ticket : tickets) {
                    assertThat(context.isComplete(ticket)).isTrue();
                }
                signals.signal(0).waitUntil(Comparison.EQ, (round + 1L) * count);
                for (int i = 0; i < count; i++) {
                    assertThat(longs.get(i)).isEqualTo(i + 1L + round);
                }
                world.team().barrier();
                for (int i = 0; i < count; i++) {
                    assertThat(longs.get((long) count + i)).isEqualTo(i + 1L + round);
                }
                world.team().barrier();
            }
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "a ticket of another context, one that no operation has returned, and one of a closed context are refused")
    void wrongTickets(World world) {
        int peer = world.size() - 1 - world.pe();
        int count = 300_000; // so long that a conduit does not copy it at once
        try (SymmetricMemory memory = world.allocate(8L * count)) {
            Context first = world.team().createContext();
            Context second = world.team().createContext();
            MemorySegment source = Arena.ofAuto().allocate(8L * count, 8);
            long ticket = memory.longs().through(first).putNbi(0, source, 0, count, peer);
            assertThat(ticket).isNotNegative();
            if (ticket != 0) {
                refused(second, ticket, world.pe());
                refused(world.context(), ticket, world.pe());
            }
            for (long wrong : new long[] {-1, 1, 77, 1L << 47, Long.MAX_VALUE, Long.MIN_VALUE}) {
                refused(second, wrong, world.pe());
            }
            first.complete(ticket);
            first.close();
            assertThatThrownBy(() -> first.isComplete(ticket))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("isComplete on PE " + world.pe())
                    .hasMessageContaining("closed");
            second.close();
            assertThat(Context.INVALID.isComplete(0)).isTrue();
            assertThat(Context.INVALID.quietNbi()).isZero();
            assertThat(Context.INVALID.quietNbi(world.size())).isZero();
            assertThatThrownBy(() -> Context.INVALID.complete(1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> world.context().quietNbi(world.size()))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            world.team().barrier();
        }
    }

    private static void refused(Context context, long ticket, int pe) {
        assertThatThrownBy(() -> context.isComplete(ticket))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("isComplete on PE " + pe)
                .hasMessageContaining("ticket " + ticket);
        assertThatThrownBy(() -> context.complete(ticket)).isInstanceOf(IllegalArgumentException.class);
    }
}
