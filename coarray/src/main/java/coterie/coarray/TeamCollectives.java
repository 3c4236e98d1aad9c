// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.ElementType;
import coterie.ElementView;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/// The collectives of an [ImageTeam]: `co_sum`, `co_min`, `co_max`, `co_reduce`, `co_broadcast`, on any team that
/// the image belongs to. All images of the team call the same ones in the same order.
///
/// A collective is complete for the caller on return, and synchronizes nothing else: another image may not have
/// called it yet. If the outcome is not Ok, the elements are undefined.
public abstract sealed class TeamCollectives extends SegmentCollectives permits ImageTeam {

    TeamCollectives() {}

    @Override
    final ImageTeam self() {
        return (ImageTeam) this;
    }

    /// Returns the sum of all images' values.
    /// @counterpart `co_sum`, `prif_co_sum`
    public final long sum(long value) {
        return scalar(StatementKind.SUM, ElementType.LONG, () -> core().allReduce(Reduction.SUM, value));
    }

    /// Returns the sum of all images' values.
    public final double sum(double value) {
        return scalar(StatementKind.SUM, ElementType.DOUBLE, () -> core().allReduce(Reduction.SUM, value));
    }

    /// Returns the least of all images' values.
    /// @counterpart `co_min`, `prif_co_min`
    public final long min(long value) {
        return scalar(StatementKind.MIN, ElementType.LONG, () -> core().allReduce(Reduction.MIN, value));
    }

    /// Returns the least of all images' values.
    public final double min(double value) {
        return scalar(StatementKind.MIN, ElementType.DOUBLE, () -> core().allReduce(Reduction.MIN, value));
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
        return scalar(StatementKind.MAX, ElementType.LONG, () -> core().allReduce(Reduction.MAX, value));
    }

    /// Returns the greatest of all images' values.
    public final double max(double value) {
        return scalar(StatementKind.MAX, ElementType.DOUBLE, () -> core().allReduce(Reduction.MAX, value));
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
        return scalar(
                StatementKind.BROADCAST,
                ElementType.LONG,
                () -> core().allReduce(IntegerReduction.OR, isSource ? value : 0));
    }

    /// Returns an image's text: any text, with the same code units.
    public final String broadcast(String value, int sourceImage) {
        StatementChecks.notNull(value, "broadcast", "value");
        pe("broadcast", sourceImage);
        boolean isSource = self().thisImage() == sourceImage;
        return text(StatementKind.TEXT_BROADCAST, 1, isSource ? value : "");
    }

    private <R> R scalar(StatementKind kind, ElementType type, Supplier<R> body) {
        checkStatement(kind.operation());
        return valueOf(kind, statements().collective(kind, self(), () -> {
            statements().agreement().publishArguments(1, CollectiveArguments.of(type));
            return body.get();
        }));
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

    /// Replaces all elements of a coarray by their sums over all images.
    public final void sum(Coarray a) {
        sum(a, 0, StatementChecks.notNull(a, "sum", "a").length());
    }

    /// Replaces the elements of a section by their sums over all images. The images' sections may differ, but not
    /// in their number of elements.
    /// @counterpart `co_sum` of an array section
    public final void sum(Coarray a, Section section) {
        reduce(StatementKind.SUM, Reduction.SUM, a, section);
    }

    /// Replaces elements by the least ones of all images.
    public final void min(Coarray a, long index, long count) {
        reduce(StatementKind.MIN, Reduction.MIN, a, index, count);
    }

    /// Replaces all elements of a coarray by their least ones over all images.
    public final void min(Coarray a) {
        min(a, 0, StatementChecks.notNull(a, "min", "a").length());
    }

    /// Replaces the elements of a section by their least ones over all images. The images' sections may differ,
    /// but not in their number of elements.
    /// @counterpart `co_min` of an array section
    public final void min(Coarray a, Section section) {
        reduce(StatementKind.MIN, Reduction.MIN, a, section);
    }

    /// Replaces elements by the greatest ones of all images.
    public final void max(Coarray a, long index, long count) {
        reduce(StatementKind.MAX, Reduction.MAX, a, index, count);
    }

    /// Replaces all elements of a coarray by their greatest ones over all images.
    public final void max(Coarray a) {
        max(a, 0, StatementChecks.notNull(a, "max", "a").length());
    }

    /// Replaces the elements of a section by their greatest ones over all images. The images' sections may
    /// differ, but not in their number of elements.
    /// @counterpart `co_max` of an array section
    public final void max(Coarray a, Section section) {
        reduce(StatementKind.MAX, Reduction.MAX, a, section);
    }

    /// Replaces elements by their reduction over all images, in the order of the images.
    /// @counterpart `co_reduce`, `prif_co_reduce`, `prif_co_reduce_cptr`
    /// @param operator a [coterie.CustomReduction] for records
    /// @throws StatementException if the outcome is not Ok
    public final void reduce(ReductionOperator<?> operator, Coarray a, long index, long count) {
        reduce(StatementKind.REDUCE, operator, a, index, count);
    }

    /// Replaces all elements of a coarray as [#reduce(ReductionOperator, Coarray, long, long)].
    public final void reduce(ReductionOperator<?> operator, Coarray a) {
        reduce(operator, a, 0, StatementChecks.notNull(a, "reduce", "a").length());
    }

    /// Replaces the elements of a section as [#reduce(ReductionOperator, Coarray, long, long)]. The images'
    /// sections may differ, but not in their number of elements.
    public final void reduce(ReductionOperator<?> operator, Coarray a, Section section) {
        reduce(StatementKind.REDUCE, operator, a, section);
    }

    /// Reduces as [#reduce(ReductionOperator, Coarray, Section)].
    /// @counterpart `stat=`
    public final Outcome tryReduce(ReductionOperator<?> operator, Coarray a, Section section) {
        return tryReduce(StatementKind.REDUCE, operator, a, section);
    }

    private void reduce(StatementKind kind, ReductionOperator<?> operator, Coarray a, Section section) {
        StatementException.unlessOk(kind.operation(), tryReduce(kind, operator, a, section), self());
    }

    private Outcome tryReduce(StatementKind kind, ReductionOperator<?> operator, Coarray a, Section section) {
        check(kind, a, section);
        ElementType type = a.elements().type();
        MemorySegment packed = a.packed(section);
        Outcome outcome = tryReduce(kind, operator, type, packed);
        a.unpack(section, packed, outcome.isOk());
        return outcome;
    }

    private void check(StatementKind kind, Coarray a, Section section) {
        check(kind, a, 0, 0);
        StatementChecks.notNull(section, kind.operation(), "section");
        section.checkWithin(kind.operation(), a.toString(), a.length());
        section.checkWritten(kind.operation());
    }

    private void reduce(StatementKind kind, ReductionOperator<?> operator, Coarray a, long index, long count) {
        StatementException.unlessOk(kind.operation(), tryReduce(kind, operator, a, index, count), self());
    }

    /// Reduces as [#reduce].
    /// @counterpart `stat=`
    public final Outcome tryReduce(ReductionOperator<?> operator, Coarray a, long index, long count) {
        return tryReduce(StatementKind.REDUCE, operator, a, index, count);
    }

    private Outcome tryReduce(StatementKind kind, ReductionOperator<?> operator, Coarray a, long index, long count) {
        check(kind, operator, a, index, count);
        return outcome(kind, a, count, arguments(a, operator), () -> {
            ElementView view = a.elements();
            long first = index * a.unit();
            long n = count * a.unit();
            core().allReduce(CollectiveArguments.ofAnyView(operator), view, first, view, first, n);
        });
    }

    /// Reduces as [#reduce], for one image: the elements of the others are undefined.
    /// @counterpart `result_image=` of `co_reduce`
    public final void reduceTo(ReductionOperator<?> operator, Coarray a, long index, long count, int resultImage) {
        StatementException.unlessOk("reduce", tryReduceTo(operator, a, index, count, resultImage), self());
    }

    /// Reduces as [#reduceTo].
    /// @counterpart `stat=`
    public final Outcome tryReduceTo(
            ReductionOperator<?> operator, Coarray a, long index, long count, int resultImage) {
        check(StatementKind.REDUCE, operator, a, index, count);
        pe("reduce", resultImage);
        long arguments = CollectiveArguments.with(arguments(a, operator), resultImage);
        return outcome(StatementKind.REDUCE, a, count, arguments, () -> {
            ElementView view = a.elements();
            long first = index * a.unit();
            core().reduce(
                            CollectiveArguments.ofAnyView(operator),
                            view,
                            first,
                            view,
                            first,
                            count * a.unit(),
                            resultImage - 1);
        });
    }

    /// Replaces elements by those of one image.
    /// @counterpart `co_broadcast` of an array, `prif_co_broadcast_cptr`
    public final void broadcast(Coarray a, long index, long count, int sourceImage) {
        StatementException.unlessOk("broadcast", tryBroadcast(a, index, count, sourceImage), self());
    }

    /// Replaces all elements of a coarray by those of one image.
    public final void broadcast(Coarray a, int sourceImage) {
        broadcast(a, 0, StatementChecks.notNull(a, "broadcast", "a").length(), sourceImage);
    }

    /// Replaces the elements of a section by those of one image. The images' sections may differ, but not in their
    /// number of elements.
    /// @counterpart `co_broadcast` of an array section
    public final void broadcast(Coarray a, Section section, int sourceImage) {
        StatementException.unlessOk("broadcast", tryBroadcast(a, section, sourceImage), self());
    }

    /// Broadcasts as [#broadcast(Coarray, Section, int)].
    /// @counterpart `stat=`
    public final Outcome tryBroadcast(Coarray a, Section section, int sourceImage) {
        check(StatementKind.BROADCAST, a, section);
        MemorySegment packed = a.packed(section);
        Outcome outcome = tryBroadcast(packed, a.elements().type(), sourceImage);
        a.unpack(section, packed, outcome.isOk());
        return outcome;
    }

    /// Broadcasts as [#broadcast(Coarray, long, long, int)].
    /// @counterpart `stat=`
    public final Outcome tryBroadcast(Coarray a, long index, long count, int sourceImage) {
        check(StatementKind.BROADCAST, a, index, count);
        pe("broadcast", sourceImage);
        long arguments =
                CollectiveArguments.with(CollectiveArguments.of(a.elements().type()), sourceImage);
        return outcome(StatementKind.BROADCAST, a, count, arguments, () -> {
            long first = index * a.unit();
            core().broadcast(a.elements(), first, a.elements(), first, count * a.unit(), sourceImage - 1);
        });
    }

    private static long arguments(Coarray a, ReductionOperator<?> operator) {
        return CollectiveArguments.of(a.elements().type(), operator);
    }

    private Outcome outcome(StatementKind kind, Coarray a, long count, long arguments, Runnable body) {
        return statements()
                .collective(kind, self(), () -> {
                    statements().agreement().publishArguments(count * a.unit(), arguments);
                    body.run();
                    return this;
                })
                .outcome();
    }

    private void check(StatementKind kind, ReductionOperator<?> operator, Coarray a, long index, long count) {
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
    public final Completion reduceAsync(ReductionOperator<?> operator, Coarray a, long index, long count) {
        return reduceAsync(StatementKind.REDUCE, operator, a, index, count);
    }

    private Completion reduceAsync(
            StatementKind kind, ReductionOperator<?> operator, Coarray a, long index, long count) {
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
            statements().pending().add(completion, a.block);
        }
        return completion;
    }

    private String text(StatementKind kind, int sign, String value) {
        checkStatement(kind.operation());
        return valueOf(
                kind,
                statements().compared(kind, self(), () -> TextCollective.run(core(), kind.toString(), sign, value)));
    }
}
