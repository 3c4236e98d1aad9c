// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.HeapStatistics;
import coterie.SymmetricMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One execution of a `change team` construct on this image, or of the whole program in the initial team. It
/// allocates coarrays, which end with it at the latest.
public final class TeamScope extends CoarrayAllocator {
    /// What an image passes in place of a size that is not allowed: all images refuse it together.
    private static final long REFUSED = Long.MAX_VALUE;

    private static final String END = "IMAGES_END";
    private static final String ABANDON = "IMAGES_ABANDON";

    private final ImageRuntime runtime;
    private final ImageTeam team;
    private final Outcome outcome;
    private final Arena arena = Arena.ofConfined();
    private final List<CoarrayBlock> blocks = new ArrayList<>();
    private final List<LocalMemory> locals = new ArrayList<>();
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
    @Override
    public ImageTeam team() {
        return team;
    }

    /// Returns the outcome of `change team`: Ok, or, in [ImageTeam#tryRun], Failed.
    public Outcome outcome() {
        return outcome;
    }

    @Override
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

    @Override
    CoarrayNumbering.Placement allocate(
            StatementKind kind, @Nullable Shape shape, long count, long bytes, String described) {
        String operation = kind.operation();
        checkCurrent(operation);
        boolean isAllowed = bytes >= 0;
        TeamStatements.Attempt<SymmetricMemory> attempt = team.statements()
                .allocation(
                        kind,
                        team,
                        layout(kind, shape, described),
                        described,
                        () -> team.team().allocate(isAllowed ? bytes : REFUSED));
        SymmetricMemory memory = attempt.value();
        if (!isAllowed) {
            throw new IllegalArgumentException(runtime.prefix(operation) + described
                    + "; allowed are 0 and more elements of 1 and more bytes, less than 2^63 bytes together");
        }
        if (memory == null) {
            throw StatementException.of(operation + " in " + team.path(), withHeap(bytes, attempt.outcome()));
        }
        CoarrayBlock block = new CoarrayBlock(this, memory, described);
        blocks.add(block);
        Shape bounds = shape == null ? Shape.vector(count) : shape;
        return new CoarrayNumbering.Placement(block, bounds, bounds.cobounds(), team, null, "");
    }

    /// Adds what this image has left, where the outcome is that an image has no memory and does not say it.
    private Outcome withHeap(long bytes, Outcome outcome) {
        if (!(outcome instanceof Outcome.Fault(int code, String text))
                || code != Outcome.Fault.OUT_OF_MEMORY
                || text.contains("bytes asked")) {
            return outcome;
        }
        HeapStatistics heap = runtime.world().heapStatistics();
        return new Outcome.Fault(
                code,
                text + "; on this image: " + bytes + " bytes asked, the longest free part of the heap has "
                        + heap.largestFreeBytes() + " of " + heap.byteSize() + "; start the job with a larger --heap");
    }

    /// Returns what the images compare beside kind and bytes: 0 if these say all.
    private static int layout(StatementKind kind, @Nullable Shape shape, String described) {
        return shape == null && kind != StatementKind.RECORDS ? 0 : hash(described);
    }

    /// Returns the same number on all images for the same text, and for others most probably another one, never 0.
    private static int hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 29;
        }
        return (int) (hash >>> 33) | 1;
    }

    /// Allocates memory of this image alone, zeroed, which all images of the program may load and store, see
    /// [LocalMemory]. Waits for no image; other images may allocate other sizes, or nothing.
    /// @counterpart `allocate(c%x(n))` of a component of a coarray; `prif_allocate`
    /// @param byteSize at least 0
    /// @throws IllegalArgumentException if it is less
    /// @throws StatementException if the image has no memory for it; its outcome is a Fault
    public LocalMemory allocateLocal(long byteSize) {
        checkCurrent("allocate");
        if (byteSize < 0) {
            throw new IllegalArgumentException(
                    runtime.prefix("allocate") + byteSize + " bytes of local memory; allowed are 0 and more");
        }
        LocalMemory memory = LocalMemory.allocate(this, byteSize);
        if (memory == null) {
            throw StatementException.of(
                    "allocate in " + team.path(),
                    new Outcome.Fault(
                            Outcome.Fault.OUT_OF_MEMORY,
                            "image " + team.thisImage() + " has no " + byteSize
                                    + " bytes for local memory; start the job with a larger --heap"));
        }
        locals.add(memory);
        return memory;
    }

    /// Returns the local memory of an image, for loads and stores as of a coarray. The segment ends with this
    /// scope.
    /// @counterpart `c[image]%x`; the `_indirect` forms of `prif_get` and `prif_put`
    /// @param handle of [LocalMemory#handle], as the image has published it
    /// @param image of the current team
    /// @throws IllegalArgumentException if the image has no memory with this handle: it has freed it, or never had
    /// it
    public MemorySegment remote(long handle, int image) {
        checkCurrent("remote");
        MemorySegment memory = LocalMemory.of(runtime, handle, team.pe("remote", image), arena);
        if (memory == null) {
            throw new IllegalArgumentException(runtime.prefix("remote") + handle + " is no handle of memory that image "
                    + image + " of " + team.path() + " has; it is freed, or not of allocateLocal");
        }
        return memory;
    }

    void close(LocalMemory memory) {
        checkCurrent("close");
        locals.remove(memory);
        memory.end(true);
    }

    /// Throws if this is not the caller's current scope, or has ended.
    @Override
    void checkCurrent(String operation) {
        TeamScope now = team.currentScope(operation);
        if (now != this) {
            throw new IllegalStateException(runtime.prefix(operation) + "this scope of " + team.path() + " has ended");
        }
        team.statements().checkOpen(operation, team);
    }

    /// Frees coarrays of this scope before its end: synchronizes, runs the release callbacks, and frees. All
    /// images of the team pass the same coarrays in the same order. On return the memory is free; [Coarray#close]
    /// waits for no image instead.
    /// @counterpart `deallocate`, `prif_deallocate_coarray`, `prif_deallocate_coarrays`
    /// @throws IllegalStateException if this is not the current scope, or another one has allocated a coarray,
    ///     which stays usable; the message has both teams
    public void deallocate(Coarray... coarrays) {
        StatementException.unlessOk("deallocate", tryDeallocate(coarrays), team);
    }

    /// Frees coarrays as [#deallocate]. If the outcome is not Ok, the coarrays have ended on the caller, and their
    /// memory is free when they have on all images.
    /// @counterpart `deallocate(stat=)`
    public Outcome tryDeallocate(Coarray... coarrays) {
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
                block.runReleaseCallbacks(thrown);
                if (outcome.isOk()) {
                    outcome = block.deallocate();
                } else {
                    block.drop();
                }
            }
        }
        thrown.addOutcome(kind.operation() + " in " + team.path(), outcome);
        thrown.rethrow();
        return outcome;
    }

    /// Ends the use of a coarray on this image, see [Coarray#close].
    void close(CoarrayBlock block) {
        checkCurrent("close");
        boolean isUsed = team.statements().pending().isUnderWayOn(block)
                || formed.stream()
                        .anyMatch(child -> child.statements().pending().isUnderWayOn(block));
        if (isUsed) {
            throw new IllegalStateException(runtime.prefix("close") + "a collective on " + block
                    + " that this image has begun is under way; wait for its Completion before");
        }
        blocks.remove(block);
        Callbacks.Thrown thrown = new Callbacks.Thrown();
        block.runReleaseCallbacks(thrown);
        block.close();
        thrown.rethrow();
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
                                + ", but in " + block.team().path() + "; deallocate it there");
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
        @SuppressWarnings("unchecked") // placed() returns the receiver's class
        C associated = (C) coarray.placed(
                new CoarrayNumbering.Placement(coarray.block, coarray.shape(), cobounds, team, null, ""));
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

    /// Ends the scope: synchronizes, and then ends the coarrays and the teams of the scope, which waits for no
    /// image.
    ///
    /// @throws RuntimeException or an [Error] from a release callback; the scope has ended all the same
    Outcome end() {
        StatementKind kind = StatementKind.END_TEAM;
        Callbacks.Thrown thrown = new Callbacks.Thrown();
        Outcome synced = team.statements().syncAndComplete(kind, team);
        runtime.step(END, 0);
        if (synced.isOk()) {
            formed.forEach(ImageTeam::complete); // they may use the coarrays
        }
        endBlocks(thrown);
        endLocals(synced.isOk() || synced instanceof Outcome.Failed);
        runtime.step(END, 2);
        closeTeams(synced.isOk() || synced instanceof Outcome.Failed);
        runtime.step(END, 3);
        arena.close();
        thrown.addOutcome(kind.operation() + " of " + team.path(), synced);
        thrown.rethrow();
        return synced;
    }

    /// Ends all coarrays, the latest first, in this scope as the current one.
    private void endBlocks(Callbacks.Thrown thrown) {
        ScopedValue.where(Images.CURRENT, this).run(() -> {
            while (!blocks.isEmpty()) {
                CoarrayBlock block = blocks.removeLast();
                block.runReleaseCallbacks(thrown);
                block.close();
                runtime.step(END, 1);
            }
        });
    }

    /// @param isUnused whether no image uses local memory of this one any more
    private void endLocals(boolean isUnused) {
        locals.forEach(each -> each.end(isUnused));
        locals.clear();
    }

    /// @param isSynchronized whether all images of this team have ended the scope, so that none is in a team that
    ///     was formed in it
    private void closeTeams(boolean isSynchronized) {
        for (ImageTeam child : formed) {
            if (isSynchronized) {
                child.endWithScope();
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

    /// Completes what the images have begun, when all of them have stopped in this scope. What not all have
    /// begun has ended: an image that stops before others that are at later statements revokes their team.
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
            scope.endLocals(true);
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
            endBlocks(thrown);
            endLocals(false); // others may be using it
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
