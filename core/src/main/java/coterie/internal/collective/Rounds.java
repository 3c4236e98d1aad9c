// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.wait.WaitKind;

/// The rounds of a collective over memory: one in which members agree on its arguments, one in which it ends, and
/// others between.
///
/// ```
///  begin          it's my turn
///  agree          we all mean the same; whoever throws here has left
///    try …
///  finally finish
/// ```
///
/// Whoever has agreed comes to the last round, also when a copy fails.
final class Rounds {
    /// The word that tells how many elements.
    static final int COUNT = 3;

    private final Gathering gathering;
    private final Meeting meeting;

    Rounds(Gathering gathering) {
        this.gathering = gathering;
        this.meeting = gathering.meeting();
    }

    /// Begins, and says what all collectives have to say: words 0 to [#COUNT].
    void begin(WaitKind kind, long signature, long to, long from, long count) {
        gathering.begin(kind);
        meeting.say(0, signature);
        meeting.say(1, to);
        meeting.say(2, from);
        meeting.say(COUNT, count);
    }

    /// Meets, and goes on only if all have come and agree.
    ///
    /// @param said words that travel
    /// @param agreed how many of them, from the first, must be equal on all members
    void agree(WaitKind kind, int said, int agreed) {
        boolean goesOn = false;
        try {
            gathering.round(kind, said, agreed);
            goesOn = true;
        } finally {
            if (!goesOn) {
                gathering.leave();
            }
        }
    }

    /// Meets for the last time, and leaves.
    void finish(WaitKind kind) {
        try {
            gathering.round(kind, 0, 0);
        } finally {
            gathering.leave();
        }
    }
}
