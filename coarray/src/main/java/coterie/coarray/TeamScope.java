// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;
import coterie.SymmetricMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One execution of a `change team` construct on this image, or of the whole program in the initial team. It
/// allocates coarrays, which end with it.
public final class TeamScope {
    /// What an image passes in place of a size that is not allowed: all images refuse it together.
    private static final long REFUSED = Long.MAX_VALUE;

    private static final String END = "IMAGES_END";
    private static final String ABANDON = "IMAGES_ABANDON";

    private final ImageRuntime runtime;
    private final ImageTeam team;
    private final Outcome outcome;
    private final Arena arena = Arena.ofConfined();
    private final List<CoarrayBlock> blocks = new ArrayList<>();
    private final List<ImageTeam> formed = new ArrayList<>();
    private final TeamScope[] chain;
    private int formingSlot = -1;

    TeamScope(ImageRuntime runtime, ImageTeam team, @Nullable TeamScope outer, Outcome outcome) {
        this.runtime = runtime;
        this.team = team;
        this.outcome = outcome;
        this.chain = Arrays.copyOf(outer == null ? new TeamScope[0] : outer.chain, team.depth() + 1);
        this.chain[team.depth()] = this;
    }

    /// Returns the numbers of the current team's images in the team of a coarray, or null if that has ended.
    int @Nullable [] numbersIn(CoarrayBlock block) {
        TeamScope owner = block.scope;
        if (owner == null) {
            return null;
        }
        int depth = owner.team.depth();
        return depth < chain.length && chain[depth] == owner ? team.numbersIn(depth) : null;
    }

    /// Returns the current team.
    public ImageTeam team() {
        return team;
    }

    /// Returns the outcome of `change team`: Ok, or, in [ImageTeam#tryRun], Failed.
    public Outcome outcome() {
        return outcome;
    }

    ImageRuntime runtime() {
        return runtime;
    }

    void forming(int slot) {
        formingSlot = slot;
    }

    void formed(ImageTeam child) {
        formed.add(child);
    }

    void closed(ImageTeam child) {
        formed.remove(child);
    }

    /// Allocates `count` 64-bit integers on each image of the team, zeroed: an `allocate` statement. All images of
    /// the team pass the same count, and none returns before all have called.
    /// @counterpart `prif_allocate_coarray`; and its kind
    /// @param count at least 0
    /// @throws IllegalArgumentException if it is less; the other images get a StatementException
    /// @throws StatementException on all images, if counts differ or an image has no memory; its outcome is a
    ///     Fault
    /// @throws IllegalStateException if this is not the current scope
    public IntegerCoarray allocateLongs(long count) {
        Coarray.Placement placement = allocate(count, Long.BYTES, StatementKind.LONGS);
        return new IntegerCoarray(placement, placement.block().memory().longs());
    }

    /// Allocates 32-bit integers as [#allocateLongs].
    public IntegerCoarray allocateInts(long count) {
        Coarray.Placement placement = allocate(count, Integer.BYTES, StatementKind.INTS);
        return new IntegerCoarray(placement, placement.block().memory().ints());
    }

    /// Allocates 16-bit integers as [#allocateLongs].
    public IntegerCoarray allocateShorts(long count) {
        Coarray.Placement placement = allocate(count, Short.BYTES, StatementKind.SHORTS);
        return new IntegerCoarray(placement, placement.block().memory().shorts());
    }

    /// Allocates bytes as [#allocateLongs].
    public IntegerCoarray allocateBytes(long count) {
        Coarray.Placement placement = allocate(count, Byte.BYTES, StatementKind.BYTES);
        return new IntegerCoarray(placement, placement.block().memory().bytes());
    }

    /// Allocates `float`s as [#allocateLongs].
    public FloatCoarray allocateFloats(long count) {
        Coarray.Placement placement = allocate(count, Float.BYTES, StatementKind.FLOATS);
        return new FloatCoarray(placement, placement.block().memory().floats());
    }

    /// Allocates `double`s as [#allocateLongs].
    public DoubleCoarray allocateDoubles(long count) {
        Coarray.Placement placement = allocate(count, Double.BYTES, StatementKind.DOUBLES);
        return new DoubleCoarray(placement, placement.block().memory().doubles());
    }

    /// Allocates records as [#allocateLongs].
    /// @counterpart `prif_allocate_coarray` of records
    /// @param layout of a record; its size is at least 1
    public RecordCoarray allocateRecords(MemoryLayout layout, long count) {
        StatementChecks.notNull(layout, "allocate", "layout");
        Coarray.Placement placement = allocate(count, layout.byteSize(), StatementKind.RECORDS, layout.toString());
        return new RecordCoarray(placement, placement.block().memory().bytes(), layout);
    }

    /// Allocates events as [#allocateLongs], each with count 0.
    public EventCoarray allocateEvents(long count) {
        Coarray.Placement placement = allocate(count, Long.BYTES, StatementKind.EVENTS);
        return new EventCoarray(placement, placement.block().memory().longs());
    }

    /// Allocates notifications as [#allocateLongs], each with count 0.
    public NotifyCoarray allocateNotifications(long count) {
        Coarray.Placement placement = allocate(count, Long.BYTES, StatementKind.NOTIFICATIONS);
        return new NotifyCoarray(placement, placement.block().memory().longs());
    }

    /// Allocates locks as [#allocateLongs], which no image has.
    public LockCoarray allocateLocks(int count) {
        long wordCount = LockCoarray.words(count, team.numImages());
        Coarray.Placement placement = allocate(wordCount, Long.BYTES, StatementKind.LOCKS);
        IntegerView words = placement.block().memory().longs();
        LockCoarray.Held held = new LockCoarray.Held(words, count, team.numImages());
        placement.block().hasLocks(held);
        return new LockCoarray(placement, words, count, held);
    }

    /// Makes a critical construct; collective as [#allocateLongs].
    ///
    /// @throws IllegalStateException if this is not the scope of the initial team: the construct is the program's
    public Critical allocateCritical() {
        checkCurrent("allocate");
        if (team.depth() != 0) {
            throw new IllegalStateException(runtime.prefix("allocate") + "the current team is " + team.path()
                    + "; a critical construct belongs to the initial team");
        }
        return new Critical(allocate(1, Long.BYTES, StatementKind.CRITICAL).block());
    }

    private Coarray.Placement allocate(long count, long byteSize, StatementKind kind) {
        return allocate(count, byteSize, kind, "");
    }

    /// @param layout of an element, where the kind does not say it
    private Coarray.Placement allocate(long count, long byteSize, StatementKind kind, String layout) {
        String operation = kind.operation();
        checkCurrent(operation);
        boolean isAllowed = count >= 0 && byteSize > 0 && count <= Long.MAX_VALUE / byteSize;
        long bytes = isAllowed ? count * byteSize : REFUSED;
        TeamStatements.Attempt<SymmetricMemory> attempt = team.statements()
                .compared(kind, team, hash(layout), layout, () -> team.team().allocate(bytes));
        SymmetricMemory memory = attempt.value();
        if (!isAllowed) {
            throw new IllegalArgumentException(runtime.prefix(operation) + count + " elements of " + byteSize
                    + " bytes; allowed are 0 and more of 1 and more, less than 2^63 bytes together");
        }
        if (memory == null) {
            throw StatementException.of(operation + " in " + team.path(), attempt.outcome());
        }
        CoarrayBlock block = new CoarrayBlock(this, memory, count + " " + kind.elements());
        blocks.add(block);
        return new Coarray.Placement(block, Cobounds.DEFAULT, team, null, "");
    }

    /// Returns the same number on all images for the same text, and for others most probably another one.
    private static long hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }

    /// Throws if this is not the caller's current scope, or has ended.
    private void checkCurrent(String operation) {
        TeamScope now = team.currentScope(operation);
        if (now != this) {
            throw new IllegalStateException(runtime.prefix(operation) + "this scope of " + team.path() + " has ended");
        }
        team.statements().checkOpen(operation, team);
    }

    /// Frees coarrays of this scope before its end: synchronises, runs the release callbacks, and frees. All
    /// images of the team pass the same coarrays in the same order.
    /// @counterpart `deallocate`, `prif_deallocate_coarray`, `prif_deallocate_coarrays`
    /// @throws IllegalStateException if this is not the current scope, or another one has allocated a coarray,
    ///     which stays usable; the message has both teams
    public void free(Coarray... coarrays) {
        StatementException.unlessOk("deallocate", tryFree(coarrays), team);
    }

    /// Frees coarrays as [#free]. If the outcome is not Ok, the coarrays have ended, and their memory stays in
    /// use.
    /// @counterpart `deallocate(stat=)`
    public Outcome tryFree(Coarray... coarrays) {
        StatementKind kind = StatementKind.DEALLOCATE;
        List<CoarrayBlock> freed = freed(kind.operation(), coarrays);
        Outcome outcome = team.statements().syncAndComplete(kind, team);
        if (outcome.isOk()) {
            for (ImageTeam child : formed) {
                if (child.statements().pending().hasBegunOn(freed)) {
                    child.statements().syncAndComplete(kind, child);
                }
            }
        }
        Callbacks.Thrown thrown = new Callbacks.Thrown();
        for (CoarrayBlock block : freed) {
            if (blocks.remove(block)) {
                outcome = end(block, outcome, kind, thrown);
            }
        }
        thrown.addOutcome(kind.operation() + " in " + team.path(), outcome);
        thrown.rethrow();
        return outcome;
    }

    /// Returns the blocks of coarrays that the program frees; throws if it may not.
    private List<CoarrayBlock> freed(String operation, Coarray... coarrays) {
        checkCurrent(operation);
        StatementChecks.notNull(coarrays, operation, "coarrays");
        List<CoarrayBlock> freed = new ArrayList<>(coarrays.length);
        for (int i = 0; i < coarrays.length; i++) {
            CoarrayBlock block = StatementChecks.notNull(coarrays[i], operation, "coarrays[" + i + "]").block;
            if (block.scope == null || block.team().runtime() != runtime) {
                throw block.over(operation);
            }
            if (!blocks.contains(block)) {
                throw new IllegalStateException(
                        runtime.prefix(operation) + block + " was not allocated in this scope of " + team.path()
                                + ", but in " + block.team().path() + "; free it there");
            }
            int first = freed.indexOf(block);
            if (first >= 0) {
                throw new IllegalArgumentException(runtime.prefix(operation) + block + " occurs as coarrays[" + first
                        + "] and coarrays[" + i + "]; each occurs once, and none is freed");
            }
            freed.add(block);
        }
        return freed;
    }

    /// Returns a coarray with cobounds of its own, for this team: `change team (t, b[cobounds] => a)`, or the
    /// cobounds of an `allocate`. Its elements are those of `coarray`; it is established in this team only.
    /// @counterpart `prif_alias_create`, `prif_alias_destroy`; an alias needs no end
    public <C extends Coarray> C associate(C coarray, Cobounds cobounds) {
        StatementChecks.notNull(coarray, "associate", "coarray");
        StatementChecks.notNull(cobounds, "associate", "cobounds");
        if (coarray.block.scope == null || coarray.block.team().runtime() != runtime) {
            throw coarray.block.over("associate");
        }
        if (!coarray.established.hasDescendant(team)) {
            throw new IllegalArgumentException(
                    runtime.prefix("associate") + coarray + " is not established in " + team.path());
        }
        @SuppressWarnings("unchecked") // at() returns the receiver's class
        C associated = (C) coarray.at(new Coarray.Placement(coarray.block, cobounds, team, null, ""));
        return associated;
    }

    /// Runs a body with this scope as the current one. If it throws, the image abandons the team.
    <R, X extends Throwable> R call(TeamFunction<R, X> body) throws X {
        try {
            return ScopedValue.where(Images.CURRENT, this).call(() -> body.apply(this));
        } catch (ImageEnd e) {
            throw e; // the image has stopped, and all of its teams know it
        } catch (Throwable e) {
            if (!runtime.hasFailed()) {
                runtime.endIfJobEnds();
            }
            abandon(e);
            throw e;
        }
    }

    /// Ends the scope: synchronises, frees the coarrays and closes the teams of the scope.
    ///
    /// @throws RuntimeException or an [Error] from a release callback; the scope has ended all the same
    Outcome end() {
        StatementKind kind = StatementKind.END_TEAM;
        Callbacks.Thrown thrown = new Callbacks.Thrown();
        Outcome synchronised = team.statements().syncAndComplete(kind, team);
        runtime.step(END, 0);
        if (synchronised.isOk()) {
            formed.forEach(ImageTeam::complete); // they may use the coarrays
        }
        Outcome end = endBlocks(synchronised, thrown);
        runtime.step(END, 2);
        closeTeams(end.isOk() || end instanceof Outcome.Failed);
        runtime.step(END, 3);
        arena.close();
        thrown.addOutcome(kind.operation() + " of " + team.path(), end);
        thrown.rethrow();
        return end;
    }

    /// Ends all coarrays, the latest first, in this scope as the current one.
    private Outcome endBlocks(Outcome before, Callbacks.Thrown thrown) {
        return ScopedValue.where(Images.CURRENT, this).call(() -> {
            Outcome worst = before;
            while (!blocks.isEmpty()) {
                worst = end(blocks.removeLast(), worst, StatementKind.END_TEAM, thrown);
                runtime.step(END, 1);
            }
            return worst;
        });
    }

    /// Runs a coarray's callbacks and frees it; after an outcome that is not Ok its memory stays in use.
    private static Outcome end(CoarrayBlock block, Outcome before, StatementKind kind, Callbacks.Thrown thrown) {
        block.runReleaseCallbacks(thrown);
        if (before.isOk()) {
            return block.release(kind);
        }
        block.drop(kind);
        return before;
    }

    /// @param isSynchronised whether all images of this team have ended the scope, so that none is in a team that
    ///     was formed in it
    private void closeTeams(boolean isSynchronised) {
        for (ImageTeam child : formed) {
            if (isSynchronised) {
                child.destroy();
            } else {
                child.forget();
            }
        }
        formed.clear();
    }

    /// Releases the locks that this image holds, since it stops.
    void releaseLocks() {
        for (TeamScope scope : chain) {
            scope.blocks.forEach(CoarrayBlock::releaseLocks);
        }
    }

    /// Runs the release callbacks of this scope and of those around it, the latest first: all images have stopped.
    void runReleaseCallbacks(Callbacks.Thrown thrown) {
        for (TeamScope scope : List.of(chain).reversed()) {
            ScopedValue.where(Images.CURRENT, scope)
                    .run(() -> scope.blocks.reversed().forEach(block -> block.runReleaseCallbacks(thrown)));
        }
    }

    /// Completes what the images have begun, when all of them have stopped in this scope. What not all have begun has
    /// ended: an image that stops before others that are at later statements revokes their team.
    void completeProgram() {
        formed.forEach(child -> child.statements().pending().complete());
        team.statements().pending().complete();
    }

    /// Ends this scope and those around it when all images have stopped.
    ///
    /// @param isCommon whether all images are in this scope, so that they can close teams together
    void endProgram(boolean isCommon) {
        if (isCommon) {
            closeTeamsOfProgram();
        }
        for (TeamScope scope : chain) {
            scope.blocks.forEach(CoarrayBlock::end);
            scope.arena.close();
        }
    }

    private void closeTeamsOfProgram() {
        for (ImageTeam child : formed) {
            child.closeCore();
        }
        team.closeCore();
    }

    /// Leaves the scope and all teams formed in it without waiting. Problems are added to the reason.
    void abandon(Throwable reason) {
        if (runtime.hasFailed() || runtime.hasStopped()) {
            return; // a failed image does nothing any more, and a stopped one has ended its scopes
        }
        if (team.depth() == 0 && runtime.endsJob()) {
            return; // the others end with the job
        }
        try {
            String text = String.valueOf(reason);
            runtime.step(ABANDON, 0);
            if (formingSlot >= 0) {
                runtime.board().abandon(formingSlot, text);
            }
            for (ImageTeam child : formed) {
                child.abandon(text);
                child.forget();
            }
            team.abandon(text);
            runtime.step(ABANDON, 1);
            Callbacks.Thrown thrown = new Callbacks.Thrown();
            endBlocks(new Outcome.Abandoned(team.thisImage(), text), thrown);
            arena.close();
            thrown.addTo(reason);
        } catch (RuntimeException | Error e) {
            if (!e.equals(reason)) {
                reason.addSuppressed(e);
            }
        }
    }

    Arena arena() {
        return arena;
    }

    @Override
    public String toString() {
        return "scope of " + team.path();
    }
}
