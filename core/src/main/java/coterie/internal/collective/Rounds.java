// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.wait.WaitKind;

/// The rounds of a collective over memory: one in which members agree on its arguments, and an end in which nobody
/// leaves whose memory others still use.
///
/// ```
///  agree          we all mean the same; whoever throws here has left
///    try …
///  finally part   or leave, where the data have travelled with the round
/// ```
///
/// One word stands for all arguments, so that the round has room for data. Where the words differ, a second round
/// brings the arguments themselves, to say who means what. Whoever has agreed parts, also when a copy fails.
final class Rounds {
    /// The word behind the one that stands for the arguments.
    static final int COUNT = 1;

    private final Gathering gathering;
    private final Meeting meeting;

    Rounds(Gathering gathering) {
        this.gathering = gathering;
        this.meeting = gathering.meeting();
    }

    /// Meets for a number of each member, and goes on only if all have come and agree. The round is all: it ends
    /// what [Gathering#begin] began.
    void combine(Call call, Combination combination, int word, long number) {
        try {
            meeting.say(0, call.summary());
            meeting.say(word, number);
            gathering.combiningRound(call.kind, word + 1, combination);
            checkAgreement(call);
        } finally {
            gathering.leave();
        }
    }

    private void checkAgreement(Call call) {
        if (meeting.firstThatDiffers(0) >= 0) {
            int given = call.given();
            for (int word = 0; word < given; word++) {
                meeting.say(word, call.argument(word));
            }
            throw gathering.disagreement(call.kind, given);
        }
    }

    /// Meets, and goes on only if all have come and agree.
    ///
    /// @param words that travel, the one for the arguments included
    void agree(Call call, int words) {
        boolean goesOn = false;
        try {
            meeting.say(0, call.summary());
            gathering.round(call.kind, words, 0);
            checkAgreement(call);
            goesOn = true;
        } finally {
            if (!goesOn) {
                gathering.leave();
            }
        }
    }

    /// Leaves where nobody has used my memory.
    void leave() {
        gathering.leave();
    }

    /// Parts from everybody, and leaves.
    void part(WaitKind kind) {
        part(kind, Meeting.EVERYBODY);
    }

    /// Parts where the others have used the root's memory alone, and leaves.
    void part(WaitKind kind, int root) {
        try {
            gathering.part(kind, root);
        } finally {
            gathering.leave();
        }
    }
}
