// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.IntegerReduction;
import coterie.PeFailedException;
import coterie.SymmetricMemoryException;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.WaitTimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The statements of one image on one team: numbers them, runs them as collectives of core, and turns exceptions
/// of core into outcomes.
///
/// Core matches collectives by their order, and finds those that differ. Most statements are the same collective,
/// so images compare kinds and numbers of statements:
///
/// ```
///  sync                        core's barrier, which no other statement is
///  other synchronizations,     one word with a round: AND of  count | ~count | a zero bit for the kind;
///  allocate, texts             it is the caller's own word if all agree, and else nowhere
///  after a failure             each reads the others' STATEMENT words when all have reached the phase
/// ```
final class TeamStatements {
    static final int STEP_BITS = 8;

    /// This bit and the one below it say whether an allocation has a layout; the kinds have lower ones.
    private static final int LAYOUT_BIT = 31;

    private static final int NUMBER_BITS = 16;
    private static final long NUMBER_MASK = (1L << NUMBER_BITS) - 1;

    private final ImageRuntime runtime;
    private final Team core;
    private final TeamAgreement agreement;
    private final PendingCollectives pending;
    private long count;

    /// Whether a statement has found a failed member: core's collectives of this team throw from then on.
    private boolean isDegraded;

    /// Whether an image has left the team, or has stopped, while others were at a statement that it never reaches.
    /// They may have reached the statement that this image is at.
    private boolean isRevoked;

    /// What keeps the caller from all later statements, or null: it has left the team, or images have called
    /// different statements.
    private @Nullable Outcome left;

    private boolean isClosed;

    TeamStatements(ImageRuntime runtime, Team core, Roster roster) {
        this.runtime = runtime;
        this.core = core;
        this.agreement = TeamAgreement.ofFormed(runtime, roster);
        this.pending = new PendingCollectives();
    }

    TeamAgreement agreement() {
        return agreement;
    }

    PendingCollectives pending() {
        return pending;
    }

    /// Returns the phase of the latest statement.
    long phase() {
        return count << STEP_BITS;
    }

    /// Returns whether a fault keeps the caller from all later statements.
    boolean isFaulted() {
        return left instanceof Outcome.Fault;
    }

    boolean isClosed() {
        return isClosed;
    }

    void close() {
        isClosed = true;
    }

    /// Closes the team of core. What the program does with it by itself, such as a context, may keep it open.
    void closeCore() {
        try {
            core.close();
        } catch (IllegalStateException | CoterieException e) {
            runtime.complete(); // it ends with the world; puts of its contexts to failed images are lost
        }
    }

    void leave(Outcome why) {
        left = why;
    }

    /// Begins a statement. This image's part is published before it looks at which images have stopped; an image
    /// that stops does it in the opposite order, so one of the two notices the other.
    ///
    /// @return why the statement can't begin, or null
    @Nullable
    Outcome begin(StatementKind kind, ImageTeam team) {
        checkOpen(kind.operation(), team);
        if (left != null) {
            return left;
        }
        count++;
        agreement.publish(phase(), kind);
        return runtime.anyStopped() ? agreement.stoppedBefore(phase()) : null;
    }

    /// Throws if the caller may call no statement on the team.
    void checkOpen(String operation, ImageTeam team) {
        runtime.checkThread(operation);
        if (isClosed) {
            throw new IllegalStateException(runtime.prefix(operation) + team.path() + " is closed");
        }
    }

    /// Counts a statement whose work other images may do and this one does not: their later statements have the
    /// same phases.
    void pass(StatementKind kind) {
        if (left == null && !isClosed) {
            count++;
            agreement.publish(phase(), kind);
        }
    }

    /// Synchronizes the living images of the team.
    Outcome sync(StatementKind kind, ImageTeam team) {
        Outcome refused = begin(kind, team);
        if (refused != null) {
            return refused;
        }
        if (!isDegraded && !isRevoked) {
            try {
                if (kind == StatementKind.SYNC) {
                    core.barrier();
                } else if (!isCommon(kind)) {
                    return mismatched(agreement.different());
                }
                runtime.step("IMAGES_SYNC", 0);
                return Outcome.Ok.DONE;
            } catch (PeFailedException e) {
                isDegraded = true;
            } catch (TeamRevokedException e) {
                isRevoked = true;
            } catch (CollectiveMismatchException e) {
                String different = agreement.different();
                return mismatched(different == null ? words(e) : different);
            }
        }
        Outcome blocked = agreement.await(kind.operation(), phase());
        if (blocked != null) {
            return blocked;
        }
        String different = agreement.differentAt(phase());
        if (different != null) {
            return mismatched(different);
        }
        ImageSet failed = agreement.failed();
        return failed.isEmpty() ? Outcome.Ok.DONE : new Outcome.Failed(failed);
    }

    /// Synchronizes as [#sync], and completes what the images have begun on this team, alike on all of them.
    Outcome syncAndComplete(StatementKind kind, ImageTeam team) {
        Outcome outcome = sync(kind, team);
        if (!outcome.isOk()) {
            pending.end(outcome);
            return outcome;
        }
        if (!pending.hasBegun()) {
            return outcome;
        }
        Outcome own = pending.complete();
        try {
            long all = core.allReduce(IntegerReduction.AND, own.isOk() ? 1L : 0L);
            return all != 0 || !own.isOk()
                    ? own
                    : new Outcome.Fault(
                            Outcome.Fault.RUNTIME, "a collective under way has not completed on another image");
        } catch (CoterieException e) {
            return own.isOk() ? classified(e) : own;
        }
    }

    /// Completes what this image has begun on a team that another image has closed, which had nothing under way
    /// then.
    Outcome completeWithoutSync() {
        if (!pending.isUnderWay()) {
            return Outcome.Ok.DONE;
        }
        Outcome closed = agreement.closedBefore(phase());
        return closed == null ? pending.complete() : fault(closed);
    }

    private boolean isCommon(StatementKind kind) {
        return isCommon(kind, false);
    }

    /// Compares the images' statements in one round. Returns false on all of them if they differ.
    ///
    /// @param hasLayout compared too
    private boolean isCommon(StatementKind kind, boolean hasLayout) {
        long number = count & NUMBER_MASK;
        long mine = number << (Long.SIZE - NUMBER_BITS)
                | (~number & NUMBER_MASK) << (Long.SIZE - 2 * NUMBER_BITS)
                | (~(1L << kind.ordinal() | 1L << (hasLayout ? LAYOUT_BIT : LAYOUT_BIT - 1)) & 0xFFFF_FFFFL);
        return core.allReduce(IntegerReduction.AND, mine) == mine;
    }

    /// Compares a number of the images in one round. Returns false on all of them if they differ.
    private boolean isCommon(int number) {
        long mine = (long) number << Integer.SIZE | (~number & 0xFFFF_FFFFL);
        return core.allReduce(IntegerReduction.AND, mine) == mine;
    }

    /// Returns the outcome of images that have called different statements: no later statement of the team has
    /// another one.
    private Outcome mismatched(@Nullable String different) {
        Outcome closed = agreement.closedBefore(phase());
        return fault(closed == null ? TeamAgreement.differ(different) : closed);
    }

    private Outcome fault(Outcome fault) {
        left = fault;
        if (pending.hasBegun()) {
            core.revoke(); // ends them, so that their coarrays are free
            pending.end(fault);
        }
        return fault;
    }

    /// Returns the outcome if images are at different statements and only some of them can have seen it, or null.
    /// Ends the statements of the others.
    @Nullable
    Outcome mismatchAtPhase() {
        String different = agreement.differentAt(phase());
        if (different == null) {
            return null;
        }
        core.revoke();
        return mismatched(different);
    }

    /// Runs a collective of core, which needs all images.
    ///
    /// @param body may return null, and throws what core throws
    <R extends @Nullable Object> Attempt<R> collective(StatementKind kind, ImageTeam team, Supplier<R> body) {
        Outcome refused = begin(kind, team);
        if (refused != null) {
            return Attempt.failed(refused);
        }
        if (isDegraded) {
            return Attempt.failed(new Outcome.Failed(agreement.failed()));
        }
        try {
            return new Attempt<>(Outcome.Ok.DONE, body.get());
        } catch (CoterieException e) {
            return Attempt.failed(mismatchOr(e));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            count--; // the caller has called no statement
            throw e;
        }
    }

    /// Runs a collective of core as [#collective], after the images have compared what they call.
    ///
    <R extends @Nullable Object> Attempt<R> compared(StatementKind kind, ImageTeam team, Supplier<R> body) {
        return flat(collective(
                kind,
                team,
                () -> isCommon(kind)
                        ? new Attempt<>(Outcome.Ok.DONE, body.get())
                        : Attempt.failed(statementsDiffer())));
    }

    /// Runs an allocation of core as [#compared].
    ///
    /// @param layout equal on all images, 0 for none: a hash of what kind and size do not say
    /// @param described what the caller allocates
    <R extends @Nullable Object> Attempt<R> allocation(
            StatementKind kind, ImageTeam team, int layout, String described, Supplier<R> body) {
        return flat(collective(kind, team, () -> {
            agreement.publishAllocation(described);
            if (!isCommon(kind, layout != 0)) {
                return Attempt.failed(agreement.areAllAllocating(phase()) ? allocationsDiffer() : statementsDiffer());
            }
            if (layout != 0 && !isCommon(layout)) {
                return Attempt.failed(allocationsDiffer());
            }
            try {
                return new Attempt<>(Outcome.Ok.DONE, body.get());
            } catch (CollectiveMismatchException e) {
                return Attempt.failed(allocationsDiffer()); // in their sizes: core compares them
            }
        }));
    }

    /// Runs a collective on elements that go through staging memory, after the images have compared its
    /// arguments: they decide how many collectives of core it is.
    Outcome staged(StatementKind kind, ImageTeam team, long elements, long arguments, Runnable body) {
        Attempt<Outcome> attempt = collective(kind, team, () -> {
            agreement.publishArguments(elements, arguments);
            boolean isSame =
                    isCommon(kind, true) && isCommon(Long.hashCode(elements * 0x9E37_79B9_7F4A_7C15L ^ arguments));
            if (!isSame) {
                String different = agreement.differentArguments(phase());
                if (different == null) {
                    return statementsDiffer();
                }
                core.barrier(); // all have read the boards
                return new Outcome.Fault(Outcome.Fault.MISMATCH, "images pass different arguments: " + different);
            }
            body.run();
            return Outcome.Ok.DONE;
        });
        Outcome inner = attempt.value();
        return inner == null ? attempt.outcome() : inner;
    }

    private static <R extends @Nullable Object> Attempt<R> flat(Attempt<Attempt<R>> attempt) {
        Attempt<R> inner = attempt.value();
        return inner == null ? Attempt.failed(attempt.outcome()) : inner;
    }

    private Outcome statementsDiffer() {
        return mismatched(agreement.different());
    }

    /// Returns the outcome of images that allocate different coarrays. Nothing has changed, and the team goes on
    /// after a round in which all have read the boards.
    private Outcome allocationsDiffer() {
        String different = agreement.allocations();
        core.barrier();
        return new Outcome.Fault(Outcome.Fault.MISMATCH, "images allocate different coarrays: " + different);
    }

    private Outcome mismatchOr(CoterieException e) {
        if (e instanceof TeamRevokedException || e instanceof CollectiveMismatchException) {
            String different = agreement.differentAt(phase());
            if (different != null) {
                return mismatched(different);
            }
        }
        Outcome outcome = classified(e);
        if (e instanceof CollectiveMismatchException
                && outcome instanceof Outcome.Fault found
                && agreement.closedBefore(phase()) == null) {
            String arguments = agreement.differentArguments(phase());
            String text = arguments == null ? found.text() : "images pass different arguments: " + arguments;
            return fault(new Outcome.Fault(Outcome.Fault.MISMATCH, text)); // core's team has ended by it
        }
        return outcome;
    }

    /// The result of a statement.
    ///
    /// @param value null if the outcome is not Ok
    record Attempt<R extends @Nullable Object>(
            Outcome outcome, @Nullable R value) {
        static <R extends @Nullable Object> Attempt<R> failed(Outcome outcome) {
            return new Attempt<>(outcome, null);
        }
    }

    /// Returns the outcome for an exception of core.
    Outcome classified(CoterieException thrown) {
        runtime.endIfJobEnds();
        Outcome stopped = runtime.anyStopped() ? agreement.stoppedBefore(phase()) : null;
        if (stopped != null) {
            return stopped;
        }
        ImageSet failed = agreement.failed();
        isDegraded |= !failed.isEmpty();
        if (thrown instanceof PeFailedException && !failed.isEmpty()) {
            return new Outcome.Failed(failed);
        }
        Outcome abandoned = agreement.abandoned();
        if (abandoned != null) {
            return abandoned;
        }
        ImageSet gone = agreement.stopped();
        if (thrown instanceof TeamRevokedException && !gone.isEmpty()) {
            return new Outcome.Stopped(gone); // it has done this statement, and waits for no later one
        }
        Outcome closed = agreement.closedBefore(phase());
        if (closed != null) {
            return closed;
        }
        return switch (thrown) {
            case WaitTimeoutException _ -> new Outcome.TimedOut();
            case CollectiveMismatchException _ -> new Outcome.Fault(Outcome.Fault.MISMATCH, words(thrown));
            case SymmetricMemoryException _ -> new Outcome.Fault(Outcome.Fault.OUT_OF_MEMORY, words(thrown));
            default -> new Outcome.Fault(Outcome.Fault.RUNTIME, words(thrown));
        };
    }

    private String words(Throwable thrown) {
        return ImageWords.of(String.valueOf(thrown.getMessage()), agreement.roster());
    }
}
