// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.SymmetricMemoryException;
import coterie.internal.wait.WaitKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rounds in which all PEs come to one verdict about a block: everybody tells what it asks for and whether it
/// can give its part; the verdict is decided once for all, also when PEs fail on the way.
final class HeapAgreement {
    /// words of a round: size, subject, answer
    private static final int WORDS = 3;

    private static final int SIZE = 0;
    private static final int SUBJECT = 1;
    private static final int ANSWER = 2;

    /// Verdicts that no PE answers with.
    private static final int DIFFERENT = Answer.values().length;

    private static final int FAILED = DIFFERENT + 1;

    private final PeTeam team;

    /// What a PE says about its own part.
    enum Answer {
        GRANTED,
        /// it can't
        REFUSED,
        /// the arguments are out of range
        INVALID
    }

    HeapAgreement(PeTeam team) {
        this.team = team;
    }

    /// Says that this PE can give its part. Returns where all ask for the same and can, and otherwise throws on all
    /// of them.
    ///
    /// @param round the request's kind; or MOVE, for the second round of one that was granted
    void grant(WaitKind round, HeapRequest request) {
        long verdict = meetAndDecide(round, request, Answer.GRANTED);
        if ((verdict & 0xFF) != Answer.GRANTED.ordinal()) {
            throw refused(verdict, request, null);
        }
    }

    /// Says that this PE can't. Returns what all are to throw.
    ///
    /// @param why for this PE's own message
    RuntimeException refuse(HeapRequest request, Answer answer, String why) {
        return refused(meetAndDecide(request.kind(), request, answer), request, why);
    }

    /// Meets, proposes a verdict from what was heard, and returns the one that all members get: code | member << 8.
    private long meetAndDecide(WaitKind round, HeapRequest request, Answer answer) {
        Meeting meeting = team.meeting();
        meeting.say(SIZE, request.byteSize());
        meeting.say(SUBJECT, request.subject());
        meeting.say(ANSWER, answer.ordinal());
        PeFailedException absence = null;
        long proposal;
        try {
            team.meetAgreeing(round, WORDS);
            proposal = proposal();
        } catch (PeFailedException e) {
            absence = e;
            proposal = verdict(FAILED, e.failedPes().getFirst());
        }
        long verdict = meeting.decide(proposal);
        if ((verdict & 0xFF) == FAILED && absence != null) {
            throw absence;
        }
        return verdict;
    }

    private long proposal() {
        int invalid = firstThatAnswers(Answer.INVALID);
        if (invalid >= 0) {
            return verdict(Answer.INVALID.ordinal(), invalid);
        }
        if (differs(SIZE) || differs(SUBJECT)) {
            return verdict(DIFFERENT, 0);
        }
        int refusing = firstThatAnswers(Answer.REFUSED);
        return refusing >= 0 ? verdict(Answer.REFUSED.ordinal(), refusing) : verdict(Answer.GRANTED.ordinal(), 0);
    }

    private static long verdict(int code, int member) {
        return code | (long) member << 8;
    }

    private int firstThatAnswers(Answer answer) {
        for (int member = 0; member < team.size(); member++) {
            if (team.meeting().heard(member, ANSWER) == answer.ordinal()) {
                return member;
            }
        }
        return -1;
    }

    private boolean differs(int word) {
        Meeting meeting = team.meeting();
        for (int member = 1; member < team.size(); member++) {
            if (meeting.heard(member, word) != meeting.heard(0, word)) {
                return true;
            }
        }
        return false;
    }

    private RuntimeException refused(long verdict, HeapRequest request, @Nullable String mine) {
        int pe = team.pe((int) (verdict >> 8));
        String who = request.words(team.pe(team.member()));
        int code = (int) (verdict & 0xFF);
        if (code == DIFFERENT) {
            return new CollectiveMismatchException(
                    who + Arguments.disagreement(team, request.kind(), differs(SIZE) ? SIZE : SUBJECT));
        }
        if (code == FAILED) {
            return new PeFailedException(who + "PE " + pe + " failed in it", List.of(pe));
        }
        if (code == Answer.INVALID.ordinal()) {
            return new IllegalArgumentException(who
                    + (mine != null ? mine : "the arguments of PE " + pe + " are out of range") + "; all PEs refuse");
        }
        return new SymmetricMemoryException(
                who + "PE " + pe + " can't give its part" + (mine != null ? ": " + mine : "") + "; all PEs refuse");
    }
}
