// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.AtomicOperation;
import coterie.ByteView;
import coterie.Comparison;
import coterie.Context;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;

/// Puts with a signal, and signals alone.
class SignalConformanceTest {
    private static final int LONGS = 64;

    @EverySize
    @DisplayName("SH-S1 a message of 64 longs travels the ring: a PE that sees the signal sees all of it")
    void aMessageTravelsTheRing(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory message = world.allocate(LONGS * Long.BYTES);
                SymmetricMemory word = world.allocate(Long.BYTES)) {
            SignalWord signal = word.signal(0);
            for (int lap = 1; lap <= 50; lap++) {
                if (world.pe() == 0) {
                    message.longs().putSignal(0, Longs.counting(lap, LONGS), 0, LONGS, signal.setting(lap), right);
                }
                assertThat(signal.waitUntil(Comparison.EQ, lap)).isEqualTo(lap);
                assertThat(Longs.of(message))
                        .isEqualTo(Longs.counting(lap, LONGS).toArray(JAVA_LONG));
                if (world.pe() != 0) {
                    message.longs().putSignal(0, message.segment(), 0, LONGS, signal.setting(lap), right);
                }
            }
        }
    }

    @EverySize
    @DisplayName("SH-S2 every PE adds its number to a signal of PE 0: the wait returns the sum that satisfied it")
    void additionsSumUp(World world) {
        long sum = world.size() * (world.size() + 1L) / 2;
        try (SymmetricMemory memory = world.allocate(2 * Long.BYTES)) {
            SignalWord signal = memory.signal(1);
            MemorySegment payload = Longs.counting(5, 1);
            memory.longs().putSignal(0, payload, 0, 1, signal.adding(world.pe() + 1), 0);
            if (world.pe() == 0) {
                assertThat(signal.waitUntil(Comparison.GE, sum)).isEqualTo(sum);
                assertThat(Longs.of(memory)).containsExactly(5, sum);
            }
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("SH-S3 SH-R7 a put of nothing with a signal updates the signal, and nothing else")
    void nothingWithASignal(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(2 * Long.BYTES)) {
            SignalWord signal = memory.signal(0);
            // Its place may be the signal's own: nothing is put there.
            memory.longs().putSignal(0, MemorySegment.NULL, 0, 0, signal.setting(40), right);
            world.context().fence();
            memory.bytes().putSignal(16, MemorySegment.NULL, 0, 0, signal.adding(1), right);
            memory.doubles().putSignalNbi(1, MemorySegment.NULL, 0, 0, signal.adding(1), right);
            assertThat(signal.waitUntil(Comparison.EQ, 42)).isEqualTo(42);
            assertThat(Longs.of(memory)).containsExactly(42, 0);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("SH-S4 a signal promises its own payload; with a fence before it, what was put before as well")
    void aFenceOrdersWhatWasPutBefore(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(3 * Long.BYTES);
                SymmetricMemory word = world.allocate(Long.BYTES)) {
            SignalWord signal = word.signal(0);
            for (int round = 1; round <= 100; round++) {
                boolean fenced = round % 2 == 0;
                memory.longs().put(0, round, right);
                memory.longs().putNbi(1, Longs.counting(round, 1), 0, 1, right);
                if (fenced) {
                    world.context().fence();
                }
                memory.longs().putSignal(2, Longs.counting(round, 1), 0, 1, signal.setting(round), right);
                signal.waitUntil(Comparison.EQ, round);
                assertThat(Longs.get(memory, 2)).isEqualTo(round);
                if (fenced) {
                    assertThat(Longs.of(memory)).containsOnly(round);
                }
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-S6 a thousand additions from each other PE, without payload: not one is lost")
    void additionsWithoutPayload(World world) {
        int additions = Rounds.of(1_000);
        try (SymmetricMemory word = world.allocate(Long.BYTES)) {
            SignalWord signal = word.signal(0);
            signal.set(0, world.pe());
            world.team().barrier();
            if (world.pe() == 0) {
                long expected = (long) additions * (world.size() - 1);
                assertThat(signal.waitUntil(Comparison.EQ, expected)).isEqualTo(expected);
                assertThat(signal.fetch()).isEqualTo(expected);
            } else {
                for (int i = 0; i < additions; i++) {
                    signal.add(1, 0);
                }
            }
        }
    }

    @EverySize
    @DisplayName("SH-S7 putSignalNbi, quiet, source overwritten: a PE that sees the signal sees the old payload")
    void quietFreesTheSource(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory memory = world.allocate(LONGS * Long.BYTES);
                SymmetricMemory word = world.allocate(Long.BYTES)) {
            SignalWord signal = word.signal(0);
            long[] source = Longs.counting(1_000L * world.pe(), LONGS).toArray(JAVA_LONG);
            memory.longs().putSignalNbi(0, MemorySegment.ofArray(source), 0, LONGS, signal.adding(1), right);
            world.context().quiet();
            Arrays.fill(source, -1);
            signal.waitUntil(Comparison.EQ, 1);
            assertThat(Longs.of(memory))
                    .isEqualTo(Longs.counting(1_000L * left, LONGS).toArray(JAVA_LONG));
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("SH-S8 a PE that does nothing but fetch its own word sees the update, and what was ordered before it")
    void fetchingAlone(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory memory = world.allocate(2 * Long.BYTES)) {
            SignalWord signal = memory.signal(0);
            memory.longs().put(1, world.pe() + 100, right);
            world.context().fence();
            signal.set(7, right);
            while (signal.fetch() != 7) {
                Thread.onSpinWait();
            }
            assertThat(Longs.get(memory, 1)).isEqualTo(left + 100);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("signals, puts with signals and atomics of one word are one domain: mixed, not one addition is lost")
    void oneDomain(World world) {
        int rounds = Rounds.of(1_000);
        try (SymmetricMemory memory = world.allocate((2L + (long) rounds * world.size()) * Long.BYTES)) {
            SignalWord signal = memory.signal(1);
            LongView words = memory.longs();
            long[] old = new long[1];
            for (int i = 0; i < rounds; i++) {
                signal.add(1, 0);
                words.add(1, 1, 0);
                words.getAndAdd(1, 1, 0);
                words.fetchNbi(AtomicOperation.ADD, 1, 1, MemorySegment.ofArray(old), 0, 0);
                long place = 2 + (world.pe() * (long) rounds) + i;
                words.putSignal(place, Longs.counting(i, 1), 0, 1, signal.adding(1), 0);
            }
            world.team().barrier();
            assertThat(words.getAcquire(1, 0)).isEqualTo(5L * rounds * world.size());
            world.team().barrier();
            if (world.pe() == world.size() - 1) {
                signal.set(9, 0);
                world.context().fence();
                words.add(1, 1, 0);
            }
            world.team().barrier();
            assertThat(words.get(1, 0)).isEqualTo(10);
            assertThat(words.getAndSet(0, 1, 0)).as("the word beside it").isBetween(0L, 1L);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("signals are unsigned: the greatest number is greater than 1, and additions wrap")
    void signalsAreUnsigned(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(Long.BYTES)) {
            SignalWord signal = memory.signal(0);
            signal.set(Long.MIN_VALUE, right);
            assertThat(signal.waitUntil(Comparison.GT, 1)).isEqualTo(Long.MIN_VALUE);
            world.team().barrier();
            signal.add(Long.MAX_VALUE, right);
            assertThat(signal.waitUntil(Comparison.EQ, -1)).isEqualTo(-1);
            world.team().barrier();
            signal.add(2, right);
            assertThat(signal.waitUntil(Comparison.LT, 2, Duration.ofSeconds(20)))
                    .isEqualTo(1);
            assertThatThrownBy(() -> signal.waitUntil(Comparison.GT, 1, Duration.ofMillis(1)))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("(it is 1)");
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("puts with signals and signals alone through a team's context: its PE numbers, its completion")
    void throughATeamsContext(World world) {
        try (SymmetricMemory memory = world.allocate(2 * Long.BYTES);
                Context context = world.team().createContext()) {
            int right = (context.team().member() + 1) % context.team().size();
            SignalWord signal = memory.signal(1);
            LongView words = memory.longs().through(context);
            words.putSignal(0, Longs.counting(5, 1), 0, 1, signal.adding(2), right);
            signal.through(context).add(3, right);
            context.quiet();
            assertThat(signal.through(context).waitUntil(Comparison.EQ, 5)).isEqualTo(5);
            assertThat(Longs.of(memory)).containsExactly(5, 5);
            assertThat(signal.index()).isEqualTo(1);
            assertThat(signal.through(context).memory()).isSameAs(memory);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("a signal within what is put, in whole or in part, is refused with its offset; beside it is allowed")
    void refusesASignalWithinThePayload(World world) {
        MemorySegment source = MemorySegment.ofArray(new byte[32]);
        try (SymmetricMemory memory = world.allocate(32)) {
            SignalWord signal = memory.signal(1);
            ByteView bytes = memory.bytes();
            int right = (world.pe() + 1) % world.size();
            for (int[] range : new int[][] {{0, 9}, {0, 32}, {8, 8}, {10, 2}, {15, 17}}) {
                assertThatThrownBy(() -> bytes.putSignal(range[0], source, 0, range[1], signal.setting(1), right))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("putSignal on PE " + world.pe())
                        .hasMessageContaining("the put of " + range[1] + " elements from index " + range[0])
                        .hasMessageContaining("the 64-bit word at index 1 ");
                assertThatThrownBy(() -> bytes.putSignalNbi(range[0], source, 0, range[1], signal.adding(1), right))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("putSignalNbi on PE " + world.pe());
            }
            world.team().barrier();
            assertThat(Longs.of(memory)).containsOnly(0);
            world.team().barrier();
            bytes.putSignal(0, source, 0, 8, signal.adding(1), right);
            bytes.putSignal(16, source, 0, 16, signal.adding(1), right);
            signal.waitUntil(Comparison.EQ, 2);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("BR-33 blocking puts with a signal, without a fence, of 1 byte to 64 KiB: a poll that sees the signal"
            + " sees every byte")
    void signalWithoutFence(World world) {
        int most = 64 << 10;
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        int[] sizes = {1, 7, 8, 63, 64, 65, 1_000, 4_096, 8_193, most};
        try (SymmetricMemory memory = world.allocate(2L * most);
                SymmetricMemory words = world.allocate(16)) {
            SignalWord signal = words.signal(0);
            ByteView bytes = memory.bytes();
            byte[] mine = new byte[most];
            int rounds = Rounds.of(sizes.length, 2_000);
            for (int round = 1; round <= rounds; round++) {
                int size = sizes[round % sizes.length];
                int half = round % 2 * most;
                Arrays.fill(mine, 0, size, (byte) (round * 7 + world.pe()));
                bytes.putSignal(half, MemorySegment.ofArray(mine), 0, size, signal.setting(round), right);
                while (words.longs().getAcquire(0, world.pe()) < round) {
                    world.progress();
                }
                for (int i = 0; i < size; i++) {
                    if (bytes.get(half + i) != (byte) (round * 7 + left)) {
                        throw new AssertionError("byte " + i + " of " + size + " in round " + round);
                    }
                }
                world.team().barrier();
            }
        }
    }
}
