// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import coterie.ElementView;
import coterie.ReductionOperator;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The description of a [Request]: a collective, its buffers, and how to wait for it.
///
/// It is an immutable value. The method with the collective's name makes one; every other method returns a copy
/// with one more property:
///
/// ```java
/// Collective.gather(0).source(mine, 0, n).target(all, 0, n * team.size())
/// ```
///
/// Buffers are views of symmetric memory of one element type. The table has the elements of each buffer; `n` is
/// the number of members:
///
/// | collective | source | target |
/// |---|---|---|
/// | barrier, fanIn, fanOut | none | none |
/// | broadcast | count, the root's alone | count |
/// | allReduce, scans | count | count |
/// | reduce | count | count, the root's alone |
/// | allGather | count | n × count |
/// | gather | count | n × count, the root's alone |
/// | scatter | n × count, the root's alone | count |
/// | allToAll | n × count | n × count |
/// | reduceScatter | n × count | count |
///
/// The runtime ignores a root's buffer on other members. In the forms with a V blocks have different lengths:
/// where the table has `n ×`, the buffer takes a count and an index for each member, in any order. Sender and
/// receiver of a block pass the same count. Blocks of one target must not overlap.
///
/// **In place.** Source and target must not overlap, except in place: both begin at the same element. In gather
/// and allGather the source is then the caller's own block of the target, in scatter the target its own block of
/// the source; a broadcast, and every collective with one count for both, has one buffer then. If not only the
/// root has both buffers, all members are in place or none; a member whose own block is empty may do either. An
/// allToAllV is never in place.
/// @counterpart `ucc_coll_args_t`
public final class Collective {
    private static final int LONGEST_TAG = 48;

    private final CollectiveType type;
    private final @Nullable ReductionOperator<?> operator;
    private final int root;
    private final @Nullable Buffer source;
    private final @Nullable Buffer target;
    private final Options options;

    /// How a request runs, and what it is called.
    private record Options(
            @Nullable Duration timeout,
            boolean isPersistent,
            @Nullable Consumer<? super Request> callback,
            @Nullable String algorithm,
            @Nullable String tag) {
        static final Options NONE = new Options(null, false, null, null, null);
    }

    /// A buffer: a block of a view for each member, or a single block.
    public static final class Buffer {
        private final ElementView elements;
        private final long[] counts;
        private final long[] indices;

        private Buffer(ElementView elements, long[] counts, long[] indices) {
            this.elements = elements;
            this.counts = counts;
            this.indices = indices;
        }

        /// Returns the view.
        public ElementView elements() {
            return elements;
        }

        /// Returns the number of blocks.
        public int blocks() {
            return counts.length;
        }

        /// Returns the number of elements of a block.
        public long count(int block) {
            return counts[block];
        }

        /// Returns the index in the view of the first element of a block.
        public long index(int block) {
            return indices[block];
        }

        /// Returns whether the other is a buffer with the same view, counts and indices.
        @Override
        public boolean equals(Object other) {
            return other instanceof Buffer buffer
                    && elements.equals(buffer.elements)
                    && Arrays.equals(counts, buffer.counts)
                    && Arrays.equals(indices, buffer.indices);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(counts) + Arrays.hashCode(indices);
        }

        @Override
        public String toString() {
            return counts.length + (counts.length == 1 ? " block" : " blocks") + " of the " + elements;
        }
    }

    private Collective(
            CollectiveType type,
            @Nullable ReductionOperator<?> operator,
            int root,
            @Nullable Buffer source,
            @Nullable Buffer target,
            Options options) {
        this.type = type;
        this.operator = operator;
        this.root = root;
        this.source = source;
        this.target = target;
        this.options = options;
    }

    private static Collective of(CollectiveType type, @Nullable ReductionOperator<?> operator, int root) {
        return new Collective(type, operator, root, null, null, Options.NONE);
    }

    /// Every member waits for all members.
    public static Collective barrier() {
        return of(CollectiveType.BARRIER, null, 0);
    }

    /// The root waits for all members.
    public static Collective fanIn(int root) {
        return of(CollectiveType.FAN_IN, null, root);
    }

    /// Every member waits for the root.
    public static Collective fanOut(int root) {
        return of(CollectiveType.FAN_OUT, null, root);
    }

    /// Every member gets the root's elements.
    public static Collective broadcast(int root) {
        return of(CollectiveType.BROADCAST, null, root);
    }

    /// Every member gets the reduction of all members' elements.
    public static Collective allReduce(ReductionOperator<?> operator) {
        return of(CollectiveType.ALL_REDUCE, checked("allReduce", "operator", operator), 0);
    }

    /// The root gets the reduction of all members' elements.
    public static Collective reduce(ReductionOperator<?> operator, int root) {
        return of(CollectiveType.REDUCE, checked("reduce", "operator", operator), root);
    }

    /// Every member gets the reduction of the elements of the members up to itself.
    public static Collective inclusiveScan(ReductionOperator<?> operator) {
        return of(CollectiveType.INCLUSIVE_SCAN, checked("inclusiveScan", "operator", operator), 0);
    }

    /// Every member gets the reduction of the elements of the members before it; member 0 gets the identity.
    public static Collective exclusiveScan(ReductionOperator<?> operator) {
        return of(CollectiveType.EXCLUSIVE_SCAN, checked("exclusiveScan", "operator", operator), 0);
    }

    /// Every member gets its block of the reduction of all members' elements.
    public static Collective reduceScatter(ReductionOperator<?> operator) {
        return of(CollectiveType.REDUCE_SCATTER, checked("reduceScatter", "operator", operator), 0);
    }

    /// A [#reduceScatter] with blocks of any lengths; all members pass all lengths.
    public static Collective reduceScatterV(ReductionOperator<?> operator) {
        return of(CollectiveType.REDUCE_SCATTER_V, checked("reduceScatterV", "operator", operator), 0);
    }

    /// Every member gets a block of each member.
    public static Collective allGather() {
        return of(CollectiveType.ALL_GATHER, null, 0);
    }

    /// An [#allGather] with blocks of any lengths; all members pass all lengths.
    public static Collective allGatherV() {
        return of(CollectiveType.ALL_GATHER_V, null, 0);
    }

    /// The root gets a block of each member.
    public static Collective gather(int root) {
        return of(CollectiveType.GATHER, null, root);
    }

    /// A [#gather] with blocks of any lengths; the root passes all lengths.
    public static Collective gatherV(int root) {
        return of(CollectiveType.GATHER_V, null, root);
    }

    /// Every member gets its block from the root.
    public static Collective scatter(int root) {
        return of(CollectiveType.SCATTER, null, root);
    }

    /// A [#scatter] with blocks of any lengths; the root passes all lengths.
    public static Collective scatterV(int root) {
        return of(CollectiveType.SCATTER_V, null, root);
    }

    /// Every member gets a block of each member.
    public static Collective allToAll() {
        return of(CollectiveType.ALL_TO_ALL, null, 0);
    }

    /// An [#allToAll] with blocks of any lengths; sender and receiver of a block pass its length.
    public static Collective allToAllV() {
        return of(CollectiveType.ALL_TO_ALL_V, null, 0);
    }

    /// Sets the source: `count` elements of a view, from `index` on.
    ///
    /// @throws IllegalArgumentException if the collective has no source on any member
    public Collective source(ElementView view, long index, long count) {
        return with(side("source", view, new long[] {count}, new long[] {index}), target);
    }

    /// Sets the source: a block of a view for each member, where the table has `n ×`.
    ///
    /// @param counts elements of each member's block
    /// @param indices of the first element of each block
    /// @throws IllegalArgumentException if the collective has no source on any member, or the arrays differ in
    ///     length
    public Collective source(ElementView view, long[] counts, long[] indices) {
        return with(side("source", view, counts, indices), target);
    }

    /// Sets the target: `count` elements of a view, from `index` on.
    ///
    /// @throws IllegalArgumentException if the collective has no target on any member
    public Collective target(ElementView view, long index, long count) {
        return with(source, side("target", view, new long[] {count}, new long[] {index}));
    }

    /// Sets the target: a block of a view for each member, where the table has `n ×`.
    ///
    /// @param counts elements of each member's block
    /// @param indices of the first element of each block
    /// @throws IllegalArgumentException if the collective has no target on any member, or the arrays differ in
    ///     length
    public Collective target(ElementView view, long[] counts, long[] indices) {
        return with(source, side("target", view, counts, indices));
    }

    /// Allows any number of posts, one after the other.
    /// @counterpart `UCC_COLL_ARGS_FLAG_PERSISTENT`
    public Collective persistent() {
        return with(new Options(options.timeout, true, options.callback, options.algorithm, options.tag));
    }

    /// Limits the time of a run on this member, counted from its post; a run that exceeds it fails on all members.
    /// @counterpart `UCC_COLL_ARGS_FLAG_TIMEOUT`; the run fails on all members
    /// @param timeout positive
    public Collective withTimeout(Duration timeout) {
        Duration given = checked("withTimeout", "timeout", timeout);
        return with(new Options(given, options.isPersistent, options.callback, options.algorithm, options.tag));
    }

    /// Adds a callback for the end of each run, whether it failed or not, on the thread that finds the run
    /// complete. The callback may post requests, this one too if it is persistent, and close them; no thread may
    /// wait for a request that its callback closes. It must not wait: a collective that waits throws an
    /// [IllegalStateException] in it. An exception or error of the callback leaves a thread's test or await of this
    /// request: a call under way, or the next one if a post has found the run complete; never the post. In
    /// other calls the thread's handler of uncaught exceptions gets it, which by default ends the program with an
    /// error; so it does at the close or the next post, if no test or await has come.
    /// @counterpart `ucc_coll_callback_t`
    public Collective onComplete(Consumer<? super Request> then) {
        Consumer<? super Request> given = checked("onComplete", "then", then);
        return with(new Options(options.timeout, options.isPersistent, given, options.algorithm, options.tag));
    }

    /// Selects an algorithm for this request before all settings, if it can serve the request; all members pass
    /// the same name.
    ///
    /// @param name such as "ring"; [Request#algorithm] returns the algorithm that serves
    public Collective withAlgorithm(String name) {
        String given = checked("withAlgorithm", "name", name);
        return with(new Options(options.timeout, options.isPersistent, options.callback, given, options.tag));
    }

    /// Gives the request a name of the program's, which messages, reports of jobs that don't move, and traces show
    /// beside the collective: `allReduce #3 "gradients"`. Members may give different ones.
    /// @counterpart `ncclCollConfig_t::userTag`
    /// @param tag 1 to 48 printable characters of ISO 8859-1
    /// @throws IllegalArgumentException if it is longer, empty, or has other characters
    public Collective withTag(String tag) {
        String given = checked("withTag", "tag", tag);
        if (given.isBlank() || given.length() > LONGEST_TAG || !given.chars().allMatch(Collective::isPrintable)) {
            throw new IllegalArgumentException(type.method() + ": tag \"" + given + "\" of " + given.length()
                    + " characters; allowed are 1 to " + LONGEST_TAG + " printable characters of ISO 8859-1");
        }
        return with(new Options(options.timeout, options.isPersistent, options.callback, options.algorithm, given));
    }

    private static boolean isPrintable(int character) {
        return character < 256 && !Character.isISOControl(character);
    }

    private Collective with(Options changed) {
        return new Collective(type, operator, root, source, target, changed);
    }

    private Collective with(@Nullable Buffer from, @Nullable Buffer to) {
        return new Collective(type, operator, root, from, to, options);
    }

    private static <T> T checked(String method, String name, T argument) {
        return Objects.requireNonNull(argument, () -> "Collective." + method + ": " + name + " is null");
    }

    private Buffer side(String role, ElementView view, long[] counts, long[] indices) {
        checked(role, "view", view);
        checked(role, "counts", counts);
        checked(role, "indices", indices);
        if (!hasData()) {
            throw new IllegalArgumentException(type.method() + ": it moves no data and has no " + role
                    + "; barrier, fanIn and fanOut take no buffers");
        }
        if (counts.length != indices.length) {
            throw new IllegalArgumentException(type.method() + ": the " + role + " has " + counts.length
                    + " counts and " + indices.length + " indices; each block has one of both");
        }
        return new Buffer(view, counts.clone(), indices.clone());
    }

    private boolean hasData() {
        return switch (type) {
            case BARRIER, FAN_IN, FAN_OUT -> false;
            default -> true;
        };
    }

    /// Returns the type.
    public CollectiveType type() {
        return type;
    }

    /// Returns the reduction, or empty for a collective that does not reduce.
    public Optional<ReductionOperator<?>> operator() {
        return Optional.ofNullable(operator);
    }

    /// Returns the root, a member, or 0 for a collective without one.
    public int root() {
        return root;
    }

    /// Returns the source, if set.
    public Optional<Buffer> source() {
        return Optional.ofNullable(source);
    }

    /// Returns the target, if set.
    public Optional<Buffer> target() {
        return Optional.ofNullable(target);
    }

    /// Returns the limit on the time of a run, if set.
    public Optional<Duration> timeout() {
        return Optional.ofNullable(options.timeout);
    }

    /// Returns whether the program may post it more than once.
    public boolean isPersistent() {
        return options.isPersistent;
    }

    /// Returns the callback for the end of each run, if set.
    public Optional<Consumer<? super Request>> callback() {
        return Optional.ofNullable(options.callback);
    }

    /// Returns the name of the algorithm, if one is set.
    public Optional<String> algorithm() {
        return Optional.ofNullable(options.algorithm);
    }

    /// Returns the program's name of the request, if one is set.
    public Optional<String> tag() {
        return Optional.ofNullable(options.tag);
    }

    /// Returns whether the other is a collective with the same properties. Views, operators and callbacks are equal
    /// as they say themselves.
    @Override
    public boolean equals(Object other) {
        return other instanceof Collective collective
                && type == collective.type
                && root == collective.root
                && Objects.equals(operator, collective.operator)
                && Objects.equals(source, collective.source)
                && Objects.equals(target, collective.target)
                && options.equals(collective.options);
    }

    @Override
    public int hashCode() {
        return Objects.hash(type, operator, root, source, target, options);
    }

    /// Returns a text such as "allReduce of SUM", and the tag in quotes.
    @Override
    public String toString() {
        return type.method()
                + (operator == null ? "" : " of " + operator)
                + (options.tag == null ? "" : " \"" + options.tag + '"');
    }
}
