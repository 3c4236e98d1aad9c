// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.Context;
import coterie.ElementView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Slices of blocks and of views: a program lays out its structures in one block.
class SliceConformanceTest {
    @EverySize
    @DisplayName("a slice of a block counts from its own start: elements, signals, locks, waits and segments")
    void slicesCountFromTheirStart(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory block = world.allocate(128)) {
            SymmetricMemory slice = block.slice(32, 64).slice(8, 40);
            assertThat(slice.byteSize()).isEqualTo(40);
            assertThat(slice.longs().length()).isEqualTo(5);
            slice.longs().put(0, 100 + world.pe(), right);
            slice.ints().setRelease(2, -1, right);
            slice.signal(2).set(7, right);
            slice.longs().waitUntil(0, Comparison.EQ, 100 + left);
            slice.ints().waitUntil(2, Comparison.EQ, -1);
            assertThat(slice.signal(2).waitUntil(Comparison.NE, 0)).isEqualTo(7);
            SymmetricLock lock = slice.lock(3);
            lock.lock();
            slice.longs().add(4, 1, 0);
            lock.unlock();
            world.team().barrier();
            assertThat(Longs.get(block, 5)).isEqualTo(100 + left);
            assertThat(Longs.get(block, 6)).isEqualTo(0xFFFF_FFFFL);
            assertThat(Longs.get(block, 7)).isEqualTo(7);
            assertThat(slice.segment().toArray(JAVA_LONG)[0]).isEqualTo(100 + left);
            if (world.pe() == 0) {
                assertThat(Longs.get(block, 9)).isEqualTo(world.size());
            }
            slice.segment(right)
                    .ifPresent(theirs -> assertThat(theirs.get(JAVA_LONG, 0)).isEqualTo(100 + world.pe()));
            assertThat(block.slice(128, 0).longs().length()).isZero();
        }
    }

    @EverySize
    @DisplayName("a slice of a view keeps its type and context, and counts from its own start")
    void slicesOfViews(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory block = world.allocate(128);
                Context context = world.team().createContext()) {
            for (ElementView view : Views.of(block)) {
                ElementView slice = view.through(context).slice(3, 4).slice(1, 2);
                assertThat(slice.type()).isEqualTo(view.type());
                assertThat(slice.context()).isSameAs(context);
                assertThat(slice.length()).isEqualTo(2);
                slice.setBits(0, 42);
                assertThat(view.getBits(4)).isEqualTo(42);
                view.setBits(4, 0);
                assertThatThrownBy(() -> slice.getBits(2))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("getBits on PE " + world.pe() + ": element 2 is outside the 2 of type ")
                        .hasMessageContaining("in slice of symmetric memory");
            }
            world.team().barrier();
            assertThat(block.ints().unsigned().slice(1, 1).type())
                    .isEqualTo(block.ints().unsigned().type());
            block.doubles().slice(2, 1).put(0, 0.5, right);
            block.floats().slice(2, 1).put(0, 0.25f, right);
            world.team().barrier();
            assertThat(block.doubles().get(2)).isEqualTo(0.5);
            assertThat(block.floats().get(2)).isEqualTo(0.25f);
        }
    }

    @EverySize
    @DisplayName("slices are source and target of collectives and of requests")
    void collectivesTakeSlices(World world) {
        int size = world.size();
        try (SymmetricMemory block = world.allocate(128)) {
            LongView source = block.longs().slice(1, 2);
            LongView target = block.slice(64, 16).longs();
            source.set(0, world.pe());
            source.set(1, 1);
            world.team().allReduce(Reduction.SUM, target, 0, source, 0, 2);
            assertThat(target.get(0)).isEqualTo(size * (size - 1L) / 2);
            assertThat(block.longs().get(9)).isEqualTo(size);
            try (Request request = world.team()
                    .prepare(Collective.allReduce(Reduction.MAX)
                            .source(source, 0, 2)
                            .target(target, 0, 2))) {
                request.post();
                request.await();
            }
            assertThat(target.get(0)).isEqualTo(size - 1);
            assertThatThrownBy(() -> world.team().allReduce(Reduction.SUM, target, 0, source, 1, 2))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @EverySize
    @DisplayName("a slice that leaves its block, or views that begin between two elements, are refused by name")
    void refusesWrongSlices(World world) {
        String me = " on PE " + world.pe() + ": ";
        try (SymmetricMemory block = world.allocate(64)) {
            for (long[] range : new long[][] {{-1, 1}, {0, -1}, {0, 65}, {65, 0}, {60, 5}, {Long.MAX_VALUE, 2}}) {
                assertThatThrownBy(() -> block.slice(range[0], range[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("slice" + me + range[1] + " bytes from offset " + range[0]);
                assertThatThrownBy(() -> block.bytes().slice(range[0], range[1]))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("slice" + me);
            }
            SymmetricMemory odd = block.slice(2, 32);
            assertThat(odd.shorts().length()).isEqualTo(16);
            for (Runnable view : List.<Runnable>of(
                    odd::ints, odd::longs, odd::floats, odd::doubles, () -> odd.signal(0), () -> odd.lock(0))) {
                assertThatThrownBy(view::run)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(me + "the slice of symmetric memory")
                        .hasMessageContaining("does not begin at a multiple of ");
            }
        }
    }

    @EverySize
    @DisplayName("a slice ends with its block: before, it can't be closed or reallocated; afterwards, every use throws")
    void slicesEndWithTheirBlock(World world) {
        String me = " on PE " + world.pe() + ": the slice of symmetric memory";
        SymmetricMemory block = world.allocate(64);
        SymmetricMemory slice = block.slice(8, 16);
        LongView words = block.longs().slice(1, 1);
        for (Runnable use : List.<Runnable>of(slice::close, () -> slice.reallocate(64), words.memory()::close)) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(me)
                    .hasMessageContaining("the block that it was cut from");
        }
        assertThat(slice.isAccessible(0)).isTrue();
        block.close();
        assertThat(slice.isAccessible(0)).isFalse();
        for (Runnable use : List.<Runnable>of(
                slice::segment,
                () -> slice.slice(0, 8),
                () -> slice.signal(0),
                () -> words.get(0),
                () -> words.put(0, 1, 0),
                () -> words.slice(0, 1))) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was freed");
        }
        assertThatThrownBy(() -> world.team().allReduce(Reduction.SUM, words, 0, words, 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was freed");
    }

    @EverySize
    @DisplayName("a block can't be freed while a request is under way on a slice of it")
    void requestsKeepTheBlockOfASlice(World world) {
        try (SymmetricMemory block = world.allocate(64)) {
            LongView slice = block.longs().slice(1, 2);
            Request request = world.team()
                    .prepare(Collective.allReduce(Reduction.SUM)
                            .source(slice, 0, 1)
                            .target(slice, 1, 1));
            boolean[] isOpen = {false};
            request.postWhen(() -> isOpen[0]);
            assertThatThrownBy(block::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has a request in progress on it");
            isOpen[0] = true;
            request.await();
            request.close();
        }
    }
}
