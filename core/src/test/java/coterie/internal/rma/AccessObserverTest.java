// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.internal.mapped.HeapAddresses;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.wait.Counters;
import coterie.internal.wait.MachineWaitStrategy;
import coterie.internal.wait.PeRuntime;
import coterie.spi.AccessObserver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// What a conduit sends its observer of accesses to one's own heap, which need no channel.
class AccessObserverTest {
    private static final long HEAP_BYTES = 4096;
    private static final long OFFSET = 256;

    @AutoClose
    private final JobSegment job = JobSegment.create(new JobSegment.Parameters("test", 1, HEAP_BYTES, 1, false));

    @AutoClose
    private final Arena arena = Arena.ofShared();

    private final long heap = arena.allocate(HEAP_BYTES, 128).address();
    private final List<String> told = new ArrayList<>();
    private int polls;
    private final SymmetricMemory memory = new PeMemory(new AddressHeap(pe -> heap), context(), 1, OFFSET, 64, 8);

    @Test
    void accessorsTellOfTheirElement() {
        memory.ints().set(3, 7);
        assertThat(memory.ints().get(3)).isEqualTo(7);
        memory.floats().set(1, 2);
        assertThat(memory.floats().get(1)).isEqualTo(2);
        memory.doubles().set(7, 0.5);
        assertThat(memory.doubles().get(7)).isEqualTo(0.5);
        assertThat(told)
                .containsExactly("wrote 268 4", "read 268 4", "wrote 260 4", "read 260 4", "wrote 312 8", "read 312 8");
    }

    @Test
    void copiesTellOfTheirRange() {
        memory.ints().set(3, new int[] {1, 2, 3}, 1, 2);
        int[] target = new int[4];
        memory.ints().get(3, target, 2, 2);
        assertThat(target).containsExactly(0, 0, 2, 3);
        memory.doubles().set(1, MemorySegment.ofArray(new double[] {0.5}), 0, 1);
        memory.doubles().get(1, MemorySegment.ofArray(target), 0, 1);
        memory.longs().set(0, new long[0], 0, 0);
        assertThat(told).containsExactly("wrote 268 8", "read 268 8", "wrote 264 8", "read 264 8");
    }

    @Test
    void refusedCopiesTellNothing() {
        assertThatThrownBy(() -> memory.ints().get(13, new int[4], 0, 4))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("get on PE 0: 4 elements from index 13 are outside the 16 of type INT")
                .hasMessageContaining("allowed are indices in [0, 12]");
        assertThatThrownBy(() -> memory.ints().set(0, new int[3], 2, 2))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("set on PE 0: 2 elements from index 2 are outside the source array of 12 bytes");
        assertThatThrownBy(() ->
                        memory.longs().get(0, MemorySegment.ofArray(new long[1]).asReadOnly(), 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("get on PE 0: the target segment is read-only");
        assertThat(told).isEmpty();
    }

    @Test
    void refusedAccessesTellNothing() {
        assertThatThrownBy(() -> memory.ints().get(16))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("16");
        assertThatThrownBy(() -> memory.ints().set(-1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(told).isEmpty();
    }

    @Test
    void waitsAndTestsTellOfTheWordThatSatisfied() {
        LongView longs = memory.longs();
        assertThat(longs.test(2, Comparison.NE, 0)).isFalse();
        assertThat(told).isEmpty();
        assertThat(polls).isEqualTo(1);
        assertThat(longs.test(2, Comparison.EQ, 0)).isTrue();
        assertThat(memory.shorts().waitUntil(5, Comparison.EQ, 0)).isZero();
        assertThat(memory.signal(2).fetch()).isZero();
        assertThat(memory.signal(3).waitUntil(Comparison.GE, 0)).isZero();
        assertThat(told).containsExactly("HEAP 272 8", "HEAP 266 2", "HEAP 272 8", "HEAP 280 8");
        assertThat(polls).isEqualTo(5);
    }

    @Test
    void setsTellOfTheirSatisfiedWords() {
        memory.segment().set(ValueLayout.JAVA_INT, 8, 1);
        var set = memory.ints().waitSet(1, 3);
        assertThat(set.testAny(Comparison.EQ, 1)).isEqualTo(1);
        assertThat(set.testSome(Comparison.EQ, 0, new int[3])).isEqualTo(2);
        assertThat(set.testAny(Comparison.EQ, 2)).isEqualTo(-1);
        assertThat(told).containsExactly("HEAP 264 4", "HEAP 260 4", "HEAP 268 4");
        told.clear();
        BitSet second = new BitSet();
        second.set(1);
        set.withSkipped(second).waitAll(Comparison.EQ, 0);
        assertThat(told).containsExactly("HEAP 260 4", "HEAP 268 4");
    }

    private PeContext context() {
        MappedConduit conduit = new Witnessed();
        PeRuntime runtime = new PeRuntime(
                new SegmentJob(job, 0, "a test"),
                job.status(0),
                new MachineWaitStrategy(1, 2),
                conduit,
                new Counters(),
                Long.MAX_VALUE,
                "");
        return new PeContext(0, 1, conduit, runtime, null);
    }

    private final class Witnessed extends MappedConduit {
        Witnessed() {
            super(job, 0, new HeapAddresses(1));
        }

        @Override
        public Optional<AccessObserver> observer() {
            return Optional.of(new AccessObserver() {
                @Override
                public void read(long offset, long length) {
                    told.add("read " + offset + " " + length);
                }

                @Override
                public void wrote(long offset, long length) {
                    told.add("wrote " + offset + " " + length);
                }

                @Override
                public void observed(Region region, long offset, long length) {
                    told.add(region + " " + offset + " " + length);
                }

                @Override
                public void polled() {
                    polls++;
                }
            });
        }
    }
}
