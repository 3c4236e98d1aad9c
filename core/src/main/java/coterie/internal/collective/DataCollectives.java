// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.Elements;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.HeapCopies;
import coterie.internal.rma.PeContext;
import coterie.internal.score.Choice;
import coterie.internal.score.Selection;
import coterie.internal.wait.WaitKind;
import coterie.spi.Conduit.Region;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// The collectives over symmetric memory, and what barriers and numbers need of it. All go the same way:
///
/// ```
///  check my arguments      wrong ones are refused before anybody meets
///  choose a way            by what is agreed on, so that all choose the same: Selection
///  say them, meet          all must agree: where they don't, no target has changed
///    move and reduce       what has not travelled with the round
///  complete, part          my target is complete, and everybody is done with my source
/// ```
///
/// | way | what it does |
/// |---|---|
/// | [Barriers] | nothing: the round is all |
/// | [SelfCollectives] | a copy, in a team of one |
/// | [PostedBroadcasts] | the root posts, the others answer, and there is no round |
/// | [SmallCollectives] | few bytes are there when the round is over, and nobody has to part |
/// | [Pulls] | everybody reads the others' sources |
/// | [Exchanges] | everybody puts into the others' targets |
/// | [ShareReductions] | everybody reduces its share for all |
/// | [PlannedCollectives] | messages between pairs, by one of many algorithms |
/// | [PluggedCollectives] | what a layer that plugs in does |
public final class DataCollectives {
    private final Gathering gathering;
    private final Roster roster;
    private final Operands operands;
    private final Rounds rounds;
    private final Call call = new Call();
    private final SelfCollectives self;
    private final ShareReductions shares;
    private final Exchanges exchanges;
    private final Pulls pulls;
    private final PlannedCollectives plans;
    private final PluggedCollectives plugged;
    private final TeamComponents components;
    private final TeamPort port;
    private final Means means;
    private final Layers layers;
    private final IntUnaryOperator nodes;
    private final boolean isDirect;

    /// Made by the first collective that asks for it.
    private volatile @Nullable Selection<Way> selection;

    private long digest;

    /// Where the numbers are that plans and layers reduce, or −1 as long as there is no place.
    private long numbers = -1;

    /// Null where members meet along a tree.
    private final @Nullable SmallCollectives inline;

    /// Null where members don't load each other's memory.
    private final @Nullable StageCarrier stage;

    private final @Nullable SmallCollectives staged;
    private final @Nullable PostedBroadcasts posted;

    public DataCollectives(Gathering gathering, Means means) {
        PeContext context = gathering.context().own();
        Meeting meeting = gathering.meeting();
        this.gathering = gathering;
        this.roster = gathering.roster();
        this.operands = new Operands(roster, gathering.context());
        this.rounds = new Rounds(gathering);
        HeapCopies copies = new HeapCopies(context);
        Collected collected = new Collected(roster, meeting, rounds, operands);
        this.self = new SelfCollectives(roster, rounds, collected, copies);
        this.shares = new ShareReductions(roster, rounds, copies, context.scratch());
        this.exchanges = new Exchanges(roster, rounds, collected, copies);
        this.pulls = new Pulls(roster, rounds, collected, copies);
        FlatMeeting flat = meeting instanceof FlatMeeting small ? small : null;
        boolean isDirect = flat != null && flat.isDirect();
        this.inline = flat == null ? null : new SmallCollectives(roster, rounds, new LineCarrier(roster, flat), copies);
        this.stage = flat == null || !isDirect ? null : new StageCarrier(roster, flat, means);
        this.posted = flat == null || !isDirect ? null : new PostedBroadcasts(gathering, rounds, flat, means, copies);
        this.staged = stage == null ? null : new SmallCollectives(roster, rounds, stage, copies);
        this.means = means;
        this.layers = means.layers();
        this.nodes = means.nodes();
        this.isDirect = isDirect;
        this.plans = new PlannedCollectives(gathering, rounds, means);
        this.components = new TeamComponents(gathering, means);
        this.port = new TeamPort(gathering, means);
        this.plugged = new PluggedCollectives(gathering, rounds, means, components, plans);
    }

    /// The layers that plug in; all members open them together, the first time.
    public TeamComponents components() {
        if (!components.isOpen()) {
            components.open();
        }
        return components;
    }

    /// Through which runs go on by themselves.
    public TeamPort port() {
        return port;
    }

    private Footing footing() {
        return Footing.of(roster.size(), member -> nodes.applyAsInt(roster.pe(member)), isDirect, inline != null);
    }

    /// Who serves what, as far as it is known: layers that plug in are opened by the first collective that asks.
    /// For any thread.
    public Selection<Way> selection() {
        Selection<Way> made = selection;
        return made == null ? layers.selection(footing()) : made;
    }

    /// Who serves what, once the layers that plug in are open.
    public Selection<Way> chosen() {
        Selection<Way> made = selection;
        if (made == null) {
            made = layers.selection(footing(), components.tables());
            digest = made.digest();
            selection = made;
        }
        return made;
    }

    /// Whether a barrier or a number needs no more than a round: as the runtime's own tables have it, by any of the
    /// ways over memory, since nobody serves it, or along a tree. All members ask for it.
    ///
    /// @param type BARRIER, or ALLREDUCE for a number
    boolean goesByRound(CollectiveType type, long bytes) {
        boolean isAsBuilt = means.components().isEmpty() && layers.areAsBuilt();
        if (isAsBuilt || !gathering.meeting().tellsAll()) {
            return true; // without a table, which most programs need for nothing else
        }
        components();
        Choice<Way> choice = chosen().find(type, MemoryType.HOST, bytes);
        return choice == null || choice.candidate().factory() instanceof Way.Native;
    }

    /// A barrier as the selection has it.
    ///
    /// @param completes see [Gathering#synchronise]
    void synchronise(WaitKind kind, boolean completes) {
        gathering.begin(kind);
        if (completes) {
            completeOrLeave();
        }
        call.set(kind, CollectiveType.BARRIER, ElementType.BYTE, 0, 0, 0, 0);
        rounds.say(call, Signature.of(call.elements), digest());
        perform();
    }

    private void completeOrLeave() {
        boolean goesOn = false;
        try {
            gathering.context().complete();
            goesOn = true;
        } finally {
            if (!goesOn) {
                rounds.leave();
            }
        }
    }

    /// Reduces a number of each member, if the selection has it go by a plan or a layer.
    ///
    /// @param bits of a LONG or a DOUBLE
    /// @return whether it has been reduced: see [#reducedNumber]
    boolean reduceNumber(Reduction reduction, ElementType type, long bits) {
        WaitKind kind = WaitKind.REDUCE;
        gathering.begin(kind);
        if (numbers < 0) {
            numbers = means.scratch().take(2 * Long.BYTES);
        }
        if (numbers >= 0) {
            AddressSpace.setLongRelease(heap() + numbers, bits);
        }
        call.set(kind, CollectiveType.ALLREDUCE, type, numbers + Long.BYTES, numbers, 1, Long.BYTES);
        call.reduction = reduction;
        rounds.sayNumber(Signature.ofScalar(reduction, type), digest());
        boolean isReduced = false;
        try {
            Choice<Way> choice = choice();
            while (!isReduced && choice != null && !(choice.candidate().factory() instanceof Way.Native)) {
                isReduced = goes(choice.candidate().factory());
                choice = choice.next();
            }
            return isReduced;
        } finally {
            if (!isReduced) {
                gathering.leaveIfIn();
            }
        }
    }

    /// What has come of the latest [#reduceNumber].
    long reducedNumber() {
        return AddressSpace.getLongAcquire(heap() + numbers + Long.BYTES);
    }

    private long heap() {
        return means.conduit().localBase(Region.HEAP);
    }

    /// See [coterie.Team#reduce(Reduction, Elements, long, Elements, long, long)].
    public void reduce(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        vector(WaitKind.REDUCE, CollectiveType.ALLREDUCE, reduction, target, targetIndex, source, sourceIndex, count);
    }

    /// See [coterie.Team#inclusiveScan].
    public void inclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        vector(
                WaitKind.INCLUSIVE_SCAN,
                CollectiveType.INCLUSIVE_SCAN,
                reduction,
                target,
                targetIndex,
                source,
                sourceIndex,
                count);
    }

    /// See [coterie.Team#exclusiveScan].
    public void exclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        vector(
                WaitKind.EXCLUSIVE_SCAN,
                CollectiveType.EXCLUSIVE_SCAN,
                reduction,
                target,
                targetIndex,
                source,
                sourceIndex,
                count);
    }

    private void vector(
            WaitKind kind,
            CollectiveType collective,
            Reduction reduction,
            Elements target,
            long targetIndex,
            Elements source,
            long sourceIndex,
            long count) {
        ElementType type = type(kind, target, source);
        operands.checkReduction(kind, reduction, type);
        operands.checkCount(kind, type, count, 1);
        long to = operands.place(kind, "target", target, targetIndex, count);
        long from = operands.place(kind, "source", source, sourceIndex, count);
        long bytes = count * type.byteSize();
        operands.checkInPlaceOrApart(kind, to, bytes, from, bytes);
        gathering.begin(kind);
        call.set(kind, collective, type, to, from, count, bytes);
        call.reduction = reduction;
        rounds.say(call, Signature.of(reduction, type), digest());
        rounds.also(count);
        perform();
    }

    /// See [coterie.Team#reduceScatter].
    public void reduceScatter(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        WaitKind kind = WaitKind.REDUCE_SCATTER;
        ElementType type = type(kind, target, source);
        operands.checkReduction(kind, reduction, type);
        operands.checkCount(kind, type, count, roster.size());
        long all = count * roster.size();
        long to = operands.place(kind, "target", target, targetIndex, count);
        long from = operands.place(kind, "source", source, sourceIndex, all);
        int width = type.byteSize();
        operands.checkInPlaceOrApart(kind, to, count * width, from, all * width);
        gathering.begin(kind);
        call.set(kind, CollectiveType.REDUCE_SCATTER, type, to, from, count, count * width);
        call.reduction = reduction;
        rounds.say(call, Signature.of(reduction, type), digest());
        rounds.also(count);
        perform();
    }

    /// See [coterie.Team#broadcast].
    public void broadcast(Elements target, long targetIndex, Elements source, long sourceIndex, long count, int root) {
        WaitKind kind = WaitKind.BROADCAST;
        ElementType type = type(kind, target, source);
        operands.checkRoot(kind, root);
        operands.checkCount(kind, type, count, 1);
        long to = operands.place(kind, "target", target, targetIndex, count);
        long from = operands.place(kind, "source", source, sourceIndex, count);
        long bytes = count * type.byteSize();
        operands.checkInPlaceOrApart(kind, to, bytes, from, bytes);
        gathering.begin(kind);
        call.set(kind, CollectiveType.BROADCAST, type, to, from, count, bytes);
        call.root = root;
        rounds.say(call, Signature.of(type), digest());
        rounds.also(count);
        rounds.also(root);
        perform();
    }

    /// See [coterie.Team#collect].
    public void collect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        WaitKind kind = WaitKind.COLLECT;
        ElementType type = type(kind, target, source);
        operands.checkCount(kind, type, count, 1);
        long to = operands.place(kind, "target", target, targetIndex, 0);
        long from = operands.place(kind, "source", source, sourceIndex, count);
        gathering.begin(kind);
        call.set(kind, CollectiveType.ALLGATHERV, type, to, from, count, 0);
        call.target = target;
        call.targetIndex = targetIndex;
        rounds.say(call, Signature.of(type), digest());
        perform();
    }

    /// See [coterie.Team#fcollect].
    public void fcollect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        WaitKind kind = WaitKind.FCOLLECT;
        ElementType type = type(kind, target, source);
        operands.checkCount(kind, type, count, roster.size());
        long all = count * roster.size();
        long to = operands.place(kind, "target", target, targetIndex, all);
        long from = operands.place(kind, "source", source, sourceIndex, count);
        int width = type.byteSize();
        operands.checkApart(kind, to, all * width, from, count * width);
        gathering.begin(kind);
        call.set(kind, CollectiveType.ALLGATHER, type, to, from, count, all * width);
        rounds.say(call, Signature.of(type), digest());
        rounds.also(count);
        perform();
    }

    /// See [coterie.Team#alltoall].
    public void alltoall(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        WaitKind kind = WaitKind.ALLTOALL;
        ElementType type = type(kind, target, source);
        operands.checkCount(kind, type, count, roster.size());
        long all = count * roster.size();
        long to = operands.place(kind, "target", target, targetIndex, all);
        long from = operands.place(kind, "source", source, sourceIndex, all);
        int width = type.byteSize();
        operands.checkApart(kind, to, all * width, from, all * width);
        gathering.begin(kind);
        call.set(kind, CollectiveType.ALLTOALL, type, to, from, count, all * width);
        rounds.say(call, Signature.of(type), digest());
        rounds.also(count);
        perform();
    }

    /// See [coterie.Team#alltoallStrided].
    public void alltoallStrided(
            Elements target,
            long targetIndex,
            long targetStride,
            Elements source,
            long sourceIndex,
            long sourceStride,
            long count) {
        WaitKind kind = WaitKind.ALLTOALL_STRIDED;
        ElementType type = type(kind, target, source);
        operands.checkCount(kind, type, count, roster.size());
        operands.checkStride(kind, "target", targetStride);
        operands.checkStride(kind, "source", sourceStride);
        long all = count * roster.size();
        long targetSpan = Operands.span(all, targetStride);
        long sourceSpan = Operands.span(all, sourceStride);
        long to = operands.place(kind, "target", target, targetIndex, targetSpan);
        long from = operands.place(kind, "source", source, sourceIndex, sourceSpan);
        int width = type.byteSize();
        operands.checkApart(kind, to, targetSpan * width, from, sourceSpan * width);
        gathering.begin(kind);
        call.set(kind, CollectiveType.ALLTOALLV, type, to, from, count, 0);
        call.toStride = targetStride;
        call.fromStride = sourceStride;
        rounds.say(call, Signature.of(type), digest());
        rounds.also(count);
        rounds.also(targetStride);
        rounds.also(sourceStride);
        perform();
    }

    private ElementType type(WaitKind kind, Elements target, Elements source) {
        gathering.checkAlive(kind.words());
        components();
        return operands.type(kind, target, source);
    }

    private long digest() {
        chosen();
        return digest;
    }

    /// Goes the chosen way, or the next one where that can't be gone with what is asked for; all members see that
    /// alike.
    private void perform() {
        boolean isOver = false;
        try {
            Choice<Way> choice = choice();
            while (!isOver && choice != null) {
                isOver = goes(choice.candidate().factory());
                choice = choice.next();
            }
            if (!isOver && call.type != CollectiveType.BARRIER) { // a barrier ends with a round, whoever serves it
                rounds.agree(call.kind, 1); // members with other settings wait for all
                throw unserved();
            }
        } finally {
            if (!isOver) {
                gathering.leaveIfIn();
            }
        }
    }

    private @Nullable Choice<Way> choice() {
        return chosen().find(call.type, MemoryType.HOST, call.bytes);
    }

    private CoterieException unserved() {
        return new CoterieException(roster.who(call.kind.words()) + "no layer serves " + call.type.word() + " of "
                + call.bytes + " bytes, as the settings tls and tune have it; 'coterie info --scores' shows who"
                + " serves what");
    }

    /// Goes a way, if it serves this call.
    private boolean goes(Way way) {
        return switch (way) {
            case Way.Native ours ->
                switch (ours) {
                    case ROUND -> meets();
                    case COPY -> self.run(call);
                    case POST -> posted != null && posted.run(call);
                    case INLINE -> inline != null && inline.run(call);
                    case STAGE -> staged != null && staged.run(call);
                    case PULL -> pulls.run(call);
                    case SHARE -> shares.run(call);
                    case PUSH -> exchanges.run(call);
                };
            case Way.Planned planned -> plans.run(call, planned.algorithm());
            case Way.Plugged other -> plugged.run(call, other);
        };
    }

    private boolean meets() {
        rounds.agree(call.kind, 1);
        rounds.leave();
        return true;
    }

    /// Completes what is under way to others, before the team meets for the last time.
    public void settle() {
        plans.settle();
    }

    /// Gives back what collectives have taken of memory.
    ///
    /// @param isQuiet whether nobody writes to it any more
    public void close(boolean isQuiet) {
        components.close();
        boolean isOver = plans.close(isQuiet);
        if (isQuiet && stage != null) {
            stage.close();
        }
        if (isQuiet && posted != null) {
            posted.close();
        }
        if (isOver && numbers >= 0) {
            means.scratch().giveBack(numbers, 2 * Long.BYTES);
            numbers = -1;
        }
    }
}
