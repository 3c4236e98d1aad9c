// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.internal.sync.AlwaysChecked;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Finds that members don't mean the same, where one of them waits for long in [OnewayBroadcasts]:
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
final class MismatchDetector implements AlwaysChecked {
    /// Looks once in so many slow rounds: good calls should not pay for it.
    private static final int SELDOM = 32;

    private final Membership membership;
    private final FlatRound meeting;
    private final OnewayLines lines;
    private final PublishedArguments publishedArguments;

    /// Made once: waits that last check often.
    private final IntPredicate needed = this::isNeeded;

    private @Nullable CollectiveArgs args;
    private long number;
    private int member;
    private long least;
    private int asked;

    MismatchDetector(
            Membership membership, FlatRound meeting, OnewayLines lines, PublishedArguments publishedArguments) {
        this.membership = membership;
        this.meeting = meeting;
        this.lines = lines;
        this.publishedArguments = publishedArguments;
    }

    /// A wait begins.
    ///
    /// @param member who is waited for
    /// @param least the tag that it may end with
    void waits(CollectiveArgs waiting, long latest, int member, long least) {
        this.args = waiting;
        this.number = latest;
        this.member = member;
        this.least = least;
        this.asked = 0;
    }

    @Override
    public @Nullable RuntimeException check() {
        CollectiveArgs waiting = args;
        if (waiting == null) {
            return null;
        }
        RuntimeException lost = meeting.notice().failed(needed);
        if (lost != null) {
            return lost;
        }
        boolean looks = ++asked % SELDOM == 0;
        if (publishedArguments.hasLeft(member) || (looks && misses(waiting))) {
            RuntimeException why = toException(waiting, number);
            if (why != null) {
                return why;
            }
        }
        return looks && isWrong(waiting) ? found(waiting, number) : null;
    }

    /// Whether the broadcast depends on a member: a root waits for the answers of all, and where the root has not
    /// posted, no member has answered.
    private boolean isNeeded(int other) {
        CollectiveArgs waiting = args;
        return waiting == null
                || membership.me() != waiting.root
                || lines.seen(other) < OnewayLines.acknowledge(number);
    }

    /// Whether I am the root, and a member has left that has not answered: who is waited for may be elsewhere.
    private boolean misses(CollectiveArgs waiting) {
        boolean misses = false;
        for (int next = 1; next < membership.size() && membership.me() == waiting.root; next++) {
            int other = membership.after(next);
            misses |= publishedArguments.hasLeft(other) && lines.seen(other) < OnewayLines.acknowledge(number);
        }
        return misses;
    }

    private boolean isWrong(CollectiveArgs waiting) {
        int me = membership.me();
        if (me != waiting.root && asked == SELDOM) {
            lines.requestCheck(waiting.root, number);
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
    RuntimeException toException(CollectiveArgs waiting, long latest) {
        String difference = meeting.difference();
        return difference != null
                ? mismatch(waiting, latest, difference)
                : meeting.notice().check();
    }

    /// What I have found, as far as I know of it.
    CollectiveMismatchException found(CollectiveArgs waiting, long latest) {
        return mismatch(waiting, latest, publishedArguments.difference(membership.me()));
    }

    private CollectiveMismatchException mismatch(CollectiveArgs waiting, long latest, String difference) {
        return new CollectiveMismatchException(
                membership.messagePrefix(waiting.kind.label() + " #" + (meeting.sequence() + latest)) + difference);
    }
}
