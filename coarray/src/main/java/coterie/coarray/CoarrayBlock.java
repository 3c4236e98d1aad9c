// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.SymmetricMemory;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The memory of a coarray, which all of its views have in common.
final class CoarrayBlock {
    private final ImageTeam team;
    private final SymmetricMemory memory;
    private final String text;
    private final long address;
    private final Callbacks callbacks = new Callbacks();
    private @Nullable MemorySegment local;

    /// The locks of a coarray of locks.
    private LockCoarray.@Nullable Held held;

    /// The scope that has allocated it, until it is freed.
    @Nullable
    TeamScope scope;

    /// @param text such as "10 LONG"
    CoarrayBlock(TeamScope scope, SymmetricMemory memory, String text) {
        this.scope = scope;
        this.team = scope.team();
        this.memory = memory;
        this.text = text;
        this.address = memory.segment().address();
    }

    ImageTeam team() {
        return team;
    }

    SymmetricMemory memory() {
        return memory;
    }

    /// Returns the caller's own part, which ends with the scope.
    MemorySegment local() {
        TeamScope owner = scope;
        if (owner == null) {
            throw over("local");
        }
        if (local == null) {
            local = memory.segment(owner.arena());
        }
        return local;
    }

    /// Returns the address of the caller's own part.
    long address() {
        return address;
    }

    void onRelease(Runnable callback) {
        callbacks.add(callback);
    }

    void runReleaseCallbacks(Callbacks.Thrown thrown) {
        callbacks.run(team.runtime(), thrown);
    }

    void hasLocks(LockCoarray.Held locks) {
        held = locks;
    }

    /// Releases the locks that this image holds: it ends, or leaves the coarray.
    void releaseLocks() {
        if (held != null) {
            held.releaseAll();
        }
    }

    /// Frees the memory at once. Collective over the team.
    Outcome deallocate() {
        end();
        return team.statements()
                .collective(StatementKind.DEALLOCATE, team, () -> {
                    memory.free();
                    return memory;
                })
                .outcome();
    }

    /// Ends the coarray here by a [#deallocate] that does not take place, but counts, since others may do it.
    void drop() {
        close();
        team.statements().pass(StatementKind.DEALLOCATE);
    }

    /// Ends the coarray here, and waits for no image. Its memory is free when all images have closed it.
    void close() {
        end();
        try {
            memory.close();
        } catch (IllegalStateException e) {
            team.runtime().complete(); // a collective that never ends uses it, so it stays in use
        }
    }

    /// Ends the coarray with the image.
    void end() {
        releaseLocks();
        scope = null;
    }

    /// Returns the exception for a use of this coarray where it has ended, or which another image has allocated.
    IllegalStateException over(String operation) {
        String why = scope == null
                ? " is freed; it was allocated in " + team.path()
                : " is of " + team.runtime().owner();
        return new IllegalStateException(StatementChecks.prefix(operation) + this + why);
    }

    @Override
    public String toString() {
        return "coarray of " + text + " of " + team.path();
    }
}
