// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.IntegerView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// Atomics on integers of all widths.
class AtomicConformanceTest {
    @EverySize
    @DisplayName("SH-A1 N times 10,000 fetch-adds of 1 on one word, fewer on narrow ones: every value once")
    void everyValueIsFetchedOnce(World world) {
        for (int width : new int[] {1, 2, 4, 8}) {
            int values = 1 << Math.min(30, 8 * width);
            int adds = Math.min(Rounds.of(10_000), values / world.size());
            int total = world.size() * adds;
            try (SymmetricMemory memory = world.allocate(3L * width);
                    SymmetricMemory fetched = world.allocate((long) total * Long.BYTES)) {
                IntegerView counter = Views.integers(memory).get(2 * Integer.numberOfTrailingZeros(width) + 1);
                long[] mine = new long[adds];
                for (int i = 0; i < adds; i++) {
                    mine[i] = counter.getAndAdd(1, 1, 0);
                }
                fetched.longs().put((long) world.pe() * adds, MemorySegment.ofArray(mine), 0, adds, 0);
                world.team().barrier();
                assertThat(mine).as("values of one PE ascend").isSorted();
                if (world.pe() == 0) {
                    assertThat(counter.get(1)).isEqualTo(Views.lowBits(counter, total));
                    BitSet seen = new BitSet();
                    for (long value : Longs.of(fetched)) {
                        assertThat(seen.get((int) value))
                                .as("%d of %d bytes twice", value, width)
                                .isFalse();
                        seen.set((int) value);
                    }
                    assertThat(seen.length()).isEqualTo(total);
                }
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-A2 a counter at -1 that each PE swaps from the one before to its own number: they come in order")
    void swapsComeInOrder(World world) {
        try (SymmetricMemory memory = world.allocate(64)) {
            for (IntegerView counter : Views.integers(memory)) {
                counter.set(5, -1);
                world.team().barrier();
                while (counter.compareAndExchange(5, world.pe() - 1, world.pe(), 0)
                        != Views.lowBits(counter, world.pe() - 1)) {
                    Thread.onSpinWait();
                }
                world.team().barrier();
                assertThat(counter.getAcquire(5, 0)).isEqualTo(world.size() - 1);
                world.team().barrier();
                memory.segment().fill((byte) 0);
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-A3 compareAndExchange returns what was there, whether it stored or not")
    void compareAndExchangeReturnsTheOldValue(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(64)) {
            for (IntegerView cell : Views.integers(memory)) {
                cell.setRelease(3, 4, right);
                world.context().quiet();
                assertThat(cell.compareAndExchange(3, 0, 1, right)).isEqualTo(4);
                assertThat(cell.getAcquire(3, right)).isEqualTo(4);
                assertThat(cell.compareAndExchange(3, 4, 0, right)).isEqualTo(4);
                assertThat(cell.getAcquire(3, right)).isZero();
                assertThat(cell.compareAndExchange(3, 0, -2, right)).isZero();
                assertThat(cell.compareAndExchange(3, -2, 0, right)).isEqualTo(Views.lowBits(cell, -2));
                assertThat(cell.getAcquire(3, right)).isZero();
            }
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("SH-A4 every PE clears its bit of all ones, sets it in 0, and flips it twice: by every form")
    void bitsOfAllPes(World world) {
        long bit = 1L << world.pe();
        long all = (1L << world.size()) - 1;
        try (SymmetricMemory memory = world.allocate(64)) {
            for (IntegerView words : Views.integers(memory)) {
                words.set(0, -1);
                words.set(1, -1);
                for (int i = 2; i < 6; i++) {
                    words.set(i, 0);
                }
                world.team().barrier();
                words.and(0, ~bit, 0);
                assertThat(words.getAndBitwiseAnd(1, ~bit, 0) & bit).isEqualTo(bit);
                words.or(2, bit, 0);
                assertThat(words.getAndBitwiseOr(3, bit, 0) & bit).isZero();
                words.xor(4, bit, 0);
                assertThat(words.getAndBitwiseXor(5, bit, 0) & bit).isZero();
                world.team().barrier();
                assertThat(words.getAcquire(0, 0)).isEqualTo(Views.lowBits(words, ~all));
                assertThat(words.getAcquire(1, 0)).isEqualTo(Views.lowBits(words, ~all));
                for (int i = 2; i < 6; i++) {
                    assertThat(words.getAcquire(i, 0)).isEqualTo(Views.lowBits(words, all));
                }
                world.team().barrier();
                words.xor(4, bit, 0);
                assertThat(words.getAndBitwiseXor(5, bit, 0) & bit).isEqualTo(bit);
                world.team().barrier();
                assertThat(words.getAcquire(4, 0)).isZero();
                assertThat(words.getAcquire(5, 0)).isZero();
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-A8 fetchNbi, each operation, and compareAndExchangeNbi: after a quiet the old value is there")
    void fetchesWithoutWaiting(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(128)) {
            for (IntegerView cell : Views.integers(memory)) {
                for (AtomicOperation operation : AtomicOperation.values()) {
                    long before = 0x0A;
                    long after = switch (operation) {
                        case FETCH -> 0x0A;
                        case SWAP -> 0x0C;
                        case ADD -> 0x16;
                        case AND -> 0x08;
                        case OR -> 0x0E;
                        case XOR -> 0x06;
                    };
                    MemorySegment result = MemorySegment.ofArray(new long[] {-1, -1, -1, -1});
                    int width = cell.type().byteSize();
                    cell.setRelease(7, before, right);
                    world.context().quiet();
                    cell.fetchNbi(operation, 7, 0x0C, result, 1, right);
                    world.context().quiet();
                    assertThat(at(result, width, 1)).as("%s", operation).isEqualTo(before);
                    assertThat(cell.getAcquire(7, right)).as("%s", operation).isEqualTo(after);
                    cell.compareAndExchangeNbi(7, after, -3, result, 2, right);
                    world.context().quiet();
                    cell.compareAndExchangeNbi(7, 1, 2, result, 0, right);
                    world.context().quiet();
                    assertThat(at(result, width, 2)).isEqualTo(after);
                    assertThat(at(result, width, 0)).isEqualTo(-3);
                    assertThat(at(result, width, 1)).as("beside the results").isEqualTo(before);
                    assertThat(at(result, 1, 3L * width))
                            .as("behind the results")
                            .isEqualTo(-1);
                    assertThat(cell.getAcquire(7, right)).isEqualTo(Views.lowBits(cell, -3));
                }
                assertThat(cell.get(6, right)).as("the element below").isZero();
                assertThat(cell.get(8, right)).as("the element above").isZero();
                cell.setRelease(7, 0, right);
                world.context().quiet();
            }
            world.team().barrier();
        }
    }

    @SpmdTest(pes = {2, 3, 4})
    @DisplayName("SH-A10 readers that do nothing but fetch, their own word or another's, see the writer's atomic")
    void readersProgress(World world) {
        readersSee(world, words -> {
            int at = world.pe() == 0 ? 0 : world.pe() - 1;
            while (words.getAcquire(3, at) != 7) {
                Thread.onSpinWait();
            }
            while (words.getAcquire(3, world.pe()) != 7) {
                Thread.onSpinWait();
            }
            assertThat(words.get(3, world.pe())).isEqualTo(7);
        });
    }

    // Not in simulated networks: a plain get of a word that another sets is a race there, and reported as one.
    @SpmdTest(
            pes = {2, 3, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("SH-A10 readers that do nothing but get their own word see the writer's atomic")
    void gettingProgresses(World world) {
        readersSee(world, words -> {
            while (words.get(3, world.pe()) != 7) {
                Thread.onSpinWait();
            }
        });
    }

    /// The last PE sets word 3 of all others to 7, which these await.
    private static void readersSee(World world, Consumer<IntegerView> reader) {
        try (SymmetricMemory memory = world.allocate(128)) {
            int writer = world.size() - 1;
            for (IntegerView words : Views.integers(memory)) {
                if (world.pe() == writer) {
                    for (int pe = 0; pe < writer; pe++) {
                        words.setRelease(3, 7, pe);
                    }
                } else {
                    reader.accept(words);
                }
                world.team().barrier();
                memory.segment().fill((byte) 0);
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-A13 eight threads of each PE add through the default context, then quiet: the sum is exact")
    void threadsAdd(World world) throws InterruptedException {
        int threads = 8;
        int adds = Rounds.simulated() ? 3 : 1_000; // threads of a PE take turns by the operating system there, slowly
        try (SymmetricMemory memory = world.allocate(64)) {
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(new Thread(() -> {
                    for (int add = 0; add < adds; add++) {
                        for (IntegerView words : Views.integers(memory)) {
                            words.add(5, 1, 0);
                        }
                        world.context().quiet();
                    }
                }));
            }
            all.forEach(Thread::start);
            for (Thread thread : all) {
                thread.join();
            }
            world.team().barrier();
            // The bytes, shorts, ints and longs lie apart: at 5, 10, 20 and 40.
            for (IntegerView words : Views.integers(memory)) {
                // A signed and an unsigned view of each.
                long expected = 2L * threads * adds * world.size();
                assertThat(words.getAcquire(5, 0)).isEqualTo(Views.lowBits(words, expected));
            }
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("sums wrap at every width, and leave the elements beside them alone")
    void sumsWrap(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(128)) {
            for (IntegerView words : Views.integers(memory)) {
                int bits = 8 * words.type().byteSize();
                boolean signed = !words.type().name().startsWith("UNSIGNED");
                long greatest = signed ? -1L >>> (Long.SIZE - bits + 1) : Views.lowBits(words, -1);
                long least = Views.lowBits(words, greatest + 1);
                words.setRelease(9, greatest, right);
                world.context().quiet();
                assertThat(words.getAndAdd(9, 1, right)).isEqualTo(greatest);
                assertThat(words.getAndAdd(9, -1, right)).isEqualTo(least);
                assertThat(words.getAndAdd(9, greatest, right)).isEqualTo(greatest);
                assertThat(words.getAndSet(9, 0, right)).isEqualTo(Views.lowBits(words, 2 * greatest));
                assertThat(words.get(8, right)).as("the element below").isZero();
                assertThat(words.get(10, right)).as("the element above").isZero();
            }
            world.team().barrier();
        }
    }

    /// A signed element of plain memory.
    private static long at(MemorySegment memory, int width, long index) {
        return switch (width) {
            case 1 -> memory.get(JAVA_BYTE, index);
            case 2 -> memory.getAtIndex(JAVA_SHORT, index);
            case 4 -> memory.getAtIndex(JAVA_INT, index);
            default -> memory.getAtIndex(JAVA_LONG, index);
        };
    }
}
