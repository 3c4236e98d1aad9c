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
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
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

    /// Returns the sum of all images' values. Answers to `co_sum`.
    public final long sum(long value) {
        return scalar("sum", () -> core().allReduce(Reduction.SUM, value));
    }

    /// Returns the sum of all images' values.
    public final double sum(double value) {
        return scalar("sum", () -> core().allReduce(Reduction.SUM, value));
    }

    /// Returns the least of all images' values. Answers to `co_min`.
    public final long min(long value) {
        return scalar("min", () -> core().allReduce(Reduction.MIN, value));
    }

    /// Returns the least of all images' values.
    public final double min(double value) {
        return scalar("min", () -> core().allReduce(Reduction.MIN, value));
    }

    /// Returns the first of all images' texts, in the order of [String#compareTo]. Answers to
    /// `prif_co_min_character`.
    public final String min(String value) {
        return scalar("min", () -> text("least of texts", -1, value));
    }

    /// Returns the greatest of all images' values. Answers to `co_max`.
    public final long max(long value) {
        return scalar("max", () -> core().allReduce(Reduction.MAX, value));
    }

    /// Returns the greatest of all images' values.
    public final double max(double value) {
        return scalar("max", () -> core().allReduce(Reduction.MAX, value));
    }

    /// Returns the last of all images' texts, in the order of [String#compareTo]. Answers to
    /// `prif_co_max_character`.
    public final String max(String value) {
        return scalar("max", () -> text("greatest of texts", 1, value));
    }

    /// Returns an image's value. Answers to `co_broadcast`.
    public final long broadcast(long value, int sourceImage) {
        pe("broadcast", sourceImage);
        boolean isSource = self().thisImage() == sourceImage;
        return scalar("broadcast", () -> core().allReduce(Reduction.OR, isSource ? value : 0));
    }

    /// Returns an image's text.
    public final String broadcast(String value, int sourceImage) {
        pe("broadcast", sourceImage);
        boolean isSource = self().thisImage() == sourceImage;
        return scalar("broadcast", () -> text("text", 1, isSource ? value : ""));
    }

    private <R> R scalar(String operation, Supplier<R> body) {
        checkStatement(operation);
        TeamStatements.Attempt<R> attempt = statements().collective(operation, self(), body);
        R value = attempt.value();
        if (value == null) {
            throw StatementException.of(operation + " in " + self().path(), attempt.outcome());
        }
        return value;
    }

    /// Replaces elements by their sums over all images.
    public final void sum(Coarray a, long index, long count) {
        reduce(Reduction.SUM, a, index, count);
    }

    /// Replaces elements by the least ones of all images.
    public final void min(Coarray a, long index, long count) {
        reduce(Reduction.MIN, a, index, count);
    }

    /// Replaces elements by the greatest ones of all images.
    public final void max(Coarray a, long index, long count) {
        reduce(Reduction.MAX, a, index, count);
    }

    /// Replaces elements by their reduction over all images, in the order of the images. Answers to `co_reduce`.
    ///
    /// @param operator a [CustomReduction] for records
    /// @throws StatementException if the outcome is not Ok
    public final void reduce(ReductionOperator operator, Coarray a, long index, long count) {
        ImageTeam.orThrow("reduce", tryReduce(operator, a, index, count), self());
    }

    /// Reduces as [#reduce]. Answers to `stat=`.
    public final Outcome tryReduce(ReductionOperator operator, Coarray a, long index, long count) {
        checkStatement("reduce");
        return outcome("reduce", () -> {
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

    /// Reduces as [#reduce], for one image: the elements of the others are undefined. Answers to `result_image=`.
    public final void reduceTo(int resultImage, ReductionOperator operator, Coarray a, long index, long count) {
        ImageTeam.orThrow("reduce", tryReduceTo(resultImage, operator, a, index, count), self());
    }

    /// Reduces as [#reduceTo]. Answers to `stat=`.
    public final Outcome tryReduceTo(int resultImage, ReductionOperator operator, Coarray a, long index, long count) {
        checkStatement("reduce");
        pe("reduce", resultImage);
        return outcome("reduce", () -> {
            long n = count * a.unit();
            run(Collective.reduce(operator, resultImage - 1)
                    .source(a.elements(), index * a.unit(), n)
                    .target(a.elements(), index * a.unit(), n));
        });
    }

    /// Replaces elements by those of one image. Answers to `co_broadcast`.
    public final void broadcast(Coarray a, long index, long count, int sourceImage) {
        ImageTeam.orThrow("broadcast", tryBroadcast(a, index, count, sourceImage), self());
    }

    /// Broadcasts as [#broadcast(Coarray, long, long, int)]. Answers to `stat=`.
    public final Outcome tryBroadcast(Coarray a, long index, long count, int sourceImage) {
        checkStatement("broadcast");
        pe("broadcast", sourceImage);
        return outcome("broadcast", () -> {
            long first = index * a.unit();
            core().broadcast(a.elements(), first, a.elements(), first, count * a.unit(), sourceImage - 1);
        });
    }

    private Outcome outcome(String operation, Runnable body) {
        return statements()
                .collective(operation, self(), () -> {
                    body.run();
                    return this;
                })
                .outcome();
    }

    /// Starts a [#reduce], and returns without waiting.
    public final Completion reduceAsync(ReductionOperator operator, Coarray a, long index, long count) {
        long n = count * a.unit();
        return start(
                "reduce",
                Collective.allReduce(operator)
                        .source(a.elements(), index * a.unit(), n)
                        .target(a.elements(), index * a.unit(), n));
    }

    /// Starts a [#sum(Coarray, long, long)], and returns without waiting.
    public final Completion sumAsync(Coarray a, long index, long count) {
        return reduceAsync(Reduction.SUM, a, index, count);
    }

    /// Starts a [#broadcast(Coarray, long, long, int)], and returns without waiting.
    public final Completion broadcastAsync(Coarray a, long index, long count, int sourceImage) {
        pe("broadcast", sourceImage);
        long n = count * a.unit();
        return start(
                "broadcast",
                Collective.broadcast(sourceImage - 1)
                        .source(a.elements(), index * a.unit(), n)
                        .target(a.elements(), index * a.unit(), n));
    }

    private Completion start(String operation, Collective collective) {
        checkStatement(operation);
        TeamStatements.Attempt<Request> attempt = statements().collective(operation, self(), () -> {
            Request request = core().prepare(collective);
            request.post();
            return request;
        });
        return new Completion(self(), attempt.value(), attempt.value() == null ? attempt.outcome() : null);
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

    /// Returns the least or the greatest text: as bytes, whose order is that of the UTF-16 code units, after a
    /// length.
    private String text(String name, int sign, String value) {
        byte[] mine = value.getBytes(StandardCharsets.UTF_16BE);
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
        memory.close();
        return new String(result, StandardCharsets.UTF_16BE);
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
