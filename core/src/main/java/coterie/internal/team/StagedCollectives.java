// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.ElementType;
import coterie.ElementView;
import coterie.ReductionOperator;
import coterie.collective.Collective;
import coterie.internal.collective.ArgumentChecks;
import coterie.internal.collective.DataCollectives;
import coterie.internal.sync.AgreedArguments;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.ElementSignature;
import coterie.internal.sync.KnownOperators;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import coterie.spi.ReductionKind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Collectives on memory that is nowhere symmetric, by way of the team's [TeamStaging]:
///
/// ```
///  hold the gate
///    check                      refused before any round
///    allocate staging memory    in the first of them, an agreeing step
///    agree on the whole length  if one piece does not hold it
///    for each piece:
///      copy a piece of each block to the staging memory
///      call the collective, or run it as a request
///      copy the pieces of the result to the caller's memory
///  let it go
/// ```
///
/// All pieces have one length, the last one too, so that each repeats the call before it; its rest is not
/// copied. The next piece's collective begins when all members have entered it, and so have copied what they
/// got from the one before.
final class StagedCollectives {
    private final TeamSync teamSync;
    private final Membership membership;
    private final TeamCalls calls;
    private final TeamStaging staging;
    private final CallerMemory callerMemory;
    private final ArgumentChecks argumentChecks;
    private final @Nullable AgreedArguments[] agreed = new AgreedArguments[OperationKind.values().length];
    private final @Nullable Described[] described = new Described[OperationKind.values().length];

    /// A request that is run again and again.
    private record Described(
            Collective collective, @Nullable ReductionOperator<?> operator, ElementView stage, long piece, int root) {
        @SuppressWarnings("ReferenceEquality") // the very view
        boolean is(@Nullable ReductionOperator<?> operator, ElementView stage, long piece, int root) {
            return Objects.equals(this.operator, operator)
                    && this.stage == stage
                    && this.piece == piece
                    && this.root == root;
        }
    }

    StagedCollectives(TeamSync teamSync, TeamCalls calls, TeamStaging staging) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.calls = calls;
        this.staging = staging;
        this.callerMemory = new CallerMemory(membership);
        this.argumentChecks = new ArgumentChecks(membership, teamSync.context());
    }

    /// Refuses a call that runs as one of another kind, in its own words.
    void check(OperationKind kind) {
        teamSync.checkAlive(kind.label());
        teamSync.gate().check(kind);
    }

    /// Runs a collective.
    ///
    /// @param operator of a collective that reduces
    /// @param target an array of a primitive type, a segment, or null where the member's is ignored
    /// @param source the same object as the target in a collective with one
    /// @param root in a collective with one
    void run(
            OperationKind kind,
            @Nullable ReductionOperator<?> operator,
            @Nullable ElementType type,
            @Nullable Object target,
            @Nullable Object source,
            int root) {
        teamSync.checkAlive(kind.label());
        try (CallGate.Hold _ = teamSync.gate().hold(kind)) {
            ElementType elements = callerMemory.given(kind, "elements", type);
            int unit = isReduction(kind) ? unit(kind, operator, elements) : 1;
            long count = checked(kind, elements, unit, target, source, root);
            staging.divide(kind, elements, count, unit);
            if (staging.pieces() > 1) {
                agree(kind, operator, elements, count, root);
            }
            long done = 0;
            do { // at least once: also no elements are a collective
                piece(kind, operator, target, source, count, done, root);
                done += staging.piece();
            } while (done < count);
        }
    }

    private void piece(
            OperationKind kind,
            @Nullable ReductionOperator<?> operator,
            @Nullable Object target,
            @Nullable Object source,
            long count,
            long done,
            int root) {
        boolean isRoot = membership.me() == root;
        long now = Math.min(staging.piece(), count - done);
        int given = blocks(kind, true, isRoot);
        for (int block = 0; block < given; block++) {
            callerMemory.load(staging.stage(), block * staging.piece(), source, block * count + done, now);
        }
        collective(kind, operator, root);
        int got = blocks(kind, false, isRoot);
        long first = staging.target();
        for (int block = 0; block < got; block++) {
            callerMemory.store(staging.stage(), first + block * staging.piece(), target, block * count + done, now);
        }
    }

    /// Returns how many blocks a member has in its source or target.
    private int blocks(OperationKind kind, boolean isSource, boolean isRoot) {
        int size = membership.size();
        return switch (kind) {
            case BROADCAST -> isSource == isRoot ? 1 : 0;
            case REDUCE -> isSource || isRoot ? 1 : 0;
            case ALL_GATHER -> isSource ? 1 : size;
            case GATHER -> isSource ? 1 : isRoot ? size : 0;
            case SCATTER -> isSource ? (isRoot ? size : 0) : 1;
            case ALL_TO_ALL -> size;
            case REDUCE_SCATTER -> isSource ? size : 1;
            default -> 1;
        };
    }

    private void collective(OperationKind kind, @Nullable ReductionOperator<?> operator, int root) {
        ElementView stage = staging.stage();
        long piece = staging.piece();
        DataCollectives data = calls.data();
        ReductionKind reduction = KnownOperators.kind(operator);
        if (kind == OperationKind.BROADCAST) {
            data.broadcast(stage, 0, stage, 0, piece, root);
        } else if (kind == OperationKind.ALL_GATHER || kind == OperationKind.ALL_TO_ALL) {
            data.move(kind, stage, staging.target(), stage, 0, piece);
        } else if (isCalled(kind, operator) && reduction != null) {
            data.reduce(kind, reduction, stage, staging.target(), stage, 0, piece);
        } else {
            calls.blockingRequests().run(described(kind, operator, root));
        }
    }

    /// Whether there is a call for a collective; the others run as requests.
    private static boolean isCalled(OperationKind kind, @Nullable ReductionOperator<?> operator) {
        return switch (kind) {
            case BROADCAST, ALL_GATHER, ALL_TO_ALL -> true;
            case ALL_REDUCE, REDUCE_SCATTER -> KnownOperators.kind(operator) != null;
            default -> false;
        };
    }

    private Collective described(OperationKind kind, @Nullable ReductionOperator<?> operator, int root) {
        ElementView stage = staging.stage();
        long piece = staging.piece();
        Described last = described[kind.ordinal()];
        if (last != null && last.is(operator, stage, piece, root)) {
            return last.collective();
        }
        long all = piece * membership.size();
        long target = staging.target();
        Collective made = switch (kind) {
            case ALL_REDUCE ->
                Collective.allReduce(Objects.requireNonNull(operator))
                        .source(stage, 0, piece)
                        .target(stage, target, piece);
            case REDUCE ->
                Collective.reduce(Objects.requireNonNull(operator), root)
                        .source(stage, 0, piece)
                        .target(stage, target, piece);
            case REDUCE_SCATTER ->
                Collective.reduceScatter(Objects.requireNonNull(operator))
                        .source(stage, 0, all)
                        .target(stage, target, piece);
            case GATHER -> Collective.gather(root).source(stage, 0, piece).target(stage, target, all);
            case SCATTER -> Collective.scatter(root).source(stage, 0, all).target(stage, target, piece);
            default -> throw new AssertionError(kind);
        };
        described[kind.ordinal()] = new Described(made, operator, stage, piece, root);
        return made;
    }

    /// Agrees on a length of which a piece says nothing, as the collective does on that of a piece.
    private void agree(
            OperationKind kind, @Nullable ReductionOperator<?> operator, ElementType type, long count, int root) {
        AgreedArguments call = agreed[kind.ordinal()];
        if (call == null) {
            call = new AgreedArguments(kind);
            agreed[kind.ordinal()] = call;
        }
        calls.selector().open();
        long selection = calls.selector().digest();
        if (isCalled(kind, operator)) {
            ReductionKind reduction = KnownOperators.kind(operator);
            long signature = reduction == null ? ElementSignature.of(type) : ElementSignature.of(reduction, type);
            call.of(signature, staging.place(staging.target()), staging.place(0), selection);
        } else {
            call.of(ElementSignature.ofRequest(operator, type), 0, 0, selection);
        }
        call.add(count);
        call.root(root);
        try (CallGate.Passage _ = teamSync.gate().enter(kind)) {
            teamSync.agree(call, 1);
        }
    }

    private static boolean isReduction(OperationKind kind) {
        return kind == OperationKind.ALL_REDUCE || kind == OperationKind.REDUCE || kind == OperationKind.REDUCE_SCATTER;
    }

    /// Checks the operator, and returns how many elements it combines as one.
    private int unit(OperationKind kind, @Nullable ReductionOperator<?> operator, ElementType type) {
        ReductionKind known = KnownOperators.kind(operator);
        if (operator == null || known != null) {
            argumentChecks.checkReduction(kind, known, type);
            return 1;
        }
        try {
            return operator.width(type) / type.byteSize();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(membership.messagePrefix(kind.label()) + e.getMessage(), e);
        }
    }

    /// Checks the memory, and returns the elements of a block.
    ///
    /// @param unit elements that belong together
    private long checked(
            OperationKind kind,
            ElementType type,
            int unit,
            @Nullable Object target,
            @Nullable Object source,
            int root) {
        argumentChecks.checkRoot(kind, root);
        boolean isRoot = membership.me() == root;
        int given = blocks(kind, true, isRoot);
        int got = blocks(kind, false, isRoot);
        boolean isOne =
                kind == OperationKind.ALL_REDUCE || kind == OperationKind.REDUCE || kind == OperationKind.BROADCAST;
        long targetLength = got == 0 ? 0 : callerMemory.writable(kind, isOne ? "values" : "target", target, type);
        long sourceLength = isOne && got > 0
                ? targetLength
                : given == 0 ? 0 : callerMemory.length(kind, isOne ? "values" : "source", source, type);
        if (isOne) {
            callerMemory.checkWhole(kind, sourceLength, unit);
            return sourceLength;
        }
        long count = given == 0 ? targetLength / got : sourceLength / given;
        callerMemory.checkLength(kind, "source", sourceLength, given, count);
        callerMemory.checkLength(kind, "target", targetLength, got, count);
        callerMemory.checkWhole(kind, count, unit);
        return count;
    }
}
