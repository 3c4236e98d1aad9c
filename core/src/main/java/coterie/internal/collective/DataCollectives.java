// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.ElementView;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.component.CollectiveResources;
import coterie.internal.p2p.TeamPort;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.ElementSignature;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.internal.sync.ScalarOperator;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.OperationKind;
import coterie.spi.Conduit.Region;
import coterie.spi.ReductionKind;
import org.jspecify.annotations.Nullable;

/// The collectives over symmetric memory, and barriers and numbers that an algorithm over memory serves.
///
/// ```
///  enter the gate                                                  CallGate
///    check the arguments, select       refused before any round    CheckedCalls, AlgorithmSelector
///    for each algorithm, the best first, until one serves:
///      agree in a round                where members differ, no target has changed, but see OnewayBroadcasts
///      move and reduce                 what has not travelled with the round
///    wait for the others               where they use this member's memory
///  leave it
/// ```
///
/// An algorithm answers whether it has done the call, and notes in it for which members the end must wait. It never
/// leaves the gate.
///
/// | class | what it does |
/// |---|---|
/// | [SingletonCollectives] | a copy, in a team of one |
/// | [OnewayCollectives] | the root posts, the others answer, and there is no round |
/// | [EagerCollectives] | few bytes are there when the round is over, and no member waits at the end |
/// | [GetCollectives] | each member reads the others' sources |
/// | [PutCollectives] | each member writes into the others' targets |
/// | [PartitionedReductions] | each member reduces its share for all |
/// | [PlannedCollectives] | messages between pairs, by one of many algorithms, and what layers that plug in do |
public final class DataCollectives {
    private final TeamSync teamSync;
    private final Membership membership;
    private final CallGate gate;
    private final NumberRound numberRound;
    private final Call barrier = new Call(OperationKind.COMPONENT_BARRIER, CollectiveType.BARRIER);
    private final Call sync = new Call(OperationKind.COMPONENT_SYNC, CollectiveType.BARRIER);
    private final Call number = new Call(OperationKind.ALL_REDUCE, CollectiveType.ALL_REDUCE);
    private final CheckedCalls calls;
    private final AlgorithmSelector selector;
    private final SingletonCollectives singleton;
    private final PartitionedReductions partitioned;
    private final PutCollectives putCollectives;
    private final GetCollectives getCollectives;
    private final PlannedCollectives plans;
    private final CollectiveResources resources;

    /// Where the numbers are that plans and layers reduce, or −1 as long as there is no place.
    private long numbers = -1;

    /// Null where members meet along a tree.
    private final @Nullable EagerCollectives inline;

    /// Null where members don't load each other's memory.
    private final @Nullable BounceBuffers bounceBuffers;

    private final @Nullable EagerCollectives bounce;
    private final @Nullable OnewayCollectives oneway;

    /// @param port of the team, for plans
    public DataCollectives(
            TeamSync teamSync, CollectiveResources resources, TeamPort port, AlgorithmSelector selector) {
        PeContext context = teamSync.context().own();
        SyncRound round = teamSync.syncRound();
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        ArgumentChecks argumentChecks = new ArgumentChecks(membership, teamSync.context());
        this.gate = teamSync.gate();
        this.numberRound = new NumberRound(teamSync);
        SymmetricCopies copies = new SymmetricCopies(context);
        VariableCounts counts = new VariableCounts(teamSync, argumentChecks);
        this.singleton = new SingletonCollectives(membership, counts, copies);
        this.partitioned = new PartitionedReductions(teamSync, copies, context.scratch());
        this.putCollectives = new PutCollectives(membership, counts, copies);
        this.getCollectives = new GetCollectives(membership, counts, copies);
        FlatRound flat = round instanceof FlatRound small ? small : null;
        boolean isDirect = flat != null && flat.isDirect();
        this.inline =
                flat == null ? null : new EagerCollectives(teamSync, new InlineTransport(membership, flat), copies);
        this.bounceBuffers = flat == null || !isDirect ? null : new BounceBuffers(membership, flat, resources);
        this.oneway = flat == null || !isDirect ? null : new OnewayCollectives(teamSync, flat, resources, copies);
        this.bounce = bounceBuffers == null ? null : new EagerCollectives(teamSync, bounceBuffers, copies);
        this.resources = resources;
        this.selector = selector;
        this.calls = new CheckedCalls(teamSync, argumentChecks, selector);
        this.plans = new PlannedCollectives(teamSync, resources, selector, port);
    }

    /// A barrier as the selection has it.
    ///
    /// @param completes whether it is a barrier: see [TeamSync#synchronize]
    void synchronize(boolean completes) {
        Call call = completes ? barrier : sync;
        try (CallGate.Passage _ = gate.enter(call.kind)) {
            if (completes) {
                teamSync.context().complete();
            }
            call.agreed.of(ElementSignature.of(call.elements), 0, 0, selector.digest());
            call.selected = selector.of(call.type, 0);
            perform(call);
        }
    }

    /// Reduces a number of each member as the selection has it.
    ///
    /// @param bits of a LONG or a DOUBLE
    /// @return the bits of the result
    long reduceNumber(ScalarOperator operator, long bits) {
        try (CallGate.Passage _ = gate.enter(number.kind)) {
            if (numbers < 0) {
                numbers = resources.scratch().acquire(2 * Long.BYTES);
            }
            if (numbers >= 0) {
                AddressSpace.setLongRelease(heap() + numbers, bits);
            }
            number.set(operator.reduction(), operator.type(), numbers + Long.BYTES, numbers, 1, Long.BYTES);
            number.number(operator, bits, selector.digest());
            number.selected = selector.of(number.type, number.bytes);
            perform(number);
            return number.number;
        }
    }

    private long heap() {
        return resources.conduit().localBase(Region.HEAP);
    }

    /// A collective that reduces; see [coterie.ViewCollectives].
    public void reduce(
            OperationKind kind,
            ReductionKind reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        run(kind, reduction, target, targetIndex, 1, source, sourceIndex, 1, 1, count, 0);
    }

    /// A collective that moves elements; see [coterie.Team#allGather].
    public void move(
            OperationKind kind,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        reduce(kind, Call.NONE, target, targetIndex, source, sourceIndex, count);
    }

    /// See [coterie.Team#broadcast].
    public void broadcast(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        run(OperationKind.BROADCAST, Call.NONE, target, targetIndex, 1, source, sourceIndex, 1, 1, count, root);
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
        run(
                OperationKind.ALL_TO_ALL_STRIDED,
                Call.NONE,
                target,
                targetIndex,
                targetStride,
                source,
                sourceIndex,
                sourceStride,
                blockLength,
                count,
                0);
    }

    private void run(
            OperationKind kind,
            ReductionKind reduction,
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count,
            int root) {
        teamSync.checkAlive(kind.label());
        selector.open();
        try (CallGate.Passage _ = gate.enter(kind)) {
            perform(calls.of(
                    kind,
                    reduction,
                    target,
                    targetIndex,
                    targetStride,
                    source,
                    sourceIndex,
                    sourceStride,
                    blockLength,
                    count,
                    root));
        }
    }

    /// Does a call by the best algorithm that serves it; all members see alike which one that is.
    private void perform(Call call) {
        if (Tracing.ON) {
            resources.runtime().counters().tracer.collectiveBytes(call.bytes);
        }
        for (SelectedAlgorithm<CollectiveAlgorithm> each = call.selected; each != null; each = each.next()) {
            if (isDone(call, each.algorithm().factory())) {
                selector.trace(call.kind.label(), call.type, call.bytes, call.root, each.algorithm());
                return;
            }
            checkTuning(call, each);
        }
        if (!isDoneByRound(call)) {
            throw unserved(call);
        }
    }

    /// Refuses a call whose first candidate declines, where tuning is strict.
    @SuppressWarnings("ReferenceEquality") // identity is meant
    private void checkTuning(Call call, SelectedAlgorithm<CollectiveAlgorithm> declining) {
        if (declining != call.selected) {
            return;
        }
        boolean isByGroups = !(declining.algorithm().factory() instanceof CollectiveAlgorithm.Native);
        CoterieException refusal = selector.refusal(
                call.kind.label(),
                call.type,
                call.bytes,
                declining.algorithm(),
                Explanation.Use.CALL,
                call.isRounding() && isByGroups
                        ? CollectiveAlgorithm.ROUNDING
                        : "it declines, or a member has no memory for it");
        if (refusal != null) {
            teamSync.agree(call.agreed, 1); // members with other settings wait for all
            throw refusal;
        }
    }

    private CoterieException unserved(Call call) {
        return new CoterieException(
                membership.messagePrefix(call.kind.label()) + "no layer serves " + call.type.label() + " of "
                        + call.bytes + " bytes with the current settings tls and tune; 'coterie info --scores' lists "
                        + "what"
                        + " each layer serves");
    }

    /// Does a call by an algorithm, if that serves it.
    private boolean isDone(Call call, CollectiveAlgorithm algorithm) {
        call.begins();
        try {
            return algorithm instanceof CollectiveAlgorithm.Native ours
                    ? isDoneBy(ours, call)
                    : isDoneByPlan(call, algorithm);
        } finally {
            if (call.isAwaited()) {
                teamSync.awaitRelease(call.kind, call.released());
            }
        }
    }

    private boolean isDoneBy(CollectiveAlgorithm.Native way, Call call) {
        return switch (call.operator == null ? way : CollectiveAlgorithm.Native.ROUND) {
            case ROUND -> isDoneByRound(call);
            case COPY -> singleton.run(call);
            case ONEWAY -> oneway != null && oneway.run(call);
            case INLINE -> inline != null && inline.run(call);
            case BOUNCE -> bounce != null && bounce.run(call);
            case PULL -> getCollectives.run(call);
            case PARTITIONED -> partitioned.run(call);
            case PUSH -> putCollectives.run(call);
        };
    }

    private boolean isDoneByPlan(Call call, CollectiveAlgorithm algorithm) {
        boolean isDone = plans.run(call, algorithm);
        if (isDone && call.operator != null) {
            call.number = AddressSpace.getLongAcquire(heap() + call.to);
        }
        return isDone;
    }

    /// Meets in a round, which is all that a barrier and a number need; members with other settings wait for all.
    private boolean isDoneByRound(Call call) {
        if (call.operator != null) {
            numberRound.run(call);
            return true;
        }
        teamSync.agree(call.agreed, 1);
        return call.type == CollectiveType.BARRIER;
    }

    /// Ends what collectives have.
    public void close() {
        plans.close();
    }

    /// Gives back what closed collectives have taken of memory, to which no member writes any more.
    ///
    /// @param isOver whether all writes by plans have ended; see [TeamPort#release]
    public void release(boolean isOver) {
        if (isOver) {
            plans.releaseScratch();
        }
        if (bounceBuffers != null) {
            bounceBuffers.close();
        }
        if (oneway != null) {
            oneway.close();
        }
        if (isOver && numbers >= 0) {
            resources.scratch().release(numbers, 2 * Long.BYTES);
            numbers = -1;
        }
    }
}
