// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CustomReduction;
import coterie.ElementView;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;

/// The collectives of an [ImageTeam]: `co_sum`, `co_min`, `co_max`, `co_reduce`, `co_broadcast`, on any team that
/// the image belongs to. All images of the team call the same ones in the same order.
///
/// A collective is complete for the caller on return, and synchronises nothing else: another image may not have
/// called it yet. If the outcome is not Ok, the elements are undefined.
public abstract sealed class TeamCollectives permits ImageTeam {

    TeamCollectives() {}

    abstract Team core();

    abstract TeamStatements statements();

    abstract void checkStatement(String operation);

    abstract int pe(String operation, int image);

    private ImageTeam self() {
        return (ImageTeam) this;
    }

    /// Returns the sum of all images' values.
    /// @counterpart `co_sum`, `prif_co_sum`
    public final long sum(long value) {
        return scalar(StatementKind.SUM, () -> core().allReduce(Reduction.SUM, value));
    }

    /// Returns the sum of all images' values.
    public final double sum(double value) {
        return scalar(StatementKind.SUM, () -> core().allReduce(Reduction.SUM, value));
    }

    /// Returns the least of all images' values.
    /// @counterpart `co_min`, `prif_co_min`
    public final long min(long value) {
        return scalar(StatementKind.MIN, () -> core().allReduce(Reduction.MIN, value));
    }

    /// Returns the least of all images' values.
    public final double min(double value) {
        return scalar(StatementKind.MIN, () -> core().allReduce(Reduction.MIN, value));
    }

    /// Returns the first of all images' texts, in the order of [String#compareTo]: any text, with the same code
    /// units.
    /// @counterpart `prif_co_min_character`
    public final String min(String value) {
        return text(StatementKind.TEXT_MIN, -1, StatementChecks.notNull(value, "min", "value"));
    }

    /// Returns the greatest of all images' values.
    /// @counterpart `co_max`, `prif_co_max`
    public final long max(long value) {
        return scalar(StatementKind.MAX, () -> core().allReduce(Reduction.MAX, value));
    }

    /// Returns the greatest of all images' values.
    public final double max(double value) {
        return scalar(StatementKind.MAX, () -> core().allReduce(Reduction.MAX, value));
    }

    /// Returns the last of all images' texts, in the order of [String#compareTo]: any text, with the same code
    /// units.
    /// @counterpart `prif_co_max_character`
    public final String max(String value) {
        return text(StatementKind.TEXT_MAX, 1, StatementChecks.notNull(value, "max", "value"));
    }

    /// Returns an image's value.
    /// @counterpart `co_broadcast`, `prif_co_broadcast`
    public final long broadcast(long value, int sourceImage) {
        pe("broadcast", sourceImage);
        boolean isSource = self().thisImage() == sourceImage;
        return scalar(StatementKind.BROADCAST, () -> core().allReduce(Reduction.OR, isSource ? value : 0));
    }

    /// Returns an image's text: any text, with the same code units.
    public final String broadcast(String value, int sourceImage) {
        StatementChecks.notNull(value, "broadcast", "value");
        pe("broadcast", sourceImage);
        boolean isSource = self().thisImage() == sourceImage;
        return text(StatementKind.TEXT_BROADCAST, 1, isSource ? value : "");
    }

    private <R> R scalar(StatementKind kind, Supplier<R> body) {
        checkStatement(kind.operation());
        return valueOf(kind, statements().collective(kind, self(), body));
    }

    private <R> R valueOf(StatementKind kind, TeamStatements.Attempt<R> attempt) {
        R value = attempt.value();
        if (value == null) {
            throw StatementException.of(kind.operation() + " in " + self().path(), attempt.outcome());
        }
        return value;
    }

    /// Replaces elements by their sums over all images.
    public final void sum(Coarray a, long index, long count) {
        reduce(StatementKind.SUM, Reduction.SUM, a, index, count);
    }

    /// Replaces elements by the least ones of all images.
    public final void min(Coarray a, long index, long count) {
        reduce(StatementKind.MIN, Reduction.MIN, a, index, count);
    }

    /// Replaces elements by the greatest ones of all images.
    public final void max(Coarray a, long index, long count) {
        reduce(StatementKind.MAX, Reduction.MAX, a, index, count);
    }

    /// Replaces elements by their reduction over all images, in the order of the images.
    /// @counterpart `co_reduce`, `prif_co_reduce`, `prif_co_reduce_cptr`
    /// @param operator a [CustomReduction] for records
    /// @throws StatementException if the outcome is not Ok
    public final void reduce(ReductionOperator operator, Coarray a, long index, long count) {
        reduce(StatementKind.REDUCE, operator, a, index, count);
    }

    private void reduce(StatementKind kind, ReductionOperator operator, Coarray a, long index, long count) {
        StatementException.unlessOk(kind.operation(), tryReduce(kind, operator, a, index, count), self());
    }

    /// Reduces as [#reduce].
    /// @counterpart `stat=`
    public final Outcome tryReduce(ReductionOperator operator, Coarray a, long index, long count) {
        return tryReduce(StatementKind.REDUCE, operator, a, index, count);
    }

    private Outcome tryReduce(StatementKind kind, ReductionOperator operator, Coarray a, long index, long count) {
        check(kind, operator, a, index, count);
        return outcome(kind, () -> {
            ElementView view = a.elements();
            long first = index * a.unit();
            long n = count * a.unit();
            if (operator instanceof Reduction reduction) {
                core().allReduce(reduction, view, first, view, first, n);
            } else {
                run(Collective.allReduce(operator).source(view, first, n).target(view, first, n));
            }
        });
    }

    /// Reduces as [#reduce], for one image: the elements of the others are undefined.
    /// @counterpart `result_image=` of `co_reduce`
    public final void reduceTo(int resultImage, ReductionOperator operator, Coarray a, long index, long count) {
        StatementException.unlessOk("reduce", tryReduceTo(resultImage, operator, a, index, count), self());
    }

    /// Reduces as [#reduceTo].
    /// @counterpart `stat=`
    public final Outcome tryReduceTo(int resultImage, ReductionOperator operator, Coarray a, long index, long count) {
        check(StatementKind.REDUCE, operator, a, index, count);
        pe("reduce", resultImage);
        return outcome(StatementKind.REDUCE, () -> {
            long n = count * a.unit();
            run(Collective.reduce(operator, resultImage - 1)
                    .source(a.elements(), index * a.unit(), n)
                    .target(a.elements(), index * a.unit(), n));
        });
    }

    /// Replaces elements by those of one image.
    /// @counterpart `co_broadcast` of an array, `prif_co_broadcast_cptr`
    public final void broadcast(Coarray a, long index, long count, int sourceImage) {
        StatementException.unlessOk("broadcast", tryBroadcast(a, index, count, sourceImage), self());
    }

    /// Broadcasts as [#broadcast(Coarray, long, long, int)].
    /// @counterpart `stat=`
    public final Outcome tryBroadcast(Coarray a, long index, long count, int sourceImage) {
        check(StatementKind.BROADCAST, a, index, count);
        pe("broadcast", sourceImage);
        return outcome(StatementKind.BROADCAST, () -> {
            long first = index * a.unit();
            core().broadcast(a.elements(), first, a.elements(), first, count * a.unit(), sourceImage - 1);
        });
    }

    private Outcome outcome(StatementKind kind, Runnable body) {
        return statements()
                .collective(kind, self(), () -> {
                    body.run();
                    return this;
                })
                .outcome();
    }

    private void check(StatementKind kind, ReductionOperator operator, Coarray a, long index, long count) {
        StatementChecks.notNull(operator, kind.operation(), "operator");
        check(kind, a, index, count);
        operator.width(a.elements().type());
    }

    /// Throws if a statement on elements is not allowed, before the image takes part in it.
    private void check(StatementKind kind, Coarray a, long index, long count) {
        String operation = kind.operation();
        checkStatement(operation);
        StatementChecks.notNull(a, operation, "a").checkUsable(operation, self());
        StatementChecks.range(operation, a, index, count);
    }

    /// Starts a [#reduce], and returns without waiting. [Completion] says when it is over at the latest.
    ///
    /// @throws IllegalArgumentException if a team that was formed in this one has allocated the coarray: it could
    ///     end before the collective
    public final Completion reduceAsync(ReductionOperator operator, Coarray a, long index, long count) {
        return reduceAsync(StatementKind.REDUCE, operator, a, index, count);
    }

    private Completion reduceAsync(StatementKind kind, ReductionOperator operator, Coarray a, long index, long count) {
        check(kind, operator, a, index, count);
        long n = count * a.unit();
        return start(
                kind,
                a,
                Collective.allReduce(operator)
                        .source(a.elements(), index * a.unit(), n)
                        .target(a.elements(), index * a.unit(), n));
    }

    /// Starts a [#sum(Coarray, long, long)] as [#reduceAsync], and returns without waiting.
    /// @counterpart asynchronous collectives of Fortran 202Y
    public final Completion sumAsync(Coarray a, long index, long count) {
        return reduceAsync(StatementKind.SUM, Reduction.SUM, a, index, count);
    }

    /// Starts a [#broadcast(Coarray, long, long, int)] as [#reduceAsync], and returns without waiting.
    public final Completion broadcastAsync(Coarray a, long index, long count, int sourceImage) {
        check(StatementKind.BROADCAST, a, index, count);
        pe("broadcast", sourceImage);
        long n = count * a.unit();
        return start(
                StatementKind.BROADCAST,
                a,
                Collective.broadcast(sourceImage - 1)
                        .source(a.elements(), index * a.unit(), n)
                        .target(a.elements(), index * a.unit(), n));
    }

    private Completion start(StatementKind kind, Coarray a, Collective collective) {
        if (!a.block.team().hasDescendant(self())) {
            throw new IllegalArgumentException(StatementChecks.prefix(kind.operation()) + a + " could end before a"
                    + " collective of " + self().path() + " that goes on; allowed are coarrays of this team and of its"
                    + " ancestors");
        }
        statements().pending().begin(a.block);
        TeamStatements.Attempt<Request> attempt = statements().collective(kind, self(), () -> {
            Request request = core().prepare(collective);
            request.post();
            return request;
        });
        Request request = attempt.value();
        Completion completion = new Completion(kind, self(), request, request == null ? attempt.outcome() : null);
        if (request != null) {
            statements().pending().add(completion);
        }
        return completion;
    }

    private void run(Collective collective) {
        Request request = core().prepare(collective);
        try {
            request.post();
            request.await();
        } finally {
            request.close();
        }
    }

    private String text(StatementKind kind, int sign, String value) {
        checkStatement(kind.operation());
        return valueOf(kind, statements().compared(kind, self(), 0, "", () -> text(kind.toString(), sign, value)));
    }

    /// Returns the least or the greatest text: as bytes, whose order is that of the UTF-16 code units, after a
    /// length.
    private String text(String name, int sign, String value) {
        byte[] mine = bytes(value);
        long longest = core().allReduce(Reduction.MAX, (long) mine.length);
        int width = (int) (Long.BYTES + (longest + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
        SymmetricMemory memory = core().allocate(width);
        IntegerView bytes = memory.bytes();
        MemorySegment own = memory.segment();
        own.set(LENGTH, 0, mine.length);
        MemorySegment.copy(mine, 0, own, ValueLayout.JAVA_BYTE, Long.BYTES, mine.length);
        run(Collective.allReduce(new CustomReduction(name, width, (target, left, right, count) -> {
                    for (long at = 0; at < count * width; at += width) {
                        MemorySegment first = left.asSlice(at, width);
                        MemorySegment second = right.asSlice(at, width);
                        boolean takesFirst = sign * compare(first, second) >= 0;
                        target.asSlice(at, width).copyFrom(takesFirst ? first : second);
                    }
                }))
                .source(bytes, 0, width)
                .target(bytes, 0, width));
        byte[] result = new byte[(int) own.get(LENGTH, 0)];
        MemorySegment.copy(own, ValueLayout.JAVA_BYTE, Long.BYTES, result, 0, result.length);
        memory.free();
        return text(result);
    }

    /// Returns the code units of a text, the high byte first: also those that are no character, which a charset
    /// would replace.
    private static byte[] bytes(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(text.length(), Character.BYTES));
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }

    private static String text(byte[] codeUnits) {
        return ByteBuffer.wrap(codeUnits).asCharBuffer().toString();
    }

    private static final ValueLayout.OfLong LENGTH = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.nativeOrder());

    private static int compare(MemorySegment first, MemorySegment second) {
        long a = first.get(LENGTH, 0);
        long b = second.get(LENGTH, 0);
        for (long i = Long.BYTES; i < Long.BYTES + Math.min(a, b); i++) {
            int order = Byte.compareUnsigned(first.get(ValueLayout.JAVA_BYTE, i), second.get(ValueLayout.JAVA_BYTE, i));
            if (order != 0) {
                return order;
            }
        }
        return Long.compare(a, b);
    }
}
