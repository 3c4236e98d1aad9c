// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.wait.WaitKind;
import org.jspecify.annotations.Nullable;

/// Whose turn it is to call a team's collectives: one thread of a PE at a time, or one alone.
///
/// The user changes rarely and [#taken] is no reference, so that telling misuse costs a collective a load, a
/// comparison and two plain stores. A race may hide a misuse, and never invents one: whoever takes turns properly
/// sees what the one before has stored.
final class Turn {
    private final Roster roster;
    private final boolean confined;

    /// The thread that was in a collective last; the only one that may be, where the team is confined to it.
    private @Nullable Thread user;

    private boolean taken;

    /// @param confinedTo the only thread that may call collectives, or null if all may
    Turn(Roster roster, @Nullable Thread confinedTo) {
        this.roster = roster;
        this.confined = confinedTo != null;
        this.user = confinedTo;
    }

    /// Enters a collective; the same thread may do so again before it leaves.
    void take(WaitKind kind) {
        if (!isCaller(user)) {
            check(kind);
            user = Thread.currentThread();
        }
        taken = true;
    }

    /// Leaves the collective, however it has ended.
    void giveBack() {
        taken = false;
    }

    /// Refuses a thread that may not call a collective now.
    ///
    /// @throws WrongThreadException if the team is confined to another
    /// @throws IllegalStateException if another is in a collective
    void check(WaitKind kind) {
        if (confined && !isCaller(user)) {
            throw new WrongThreadException(who(kind) + ", but the world was joined at a level of threads that leaves it"
                    + " to " + user + "; join at SERIALIZED or MULTIPLE");
        }
        checkNobodyElse(kind);
    }

    /// As [#check], for who may be any thread.
    void checkNobodyElse(WaitKind kind) {
        Thread other = user;
        if (taken && !isCaller(other)) {
            throw new IllegalStateException(
                    who(kind) + " while " + other + " is in a collective of the team; they must take turns");
        }
    }

    private String who(WaitKind kind) {
        return roster.who(kind.words()) + "called by " + Thread.currentThread();
    }

    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    private static boolean isCaller(@Nullable Thread thread) {
        return thread == Thread.currentThread();
    }
}
