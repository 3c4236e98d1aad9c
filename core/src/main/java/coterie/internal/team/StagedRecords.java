// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.ElementType;
import coterie.RecordLayout;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/// Collectives of one record a member. A record travels as longs, after a word for its layout, by which members see
/// that others have another one of the same size.
final class StagedRecords {
    private static final int HEADER = Long.BYTES;

    private final StagedCollectives staged;
    private final Membership membership;

    StagedRecords(StagedCollectives staged, Membership membership) {
        this.staged = staged;
        this.membership = membership;
    }

    /// @param value ignored on members other than the root
    <R extends Record> R broadcast(@Nullable RecordLayout<R> layout, @Nullable R value, int root) {
        OperationKind kind = OperationKind.BROADCAST;
        RecordLayout<R> its = given(kind, "layout", layout);
        boolean isRoot = membership.me() == root;
        R mine = isRoot ? given(kind, "value", value) : null;
        MemorySegment words = packed(its, mine);
        staged.run(kind, null, ElementType.LONG, words, words, root);
        check(kind, its, words, 0, root);
        return mine == null ? its.get(words.asSlice(HEADER), 0) : mine;
    }

    <R extends Record> List<R> allGather(@Nullable RecordLayout<R> layout, @Nullable R value) {
        return gathered(OperationKind.ALL_GATHER, layout, value);
    }

    <R extends Record> R allReduce(
            @Nullable RecordLayout<R> layout, @Nullable BinaryOperator<R> operator, @Nullable R value) {
        BinaryOperator<R> combine = given(OperationKind.ALL_REDUCE, "operator", operator);
        return gathered(OperationKind.ALL_REDUCE, layout, value).stream()
                .reduce(combine)
                .orElseThrow(); // a team has a member
    }

    private <R extends Record> List<R> gathered(
            OperationKind asked, @Nullable RecordLayout<R> layout, @Nullable R value) {
        RecordLayout<R> its = given(asked, "layout", layout);
        MemorySegment mine = packed(its, given(asked, "value", value));
        staged.check(asked);
        int size = membership.size();
        MemorySegment all = MemorySegment.ofArray(new long[Math.toIntExact(size * mine.byteSize() / Long.BYTES)]);
        staged.run(OperationKind.ALL_GATHER, null, ElementType.LONG, all, mine, 0);
        List<R> records = new ArrayList<>(size);
        for (int member = 0; member < size; member++) {
            long at = member * mine.byteSize();
            check(asked, its, all, at, member);
            records.add(its.get(all.asSlice(at + HEADER, its.byteSize()), 0));
        }
        return List.copyOf(records);
    }

    private static <R extends Record> MemorySegment packed(RecordLayout<R> layout, @Nullable R value) {
        long bytes = HEADER + layout.byteSize();
        MemorySegment words = MemorySegment.ofArray(new long[Math.toIntExact(bytes / Long.BYTES)]);
        if (value != null) {
            words.set(ValueLayout.JAVA_LONG, 0, word(layout));
            layout.set(words.asSlice(HEADER), 0, value);
        }
        return words;
    }

    /// Returns what layouts of other components don't have, but for one pair in 2^32.
    private static long word(RecordLayout<?> layout) {
        return layout.layout().toString().hashCode();
    }

    private void check(OperationKind kind, RecordLayout<?> layout, MemorySegment words, long at, int member) {
        if (words.get(ValueLayout.JAVA_LONG, at) != word(layout)) {
            throw new CollectiveMismatchException(membership.messagePrefix(kind.label()) + "the record of PE "
                    + membership.pe(member) + " has other components than " + layout);
        }
    }

    private <T> T given(OperationKind kind, String name, @Nullable T argument) {
        if (argument == null) {
            throw new NullPointerException(membership.messagePrefix(kind.label()) + name + " is null");
        }
        return argument;
    }
}
