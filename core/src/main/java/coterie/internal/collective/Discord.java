// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.internal.wait.LostCause;
import org.jspecify.annotations.Nullable;

/// Finds that members don't mean the same, where one of them waits for long in [Posts]:
///
/// | who waits | finds |
/// |---|---|
/// | anybody | that who is waited for has come to a later round without having posted or answered |
/// | anybody | a post of this number by another than the root |
/// | a member | somebody who asks it to post |
/// | the root | that somebody has left and not answered |
///
/// Who waits for the root asks it to post, for two may wait for each other. Of members that wait for each other in
/// vain, one finds the cause; and who waits for one that has found something, or has been told, sees that it has
/// left. To have been told alone is no reason to give up: who has found something may be ahead.
final class Discord implements LostCause {
    /// Looks once in so many slow rounds: good calls should not pay for it.
    private static final int SELDOM = 32;

    private final Membership membership;
    private final FlatRound meeting;
    private final PostLines lines;
    private final Papers papers;

    private @Nullable Call call;
    private long number;
    private int member;
    private long least;
    private int asked;

    Discord(Membership membership, FlatRound meeting, PostLines lines, Papers papers) {
        this.membership = membership;
        this.meeting = meeting;
        this.lines = lines;
        this.papers = papers;
    }

    /// A wait begins.
    ///
    /// @param member who is waited for
    /// @param least the tag that it may end with
    void waits(Call waiting, long latest, int member, long least) {
        this.call = waiting;
        this.number = latest;
        this.member = member;
        this.least = least;
        this.asked = 0;
    }

    @Override
    public boolean isAskedAlways() {
        return true;
    }

    @Override
    public @Nullable RuntimeException check() {
        Call waiting = call;
        if (waiting == null) {
            return null;
        }
        boolean looks = ++asked % SELDOM == 0;
        if (papers.hasLeft(member) || (looks && misses(waiting))) {
            RuntimeException why = told(waiting, number);
            if (why != null) {
                return why;
            }
        }
        return looks && isWrong(waiting) ? found(waiting, number) : null;
    }

    /// Whether I am the root, and a member has left that has not answered: who is waited for may be elsewhere.
    private boolean misses(Call waiting) {
        boolean misses = false;
        for (int next = 1; next < membership.size() && membership.me() == waiting.root; next++) {
            int other = membership.after(next);
            misses |= papers.hasLeft(other) && lines.seen(other) < PostLines.answer(number);
        }
        return misses;
    }

    private boolean isWrong(Call waiting) {
        int me = membership.me();
        if (me != waiting.root && asked == SELDOM) {
            lines.ask(waiting.root, number);
        }
        if (meeting.isBehind(member) && lines.seen(member) < least) {
            return true;
        }
        for (int next = 1; next < membership.size(); next++) {
            if (lines.strays(membership.after(next), waiting.root, me, number)) {
                return true;
            }
        }
        return false;
    }

    /// What I have been told that keeps members from this broadcast, or null.
    @Nullable
    RuntimeException told(Call waiting, long latest) {
        String difference = meeting.difference();
        return difference != null
                ? mismatch(waiting, latest, difference)
                : meeting.lostCause().check();
    }

    /// What I have found, as far as I know of it.
    CollectiveMismatchException found(Call waiting, long latest) {
        return mismatch(waiting, latest, papers.difference(membership.me()));
    }

    private CollectiveMismatchException mismatch(Call waiting, long latest, String difference) {
        return new CollectiveMismatchException(
                membership.who(waiting.kind.words() + " #" + (meeting.sequence() + latest)) + difference);
    }
}
