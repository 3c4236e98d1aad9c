// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.ElementView;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.component.CollectiveResources;
import coterie.internal.p2p.TeamPort;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.ElementSignature;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.OperationKind;
import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// The collectives over symmetric memory, and what barriers and numbers need of it. All go the same way:
///
/// ```
///  check my arguments      wrong ones are refused before anybody meets
///  choose a way            by what is agreed on, so that all choose the same: AlgorithmSelector
///  say them, meet          all must agree: where they don't, no target has changed, but see [OnewayBroadcasts]
///    move and reduce       what has not travelled with the round
///  complete, part          my target is complete, and the others are done with my source
/// ```
///
/// | way | what it does |
/// |---|---|
/// | [Barriers] | nothing: the round is all |
/// | [SingletonCollectives] | a copy, in a team of one |
/// | [OnewayCollectives] | the root posts, the others answer, and there is no round |
/// | [EagerCollectives] | few bytes are there when the round is over, and no member has to part |
/// | [GetCollectives] | each member reads the others' sources |
/// | [PutCollectives] | each member writes into the others' targets |
/// | [PartitionedReductions] | each member reduces its share for all |
/// | [PlannedCollectives] | messages between pairs, by one of many algorithms, and what layers that plug in do |
public final class DataCollectives {
    private final TeamSync teamSync;
    private final Membership membership;
    private final AgreedRounds rounds;
    private final CollectiveArgs barrier = new CollectiveArgs(OperationKind.COMPONENT_BARRIER, CollectiveType.BARRIER);
    private final CollectiveArgs sync = new CollectiveArgs(OperationKind.COMPONENT_SYNC, CollectiveType.BARRIER);
    private final CollectiveArgs number = new CollectiveArgs(OperationKind.ALL_REDUCE, CollectiveType.ALL_REDUCE);
    private final ArgsCache argsCache;
    private final AlgorithmSelector selector;
    private final SingletonCollectives self;
    private final PartitionedReductions shares;
    private final PutCollectives putCollectives;
    private final GetCollectives getCollectives;
    private final PlannedCollectives plans;
    private final CollectiveResources resources;

    /// Where the numbers are that plans and layers reduce, or −1 as long as there is no place.
    private long numbers = -1;

    /// Null where members meet along a tree.
    private final @Nullable EagerCollectives inline;

    /// Null where members don't load each other's memory.
    private final @Nullable BounceBuffers stage;

    private final @Nullable EagerCollectives staged;
    private final @Nullable OnewayCollectives posted;

    /// @param port of the team, for plans
    public DataCollectives(
            TeamSync teamSync, CollectiveResources resources, TeamPort port, AlgorithmSelector selector) {
        PeContext context = teamSync.context().own();
        SyncRound round = teamSync.syncRound();
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        ArgumentChecks argumentChecks = new ArgumentChecks(membership, teamSync.context());
        this.rounds = new AgreedRounds(teamSync);
        SymmetricCopies copies = new SymmetricCopies(context);
        VariableCounts counts = new VariableCounts(membership, round, rounds, argumentChecks);
        this.self = new SingletonCollectives(membership, rounds, counts, copies);
        this.shares = new PartitionedReductions(membership, rounds, copies, context.scratch());
        this.putCollectives = new PutCollectives(membership, rounds, counts, copies);
        this.getCollectives = new GetCollectives(membership, rounds, counts, copies);
        FlatRound flat = round instanceof FlatRound small ? small : null;
        boolean isDirect = flat != null && flat.isDirect();
        this.inline = flat == null
                ? null
                : new EagerCollectives(membership, rounds, new InlineTransport(membership, flat), copies);
        this.stage = flat == null || !isDirect ? null : new BounceBuffers(membership, flat, resources);
        this.posted =
                flat == null || !isDirect ? null : new OnewayCollectives(teamSync, rounds, flat, resources, copies);
        this.staged = stage == null ? null : new EagerCollectives(membership, rounds, stage, copies);
        this.resources = resources;
        this.selector = selector;
        this.argsCache = new ArgsCache(teamSync, argumentChecks, selector);
        this.plans = new PlannedCollectives(teamSync, rounds, resources, selector, port);
    }

    /// Returns what selects the algorithms of collectives.
    AlgorithmSelector selector() {
        return selector;
    }

    /// A barrier as the selection has it.
    ///
    /// @param completes whether it is a barrier: see [TeamSync#synchronise]
    void synchronise(boolean completes) {
        CollectiveArgs args = completes ? barrier : sync;
        teamSync.begin(args.kind);
        try {
            if (completes) {
                teamSync.context().complete();
            }
        } catch (Throwable e) {
            rounds.leave();
            throw e;
        }
        args.setAgreed(ElementSignature.of(args.elements), selector.digest());
        args.selected = selector.of(args.type, 0);
        perform(args);
    }

    /// Reduces a number of each member, if the selection has it go by a plan or a layer.
    ///
    /// @param bits of a LONG or a DOUBLE
    /// @return whether it has been reduced: see [#reducedNumber]
    boolean reduceNumber(Reduction reduction, ElementType type, long bits) {
        teamSync.begin(number.kind);
        if (numbers < 0) {
            numbers = resources.scratch().acquire(2 * Long.BYTES);
        }
        if (numbers >= 0) {
            AddressSpace.setLongRelease(heap() + numbers, bits);
        }
        number.set(reduction, type, numbers + Long.BYTES, numbers, 1, Long.BYTES);
        number.number(ElementSignature.ofScalar(reduction, type), selector.digest());
        boolean isReduced = false;
        try {
            number.selected = selector.of(number.type, number.bytes);
            SelectedAlgorithm<CollectiveAlgorithm> selected = number.selected;
            while (!isReduced
                    && selected != null
                    && !(selected.algorithm().factory() instanceof CollectiveAlgorithm.Native)) {
                isReduced = tryRun(number, selected.algorithm().factory());
                if (isReduced) {
                    selector.trace(number.kind.label(), number.type, number.bytes, 0, selected.algorithm());
                } else if (selected.equals(number.selected)) {
                    checkTuning(number, selected.algorithm());
                }
                selected = selected.next();
            }
            return isReduced;
        } finally {
            if (!isReduced) {
                teamSync.leaveIfIn();
            }
        }
    }

    /// What has come of the latest [#reduceNumber].
    long reducedNumber() {
        return AddressSpace.getLongAcquire(heap() + numbers + Long.BYTES);
    }

    private long heap() {
        return resources.conduit().localBase(Region.HEAP);
    }

    /// A collective that reduces; see [coterie.Team#allReduce(Reduction, ElementView, long, ElementView, long, long)].
    public void reduce(
            OperationKind kind,
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        perform(argsCache.begin(kind, reduction, target, targetIndex, 1, source, sourceIndex, 1, 1, count));
    }

    /// A collective that moves elements; see [coterie.Team#allGather].
    public void move(
            OperationKind kind,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        reduce(kind, CollectiveArgs.NONE, target, targetIndex, source, sourceIndex, count);
    }

    /// See [coterie.Team#broadcast].
    public void broadcast(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        CollectiveArgs args = argsCache.begin(
                OperationKind.BROADCAST, CollectiveArgs.NONE, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
        argsCache.root(args, root);
        perform(args);
    }

    /// See [coterie.Team#allToAllStrided].
    public void allToAllStrided(
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count) {
        perform(argsCache.begin(
                OperationKind.ALL_TO_ALL_STRIDED,
                CollectiveArgs.NONE,
                target,
                targetIndex,
                targetStride,
                source,
                sourceIndex,
                sourceStride,
                blockLength,
                count));
    }

    /// Goes the chosen way, or the next one where that can't be gone with what is asked for; all members see that
    /// alike.
    private void perform(CollectiveArgs args) {
        if (Tracing.ON) {
            resources.runtime().counters().tracer.collectiveBytes(args.bytes);
        }
        boolean isOver = false;
        try {
            SelectedAlgorithm<CollectiveAlgorithm> selected = args.selected;
            while (!isOver && selected != null) {
                isOver = tryRun(args, selected.algorithm().factory());
                if (isOver) {
                    selector.trace(args.kind.label(), args.type, args.bytes, args.root, selected.algorithm());
                } else if (selected.equals(args.selected)) {
                    checkTuning(args, selected.algorithm());
                }
                selected = selected.next();
            }
            if (!isOver && args.type != CollectiveType.BARRIER) { // a barrier ends with a round, whatever serves it
                rounds.agree(args, 1); // members with other settings wait for all
                throw unserved(args);
            }
        } finally {
            if (!isOver) {
                teamSync.leaveIfIn();
            }
        }
    }

    private void checkTuning(CollectiveArgs args, SelectableAlgorithm<CollectiveAlgorithm> declining) {
        boolean isByGroups = !(declining.factory() instanceof CollectiveAlgorithm.Native);
        CoterieException refusal = selector.refusal(
                args.kind.label(),
                args.type,
                args.bytes,
                declining,
                Explanation.Use.CALL,
                args.isRounding() && isByGroups
                        ? CollectiveAlgorithm.ROUNDING
                        : "it declines, or a member has no memory for it");
        if (refusal != null) {
            rounds.agree(args, 1); // members with other settings wait for all
            throw refusal;
        }
    }

    private CoterieException unserved(CollectiveArgs args) {
        return new CoterieException(
                membership.messagePrefix(args.kind.label()) + "no layer serves " + args.type.label() + " of "
                        + args.bytes + " bytes with the current settings tls and tune; 'coterie info --scores' lists "
                        + "what"
                        + " each layer serves");
    }

    /// Goes a way, if it serves this call.
    private boolean tryRun(CollectiveArgs args, CollectiveAlgorithm algorithm) {
        return algorithm instanceof CollectiveAlgorithm.Native ours ? tryRun(args, ours) : plans.run(args, algorithm);
    }

    private boolean tryRun(CollectiveArgs args, CollectiveAlgorithm.Native way) {
        return switch (way) {
            case ROUND -> {
                rounds.agree(args, 1);
                rounds.leave();
                yield true;
            }
            case COPY -> self.run(args);
            case ONEWAY -> posted != null && posted.run(args);
            case INLINE -> inline != null && inline.run(args);
            case BOUNCE -> staged != null && staged.run(args);
            case PULL -> getCollectives.run(args);
            case PARTITIONED -> shares.run(args);
            case PUSH -> putCollectives.run(args);
        };
    }

    /// Gives back what collectives have taken of memory.
    ///
    /// @param isQuiet whether no member writes to it any more
    /// @param isOver whether all writes by plans have ended; see [TeamPort#close]
    public void close(boolean isQuiet, boolean isOver) {
        plans.close();
        selector.close();
        if (isOver) {
            plans.releaseScratch();
        }
        if (isQuiet && stage != null) {
            stage.close();
        }
        if (isQuiet && posted != null) {
            posted.close();
        }
        if (isOver && numbers >= 0) {
            resources.scratch().release(numbers, 2 * Long.BYTES);
            numbers = -1;
        }
    }
}
