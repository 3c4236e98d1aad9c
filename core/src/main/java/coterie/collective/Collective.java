// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import coterie.ElementView;
import coterie.ReductionOperator;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a [Request] is to do: a collective, its buffers, and how it is waited for. Answers to `ucc_coll_args_t`.
///
/// A value: each method gives a new one. Made by the method that has the collective's name, then given its
/// buffers:
///
/// ```java
/// Collective.gather(0).source(mine, 0, n).target(all, 0, n * team.size())
/// ```
///
/// Buffers are views of symmetric memory of one type. The `count` is what the buffer holds of use, in elements;
/// `n` are the team's members:
///
/// | collective | source | target |
/// |---|---|---|
/// | barrier, fanin, fanout | none | none |
/// | broadcast | count, the root's alone | count |
/// | allreduce, scans | count | count |
/// | reduce | count | count, the root's alone |
/// | allgather | count | n × count |
/// | gather | count | n × count, the root's alone |
/// | scatter | n × count, the root's alone | count |
/// | alltoall | n × count | n × count |
/// | reduce-scatter | n × count | count |
///
/// What only the root needs is not looked at on other members. In the forms with a v, blocks have lengths of their
/// own: where the table says `n ×`, the buffer takes a count and a place for each member, in any order, as long as
/// no two blocks of a target overlap; members agree on what goes from one to another.
///
/// **In place.** Source and target must not overlap, but for these, which are meant so: they begin together, but
/// that in gather and allgather the source is my own block of the target, and in scatter the target is my own
/// block of the source. In a broadcast, and wherever both have one count, they are then the same. Members do so
/// all or none, where not the root alone has both; a member whose own block is empty does as it likes. An
/// alltoallv is never in place. Blocks of one target never overlap with each other.
public final class Collective {
    private final CollectiveType type;
    private final @Nullable ReductionOperator operator;
    private final int root;
    private final @Nullable Buffer source;
    private final @Nullable Buffer target;
    private final @Nullable Duration timeout;
    private final boolean isPersistent;
    private final @Nullable Consumer<? super Request> callback;
    private final @Nullable String algorithm;

    /// A buffer: blocks of a view, one for each member, or one alone.
    public static final class Buffer {
        private final ElementView elements;
        private final long[] counts;
        private final long[] indices;

        private Buffer(ElementView elements, long[] counts, long[] indices) {
            this.elements = elements;
            this.counts = counts;
            this.indices = indices;
        }

        /// The view.
        public ElementView elements() {
            return elements;
        }

        /// How many blocks it has.
        public int blocks() {
            return counts.length;
        }

        /// Elements of a block.
        public long count(int block) {
            return counts[block];
        }

        /// Where in the view a block begins.
        public long index(int block) {
            return indices[block];
        }
    }

    private Collective(
            CollectiveType type,
            @Nullable ReductionOperator operator,
            int root,
            @Nullable Buffer source,
            @Nullable Buffer target,
            @Nullable Duration timeout,
            boolean isPersistent,
            @Nullable Consumer<? super Request> callback,
            @Nullable String algorithm) {
        this.type = type;
        this.operator = operator;
        this.root = root;
        this.source = source;
        this.target = target;
        this.timeout = timeout;
        this.isPersistent = isPersistent;
        this.callback = callback;
        this.algorithm = algorithm;
    }

    private static Collective of(CollectiveType type, @Nullable ReductionOperator operator, int root) {
        return new Collective(type, operator, root, null, null, null, false, null, null);
    }

    /// All wait for all.
    public static Collective barrier() {
        return of(CollectiveType.BARRIER, null, 0);
    }

    /// The root waits for all.
    public static Collective fanIn(int root) {
        return of(CollectiveType.FAN_IN, null, root);
    }

    /// All wait for the root.
    public static Collective fanOut(int root) {
        return of(CollectiveType.FAN_OUT, null, root);
    }

    /// All get the root's elements.
    public static Collective broadcast(int root) {
        return of(CollectiveType.BROADCAST, null, root);
    }

    /// All get the reduction of all members' elements.
    public static Collective allReduce(ReductionOperator operator) {
        return of(CollectiveType.ALL_REDUCE, checked("allReduce", "operator", operator), 0);
    }

    /// The root gets the reduction of all members' elements.
    public static Collective reduce(ReductionOperator operator, int root) {
        return of(CollectiveType.REDUCE, checked("reduce", "operator", operator), root);
    }

    /// Each gets the reduction of the elements of the members up to itself.
    public static Collective inclusiveScan(ReductionOperator operator) {
        return of(CollectiveType.INCLUSIVE_SCAN, checked("inclusiveScan", "operator", operator), 0);
    }

    /// Each gets the reduction of the elements of the members before it; member 0 the identity.
    public static Collective exclusiveScan(ReductionOperator operator) {
        return of(CollectiveType.EXCLUSIVE_SCAN, checked("exclusiveScan", "operator", operator), 0);
    }

    /// Each gets its block of the reduction of all members' elements.
    public static Collective reduceScatter(ReductionOperator operator) {
        return of(CollectiveType.REDUCE_SCATTER, checked("reduceScatter", "operator", operator), 0);
    }

    /// The same with blocks of any lengths, which all members pass alike.
    public static Collective reduceScatterV(ReductionOperator operator) {
        return of(CollectiveType.REDUCE_SCATTER_V, checked("reduceScatterV", "operator", operator), 0);
    }

    /// All get a block of each member.
    public static Collective allGather() {
        return of(CollectiveType.ALL_GATHER, null, 0);
    }

    /// The same with blocks of any lengths, which all members know.
    public static Collective allGatherV() {
        return of(CollectiveType.ALL_GATHER_V, null, 0);
    }

    /// The root gets a block of each member.
    public static Collective gather(int root) {
        return of(CollectiveType.GATHER, null, root);
    }

    /// The same with blocks of any lengths, which the root knows.
    public static Collective gatherV(int root) {
        return of(CollectiveType.GATHER_V, null, root);
    }

    /// Each gets its block from the root.
    public static Collective scatter(int root) {
        return of(CollectiveType.SCATTER, null, root);
    }

    /// The same with blocks of any lengths, which the root knows.
    public static Collective scatterV(int root) {
        return of(CollectiveType.SCATTER_V, null, root);
    }

    /// Each gets a block of each member.
    public static Collective allToAll() {
        return of(CollectiveType.ALL_TO_ALL, null, 0);
    }

    /// The same with blocks of any lengths; two members agree on what goes from one to the other.
    public static Collective allToAllV() {
        return of(CollectiveType.ALL_TO_ALL_V, null, 0);
    }

    /// The same with `count` elements of a view as the source, from `index` on.
    ///
    /// @throws IllegalArgumentException if it has no source on any member
    public Collective source(ElementView view, long index, long count) {
        return with(side("source", view, new long[] {count}, new long[] {index}), target);
    }

    /// The same with a block of a view for each member as the source, where the table above says `n ×`.
    ///
    /// @param counts elements of each member's block
    /// @param indices where each begins
    /// @throws IllegalArgumentException if it has no source on any member, or there are not as many of both
    public Collective source(ElementView view, long[] counts, long[] indices) {
        return with(side("source", view, counts, indices), target);
    }

    /// The same with `count` elements of a view as the target, from `index` on.
    ///
    /// @throws IllegalArgumentException if it has no target on any member
    public Collective target(ElementView view, long index, long count) {
        return with(source, side("target", view, new long[] {count}, new long[] {index}));
    }

    /// The same with a block of a view for each member as the target, where the table above says `n ×`.
    ///
    /// @param counts elements of each member's block
    /// @param indices where each begins
    /// @throws IllegalArgumentException if it has no target on any member, or there are not as many of both
    public Collective target(ElementView view, long[] counts, long[] indices) {
        return with(source, side("target", view, counts, indices));
    }

    /// The same, which may be posted again and again.
    public Collective persistent() {
        return new Collective(type, operator, root, source, target, timeout, true, callback, algorithm);
    }

    /// The same, which fails on all members where it takes longer on this one, counted from its post.
    ///
    /// @param limit positive
    public Collective timeout(Duration limit) {
        Duration given = checked("timeout", "limit", limit);
        return new Collective(type, operator, root, source, target, given, isPersistent, callback, algorithm);
    }

    /// The same with a callback at the end of each run, well or not, on the thread that has come across it. It may
    /// post requests, this one too if it is persistent, and close them; nobody may wait for a request that its
    /// callback closes. It must not wait, since that thread may be in the midst of something else: a collective
    /// that waits is refused there with an [IllegalStateException]. What it throws goes to that thread: out of its
    /// post, test or await of this request, else to its handler of uncaught exceptions, which by default ends the
    /// thread's program with an error.
    public Collective onComplete(Consumer<? super Request> then) {
        Consumer<? super Request> given = checked("onComplete", "then", then);
        return new Collective(type, operator, root, source, target, timeout, isPersistent, given, algorithm);
    }

    /// The same by an algorithm of this name where that can do it, whatever the selection says; members name the
    /// same.
    ///
    /// @param name such as "ring"; [Request#algorithm] tells which one serves
    public Collective algorithm(String name) {
        String given = checked("algorithm", "name", name);
        return new Collective(type, operator, root, source, target, timeout, isPersistent, callback, given);
    }

    private Collective with(@Nullable Buffer from, @Nullable Buffer to) {
        return new Collective(type, operator, root, from, to, timeout, isPersistent, callback, algorithm);
    }

    private static <T> T checked(String method, String name, T argument) {
        return Objects.requireNonNull(argument, () -> "Collective." + method + ": " + name + " is null");
    }

    private Buffer side(String role, ElementView view, long[] counts, long[] indices) {
        checked(role, "view", view);
        checked(role, "counts", counts);
        checked(role, "indices", indices);
        if (!hasData()) {
            throw new IllegalArgumentException(type.label() + ": it moves no data and has no " + role
                    + "; barrier, fanin and fanout take no buffers");
        }
        if (counts.length != indices.length) {
            throw new IllegalArgumentException(type.label() + ": the " + role + " has " + counts.length + " counts and "
                    + indices.length + " indices; each block has one of both");
        }
        return new Buffer(view, counts.clone(), indices.clone());
    }

    private boolean hasData() {
        return switch (type) {
            case BARRIER, FAN_IN, FAN_OUT -> false;
            default -> true;
        };
    }

    /// What it is.
    public CollectiveType type() {
        return type;
    }

    /// How elements are reduced; empty where they are not.
    public Optional<ReductionOperator> operator() {
        return Optional.ofNullable(operator);
    }

    /// A member, or 0 where there is no root.
    public int root() {
        return root;
    }

    /// What I bring, if given.
    public Optional<Buffer> source() {
        return Optional.ofNullable(source);
    }

    /// What I get, if given.
    public Optional<Buffer> target() {
        return Optional.ofNullable(target);
    }

    /// How long a run may take, if it is limited.
    public Optional<Duration> timeout() {
        return Optional.ofNullable(timeout);
    }

    /// Whether it may be posted more than once.
    public boolean isPersistent() {
        return isPersistent;
    }

    /// What runs at the end of each run, if anything.
    public Optional<Consumer<? super Request>> callback() {
        return Optional.ofNullable(callback);
    }

    /// The algorithm that it should go by, if one is named.
    public Optional<String> algorithm() {
        return Optional.ofNullable(algorithm);
    }

    /// For people: "allreduce of SUM".
    @Override
    public String toString() {
        return type.label() + (operator == null ? "" : " of " + operator);
    }
}
