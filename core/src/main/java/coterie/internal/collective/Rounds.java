// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.wait.WaitKind;

/// The rounds of a collective over memory: one in which members agree on its arguments, and an end in which nobody
/// leaves whose memory others still use.
///
/// ```
///  say            what all must mean alike
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

    private static final int ARGUMENTS = Meeting.WORDS;

    private final Gathering gathering;
    private final Meeting meeting;
    private final long[] arguments = new long[ARGUMENTS];

    /// How many of them count.
    private int given;

    Rounds(Gathering gathering) {
        this.gathering = gathering;
        this.meeting = gathering.meeting();
    }

    /// Sets what all members must pass alike.
    ///
    /// @param signature see [Signature]
    /// @param digest of the selection by which its way was chosen: members that choose by other rules have no
    ///     collective in common
    void say(Call call, long signature, long digest) {
        say(signature, call.to, call.from, digest);
    }

    private void say(long signature, long to, long from, long digest) {
        arguments[0] = signature;
        arguments[1] = to;
        arguments[2] = from;
        arguments[3] = digest;
        given = 4;
    }

    /// As the other one, for a number of each member, which lies nowhere. Members may have called for a vector.
    ///
    /// @param digest 0 where no selection is needed
    void sayNumber(long signature, long digest) {
        say(signature, 0, 0, digest);
        also(1);
    }

    /// Meets for a number of each member, and goes on only if all have come and agree. The round is all: it ends
    /// what [Gathering#begin] began.
    void combine(WaitKind kind, Combination combination, int word, long number) {
        try {
            meeting.say(0, summary());
            meeting.say(word, number);
            gathering.combiningRound(kind, word + 1, combination);
            checkAgreement(kind);
        } finally {
            gathering.leave();
        }
    }

    private void checkAgreement(WaitKind kind) {
        if (meeting.firstThatDiffers(0) >= 0) {
            for (int word = 0; word < given; word++) {
                meeting.say(word, arguments[word]);
            }
            throw gathering.disagreement(kind, given);
        }
    }

    /// Adds an argument that members must pass alike.
    void also(long argument) {
        arguments[given++] = argument;
    }

    /// Meets, and goes on only if all have come and agree.
    ///
    /// @param words that travel, the one for the arguments included
    void agree(WaitKind kind, int words) {
        boolean goesOn = false;
        try {
            meeting.say(0, summary());
            gathering.round(kind, words, 0);
            checkAgreement(kind);
            goesOn = true;
        } finally {
            if (!goesOn) {
                gathering.leave();
            }
        }
    }

    /// All arguments in a word: each times an odd number of 64 bits that looks like any other, so that what differs
    /// in some of them differs here, but for one pair in 2^64.
    long summary() {
        long sum = arguments[0] * 0x9E3779B97F4A7C15L + arguments[1] * 0xD1B54A32D192ED03L;
        sum += arguments[2] * 0xABC98388FB8FAC03L + arguments[3];
        if (given > 4) {
            sum = mixed(sum) + arguments[4];
        }
        if (given > 5) {
            sum = mixed(sum) + arguments[5];
        }
        return given > 6 ? mixed(sum) + arguments[6] : sum;
    }

    private static long mixed(long sum) {
        return (sum ^ sum >>> 32) * 0x8CB92BA72F3D8DD7L;
    }

    /// Writes the arguments of a broadcast on my paper.
    void write(Papers papers, long number) {
        papers.write(number, arguments);
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
