// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.collective.CollectiveType;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.CollectiveShape;
import coterie.layer.Arguments.Order;
import coterie.layer.Composition;
import coterie.layer.Composition.BufferSlice;
import coterie.layer.Composition.Memory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a layer may not compose, and what the error says.
class CompositionPlannerTest {
    private static final int SIZE = 4;
    private static final int ME = 1;
    private static final int WIDTH = 8;

    /// Bytes of a vector or a block.
    private static final long BYTES = 48;

    private static final int[] ALL = IntStream.range(0, SIZE).toArray();
    private static final BufferSlice SOURCE = BufferSlice.source(0, BYTES);
    private static final BufferSlice TARGET = BufferSlice.target(0, BYTES);

    private static CollectiveShape shape(CollectiveType type, boolean ordered, boolean inPlace) {
        BlockLayout one = new BlockLayout.Even(1, BYTES);
        BlockLayout many = new BlockLayout.Even(SIZE, BYTES);
        boolean manyIn = type == CollectiveType.SCATTER
                || type == CollectiveType.ALL_TO_ALL
                || type == CollectiveType.REDUCE_SCATTER;
        boolean manyOut =
                type == CollectiveType.GATHER || type == CollectiveType.ALL_TO_ALL || type == CollectiveType.ALL_GATHER;
        return new CollectiveShape(
                type,
                SIZE,
                ME,
                ME,
                WIDTH,
                ordered ? Order.MEMBERS : Order.ANY,
                inPlace,
                manyIn ? many : one,
                manyOut ? many : one,
                2);
    }

    private static CollectiveShape allreduce(boolean inPlace) {
        return shape(CollectiveType.ALL_REDUCE, false, inPlace);
    }

    private static Composition of(CollectiveType type, BufferSlice source, BufferSlice target) {
        return new Composition().then(type, ALL, target, source, ME);
    }

    private static void assertRefused(Composition composition, CollectiveShape shape, String... words) {
        assertThatThrownBy(() -> CompositionPlanner.plan(composition, shape))
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("composition of " + shape.type().label() + ": ")
                .hasMessageContainingAll(words);
    }

    private static void assertServed(Composition composition, CollectiveShape shape) {
        assertThat(CompositionPlanner.plan(composition, shape)).isPresent();
    }

    @Test
    @DisplayName("scratch memory is what the composition has lent, and no more")
    void scratch() {
        BufferSlice beyond = new BufferSlice(Memory.SCRATCH, 40, BYTES);
        assertRefused(
                of(CollectiveType.ALL_REDUCE, SOURCE, new BufferSlice(Memory.SCRATCH, 0, BYTES)),
                allreduce(false),
                "SCRATCH",
                "exceeds the buffer's 0 bytes");
        Composition lent = new Composition();
        BufferSlice all = lent.scratch(BYTES);
        lent.then(CollectiveType.ALL_REDUCE, ALL, all, SOURCE, 0);
        assertServed(lent, allreduce(false));
        assertRefused(
                lent.then(CollectiveType.ALL_REDUCE, ALL, beyond, SOURCE, 0),
                allreduce(false),
                beyond.toString(),
                "exceeds the buffer's 64 bytes");
        assertRefused(
                new Composition().copy(beyond, SOURCE),
                allreduce(false),
                beyond.toString(),
                "exceeds the buffer's 0 bytes");
        assertRefused(
                new Composition().copy(TARGET, beyond),
                allreduce(false),
                beyond.toString(),
                "exceeds the buffer's 0 bytes");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("source and target end where the collective's do, in place too")
    void ends(boolean inPlace) {
        BufferSlice source = BufferSlice.source(8, BYTES);
        BufferSlice target = BufferSlice.target(BYTES, 1);
        String words = "exceeds the buffer's 48 bytes";
        assertRefused(of(CollectiveType.ALL_REDUCE, source, TARGET), allreduce(inPlace), source.toString(), words);
        assertRefused(
                new Composition().copy(target, BufferSlice.source(0, 1)), allreduce(inPlace), target.toString(), words);
        BufferSlice tooLong = BufferSlice.source(0, BYTES + 1);
        assertRefused(
                of(CollectiveType.ALL_GATHER, tooLong, BufferSlice.target(0, SIZE * BYTES)),
                shape(CollectiveType.ALL_GATHER, false, inPlace),
                tooLong.toString(),
                words);
        BufferSlice whole = BufferSlice.target(0, SIZE * BYTES + 4);
        assertRefused(
                of(CollectiveType.ALL_GATHER, SOURCE, whole),
                shape(CollectiveType.ALL_GATHER, false, inPlace),
                whole.toString(),
                "exceeds the buffer's 192 bytes");
    }

    @Test
    @DisplayName("a member without such a buffer may not name bytes of it")
    void nobodysBuffer() {
        BlockLayout vector = new BlockLayout.Even(1, BYTES);
        BlockLayout none = new BlockLayout.Listed(new long[0], new long[0]);
        CollectiveShape shape =
                new CollectiveShape(CollectiveType.GATHER, SIZE, ME, 0, WIDTH, Order.ANY, true, vector, none, 2);
        assertRefused(new Composition().copy(TARGET, SOURCE), shape, "TARGET", "exceeds the buffer's 0 bytes");
        assertServed(new Composition().then(CollectiveType.GATHER, ALL, TARGET, SOURCE, 0), shape);
    }

    @ParameterizedTest
    @EnumSource(
            value = CollectiveType.class,
            names = {"ALL_GATHER", "GATHER", "ALL_TO_ALL", "REDUCE_SCATTER", "SCATTER"})
    @DisplayName("what is in blocks has as many as the group has members, of one length")
    void blocks(CollectiveType type) {
        Composition plan = new Composition();
        boolean manyIn = type == CollectiveType.SCATTER || type == CollectiveType.REDUCE_SCATTER;
        BufferSlice uneven = plan.scratch(SIZE * 8 + 1);
        BufferSlice other = plan.scratch(SIZE * 8);
        plan.then(type, ALL, manyIn ? other : uneven, manyIn ? uneven : other, ME);
        assertRefused(plan, allreduce(false), uneven.toString(), "can't be divided into 4 blocks of equal length");
    }

    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE, 16, 24",
        "ALL_GATHER, 8, 64",
        "ALL_TO_ALL, 32, 64",
        "REDUCE_SCATTER, 32, 32",
        "BROADCAST, 8, 0"
    })
    @DisplayName("source and target have blocks of one length")
    void lengths(CollectiveType type, long source, long target) {
        Composition plan = new Composition();
        BufferSlice from = plan.scratch(source);
        BufferSlice to = plan.scratch(target);
        assertRefused(
                plan.then(type, ALL, to, from, ME),
                allreduce(false),
                "source and target of its " + type.label() + " have blocks of different lengths",
                "SCRATCH[0, " + source + ")",
                "SCRATCH[64, " + (64 + target) + ")");
    }

    @ParameterizedTest
    @EnumSource(
            value = CollectiveType.class,
            names = {"ALL_REDUCE", "REDUCE", "INCLUSIVE_SCAN", "EXCLUSIVE_SCAN"})
    @DisplayName("reductions have whole elements")
    void elements(CollectiveType type) {
        assertRefused(
                of(type, BufferSlice.source(0, 12), BufferSlice.target(0, 12)),
                allreduce(false),
                "blocks of 12 bytes of its " + type.label(),
                "are not a multiple of the element size of 8 bytes");
        assertServed(
                of(CollectiveType.BROADCAST, BufferSlice.source(0, 12), BufferSlice.target(0, 12)),
                shape(CollectiveType.BROADCAST, false, false));
    }

    @Test
    @DisplayName("members are the team's, and a member of none of the groups throws too")
    void members() {
        String words = "member 4 is outside [0, 4)";
        for (int[] group : new int[][] {{0, ME, SIZE}, {SIZE, 0}}) {
            assertRefused(
                    new Composition().then(CollectiveType.ALL_REDUCE, group, TARGET, SOURCE, 0),
                    allreduce(false),
                    words);
        }
        for (int[] group : new int[][] {{}, {0, -1}, {2, 0, 2}}) {
            assertThatThrownBy(() -> new Composition().then(CollectiveType.ALL_REDUCE, group, TARGET, SOURCE, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("distinct members");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CollectiveType.class,
            names = {"ALL_REDUCE", "REDUCE", "REDUCE_SCATTER", "INCLUSIVE_SCAN", "EXCLUSIVE_SCAN"})
    @DisplayName("a group that reduces in another order is declined where that counts, by all members")
    void order(CollectiveType type) {
        for (int[] group : new int[][] {{2, ME, 3}, {0, 3, 2}}) {
            Composition plan = new Composition();
            BufferSlice in = plan.scratch(3 * WIDTH);
            BufferSlice out = plan.scratch(type == CollectiveType.REDUCE_SCATTER ? WIDTH : 3 * WIDTH);
            plan.then(type, group, out, in, 0);
            assertThat(CompositionPlanner.plan(plan, shape(CollectiveType.ALL_REDUCE, true, false)))
                    .isEmpty();
            assertServed(plan, allreduce(false));
        }
    }

    @Test
    @DisplayName("groups in ascending order, and those that only move, are served where order counts")
    void orderKept() {
        CollectiveShape ordered = shape(CollectiveType.ALL_REDUCE, true, false);
        assertServed(
                new Composition().then(CollectiveType.ALL_REDUCE, new int[] {0, ME, 3}, TARGET, SOURCE, 0), ordered);
        assertServed(
                new Composition().then(CollectiveType.BROADCAST, new int[] {3, ME, 0}, TARGET, SOURCE, 0), ordered);
    }

    @Test
    @DisplayName("source and target are the same or apart; in place, the whole's count as one memory")
    void overlap() {
        BufferSlice low = BufferSlice.source(0, 16);
        BufferSlice high = BufferSlice.target(8, 16);
        String names = "SOURCE[0, 16) and TARGET[8, 24), in place";
        assertRefused(of(CollectiveType.ALL_REDUCE, low, high), allreduce(true), "its allreduce overlap", names);
        assertServed(of(CollectiveType.ALL_REDUCE, low, high), allreduce(false));
        assertRefused(new Composition().copy(high, low), allreduce(true), "its copy overlap", names);
        assertServed(new Composition().copy(high, low), allreduce(false));
        assertServed(new Composition().copy(TARGET, SOURCE), allreduce(true));
        assertServed(new Composition().copy(BufferSlice.target(16, 16), low), allreduce(true));
        assertServed(
                of(CollectiveType.ALL_REDUCE, BufferSlice.source(16, 16), BufferSlice.target(32, 16)), allreduce(true));
        assertRefused(
                new Composition().copy(BufferSlice.target(8, 16), BufferSlice.target(0, 16)),
                allreduce(false),
                "its copy overlap, TARGET[0, 16) and TARGET[8, 24)");
        Composition inScratch = new Composition();
        BufferSlice lent = inScratch.scratch(64);
        inScratch.then(CollectiveType.BROADCAST, ALL, lent.slice(4, 16), lent.slice(0, 16), ME);
        assertRefused(inScratch, allreduce(false), "its bcast overlap, SCRATCH[0, 16) and SCRATCH[4, 20)");
    }

    @ParameterizedTest
    @EnumSource(
            value = CollectiveType.class,
            names = {"ALL_GATHER", "GATHER"})
    @DisplayName("in place, my block is mine of the target: other blocks overlap or are apart")
    void blockOfTarget(CollectiveType type) {
        CollectiveShape shape = shape(type, false, true);
        BufferSlice whole = BufferSlice.target(0, SIZE * BYTES);
        assertServed(of(type, SOURCE, whole), shape);
        assertServed(of(type, BufferSlice.target(ME * BYTES, BYTES), whole), shape);
        assertRefused(
                of(type, TARGET, whole), shape, "its " + type.label() + " overlap, TARGET[0, 48) and TARGET[0, 192)");
        assertRefused(
                new Composition().then(type, new int[] {3, 2, ME, 0}, whole, SOURCE, 2),
                shape,
                "its " + type.label() + " overlap, SOURCE[0, 48) and TARGET[0, 192), in place");
        assertServed(new Composition().copy(TARGET, SOURCE), shape);
    }

    @Test
    @DisplayName("in place, a scatter's target is my block of the source")
    void blockOfSource() {
        CollectiveShape shape = shape(CollectiveType.SCATTER, false, true);
        BufferSlice whole = BufferSlice.source(0, SIZE * BYTES);
        assertServed(of(CollectiveType.SCATTER, whole, TARGET), shape);
        assertServed(new Composition().copy(TARGET, BufferSlice.source(ME * BYTES, BYTES)), shape);
        assertRefused(
                new Composition().copy(TARGET, BufferSlice.source(ME * BYTES - 8, BYTES)),
                shape,
                "its copy overlap, SOURCE[40, 88) and TARGET[0, 48), in place");
        assertRefused(
                new Composition().then(CollectiveType.SCATTER, new int[] {ME, 0, 2, 3}, TARGET, whole, 0),
                shape,
                "its scatter overlap, SOURCE[0, 192) and TARGET[0, 48), in place");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("nothing writes to what a member brings")
    void sourceStays(boolean inPlace) {
        String words = "would write to SOURCE[0, 48)";
        BufferSlice read = BufferSlice.target(0, BYTES);
        BufferSlice written = BufferSlice.source(0, BYTES);
        assertRefused(of(CollectiveType.ALL_REDUCE, read, written), allreduce(inPlace), "its allreduce", words);
        assertRefused(new Composition().copy(written, read), allreduce(inPlace), "its copy", words);
    }
}
