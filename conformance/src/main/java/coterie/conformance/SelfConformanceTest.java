// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.DoubleView;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// A PE is its own peer: what it does to itself is what it does to others.
class SelfConformanceTest {
    private static final int BYTES = 256;

    @EverySize
    @DisplayName("SH-R13 all forms, towards myself and towards my neighbour: the same results and the same memory")
    void selfIsLikeAnyOther(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(BYTES);
                SymmetricMemory own = world.allocate(BYTES)) {
            List<Object> others = everyForm(world, memory, right);
            List<Object> mine = everyForm(world, own, world.pe());
            assertThat(mine).isEqualTo(others);
            assertThat(mine.getFirst()).as("not nothing").isNotEqualTo(new Got(new long[8]));
            world.team().barrier();
            assertThat(own.segment().mismatch(memory.segment())).isEqualTo(-1);
            assertThat(own.longs().waitUntil(31, Comparison.EQ, 8)).isEqualTo(8);
            world.team().barrier();
        }
    }

    /// Everything once on a block of which each PE writes one; returns what was fetched.
    private static List<Object> everyForm(World world, SymmetricMemory memory, int pe) {
        List<Object> fetched = new ArrayList<>();
        MemorySegment source = Longs.counting(0x0102_0304_0506_0708L, 32);
        for (ElementView view : Views.of(memory)) {
            view.put(1, source, 2, 3, pe);
            view.putNbi(5, source, 1, 2, pe);
            view.putStrided(8, 3, source, 0, 2, 2, 3, pe);
            world.context().quiet();
            fetched.add(got(got -> view.get(0, got, 0, 4, pe)));
            fetched.add(got(got -> {
                view.getNbi(4, got, 1, 4, pe);
                world.context().quiet();
            }));
            fetched.add(got(got -> view.getStrided(8, 3, got, 1, 2, 2, 3, pe)));
        }
        SignalWord signal = memory.signal(31);
        memory.ints().putSignal(20, source, 0, 1, signal.setting(1), pe);
        world.context().fence();
        memory.ints().putSignalNbi(21, source, 0, 1, signal.adding(2), pe);
        signal.add(5, pe);
        for (IntegerView view : Views.integers(memory)) {
            view.put(24, -3, pe);
            world.context().quiet();
            fetched.add(view.get(24, pe));
            view.setRelease(24, 0x35, pe);
            world.context().fence();
            view.add(24, 7, pe);
            world.context().fence();
            view.and(24, 0x3E, pe);
            world.context().fence();
            view.or(24, 0x41, pe);
            world.context().fence();
            view.xor(24, -1, pe);
            world.context().fence();
            fetched.add(view.getAcquire(24, pe));
            fetched.add(view.getAndAdd(24, 9, pe));
            fetched.add(view.getAndBitwiseAnd(24, 0x5F, pe));
            fetched.add(view.getAndBitwiseOr(24, -128, pe));
            fetched.add(view.getAndBitwiseXor(24, 0x11, pe));
            fetched.add(view.getAndSet(24, 4, pe));
            fetched.add(view.compareAndExchange(24, 4, 6, pe));
            for (AtomicOperation operation : AtomicOperation.values()) {
                fetched.add(got(got -> {
                    view.fetchNbi(operation, 24, 11, got, 1, pe);
                    world.context().quiet();
                    view.compareAndExchangeNbi(24, 11, 12, got, 2, pe);
                    world.context().quiet();
                }));
            }
        }
        FloatView floats = memory.floats();
        floats.put(40, 1.5f, pe);
        floats.setRelease(41, -2.5f, pe);
        world.context().fence();
        floats.add(41, 0.25f, pe);
        world.context().quiet();
        fetched.addAll(List.of(floats.get(40, pe), floats.getAndAdd(40, 1, pe), floats.getAndSet(41, 9, pe)));
        fetched.add(floats.getAcquire(40, pe));
        DoubleView doubles = memory.doubles();
        doubles.put(22, 1.5, pe);
        doubles.setRelease(23, -2.5, pe);
        world.context().fence();
        doubles.add(23, 0.25, pe);
        world.context().quiet();
        fetched.addAll(List.of(doubles.get(22, pe), doubles.getAndAdd(22, 1, pe), doubles.getAndSet(23, 9, pe)));
        fetched.add(doubles.getAcquire(22, pe));
        for (AtomicOperation operation : Operations.floating()) {
            fetched.add(got(got -> {
                floats.fetchNbi(operation, 40, 3, got, 0, pe);
                doubles.fetchNbi(operation, 22, 4, got, 1, pe);
                world.context().quiet();
            }));
        }
        world.context().quiet();
        return fetched;
    }

    /// What an operation has fetched into plain memory.
    private record Got(List<Long> longs) {
        Got(long[] longs) {
            this(Arrays.stream(longs).boxed().toList());
        }
    }

    @FunctionalInterface
    private interface Fetch {
        void into(MemorySegment target);
    }

    private static Got got(Fetch fetch) {
        long[] target = new long[8];
        fetch.into(MemorySegment.ofArray(target));
        return new Got(target);
    }

    @EverySize
    @DisplayName("SH-R13 puts and gets within my own memory that overlap: as if the source had been copied away first")
    void overlappingCopies(World world) {
        int me = world.pe();
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            for (ElementView view : Views.of(memory)) {
                int width = view.type().byteSize();
                int length = BYTES / width;
                for (int shift : new int[] {-17, -8, -1, 0, 1, 7, 16}) {
                    int from = Math.max(0, -shift);
                    int count = length - Math.abs(shift);
                    for (boolean get : new boolean[] {false, true}) {
                        for (boolean nbi : new boolean[] {false, true}) {
                            memory.segment().copyFrom(Longs.counting(0x1020_3040_5060_7080L, BYTES / Long.BYTES));
                            byte[] expected = memory.segment().toArray(JAVA_BYTE);
                            System.arraycopy(expected, from * width, expected, (from + shift) * width, count * width);
                            if (get && nbi) {
                                view.getNbi(from, memory.segment(), from + shift, count, me);
                            } else if (get) {
                                view.get(from, memory.segment(), from + shift, count, me);
                            } else if (nbi) {
                                view.putNbi(from + shift, memory.segment(), from, count, me);
                            } else {
                                view.put(from + shift, memory.segment(), from, count, me);
                            }
                            world.context().quiet();
                            assertThat(memory.segment().toArray(JAVA_BYTE))
                                    .as("%s moved by %d", view.type(), shift)
                                    .isEqualTo(expected);
                        }
                    }
                }
            }
            SignalWord signal = memory.signal(BYTES / Long.BYTES - 1);
            memory.segment().copyFrom(Longs.counting(1, BYTES / Long.BYTES));
            memory.longs().putSignal(1, memory.segment(), 0, 8, signal.setting(50), me);
            world.context().quiet();
            assertThat(signal.fetch()).isEqualTo(50);
            assertThat(memory.segment().asSlice(0, 80).toArray(JAVA_LONG))
                    .containsExactly(1, 1, 2, 3, 4, 5, 6, 7, 8, 10);
        }
    }
}
