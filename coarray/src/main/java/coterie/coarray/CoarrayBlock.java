// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.SymmetricMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The memory of a coarray, which all of its views have in common.
final class CoarrayBlock {
    private final ImageTeam team;
    private final SymmetricMemory memory;
    private final String text;
    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private @Nullable MemorySegment local;

    /// The scope that has allocated it, until it is freed.
    @Nullable
    TeamScope scope;

    /// @param text such as "10 LONG"
    CoarrayBlock(TeamScope scope, SymmetricMemory memory, String text) {
        this.scope = scope;
        this.team = scope.team();
        this.memory = memory;
        this.text = text;
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

    void onRelease(Runnable callback) {
        callbacks.push(callback);
    }

    void runReleaseCallbacks() {
        while (!callbacks.isEmpty()) {
            callbacks.pop().run();
        }
    }

    /// Frees the memory. Collective over the team.
    Outcome release(String operation) {
        scope = null;
        return team.statements()
                .collective(operation, team, () -> {
                    memory.close();
                    return memory;
                })
                .outcome();
    }

    /// Ends the coarray here; its memory stays in use.
    void drop() {
        scope = null;
    }

    IllegalStateException over(String operation) {
        return new IllegalStateException(operation + ": " + this + " is freed; it was allocated in " + team.path());
    }

    @Override
    public String toString() {
        return "coarray of " + text + " of " + team.path();
    }
}
