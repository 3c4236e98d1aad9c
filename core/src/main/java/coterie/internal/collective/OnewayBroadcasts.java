// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.internal.wait.AlwaysChecked;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import java.lang.invoke.VarHandle;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Broadcasts that go one way: the root posts, the others take and answer, and only the root waits for all. So a
/// member may be as many broadcasts ahead of another as there are other roots between.
///
/// Members that have to do with each other compare what they mean. What else can be wrong, [MismatchDetector]
/// looks for once a member waits for long. A member that finds something tells all by a
/// [coterie.internal.sync.FailureNotice]: members that agree with their root may be through by then, and learn it in
/// the next collective.
final class OnewayBroadcasts {
    private final Membership membership;
    private final FlatRound rounds;
    private final OnewayLines lines;
    private final PublishedArguments publishedArguments;
    private final MismatchDetector mismatchDetector = new MismatchDetector();
    private final SymmetricCopies copies;
    private final PeRuntime runtime;
    private final WaitingRoom room;
    private final int me;
    private final int size;

    /// Of the latest broadcast.
    private long number;

    /// @param lines of the team, into which no member has posted
    OnewayBroadcasts(
            Membership membership,
            FlatRound rounds,
            OnewayLines lines,
            PublishedArguments publishedArguments,
            SymmetricCopies copies,
            PeRuntime runtime) {
        this.membership = membership;
        this.rounds = rounds;
        this.lines = lines;
        this.publishedArguments = publishedArguments;
        this.copies = copies;
        this.runtime = runtime;
        this.room = runtime.room();
        this.me = membership.me();
        this.size = membership.size();
    }

    /// @throws CollectiveMismatchException if a member that I have to do with means something else, or has left
    ///     since others do
    /// @throws PeFailedException if one that I have to do with has failed, or has left since others have
    void broadcast(Call call) {
        long now = ++number;
        publishedArguments.write(now, call);
        runtime.step(call.kind, 0);
        runtime.counters().collectives++;
        boolean isRoot = me == call.root;
        if (isRoot) {
            post(call, now);
        }
        // One place that waits, for both: the compiler puts only so much into one method.
        int toRoot = call.root - me;
        int first = isRoot ? 1 : toRoot < 0 ? toRoot + size : toRoot;
        await(
                call,
                now,
                first,
                isRoot ? size - 1 : first,
                isRoot ? OnewayLines.acknowledge(now) : OnewayLines.post(now));
        if (!isRoot) {
            receive(call, now);
        }
        runtime.step(call.kind, 3);
    }

    /// Ends a broadcast that has failed for me. What I have posted is void for members that have not answered
    /// yet: they may be at work on it, and what I do next with my source is my own business.
    void abandon(Call call) {
        for (int next = 1; me == call.root && next < size; next++) {
            lines.withdraw(membership.after(next), number);
        }
        VarHandle.fullFence();
    }

    private void post(Call call, long now) {
        long from = copies.mine() + call.from;
        long bytes = call.length();
        long few = bytes <= OnewayLines.MOST_BYTES ? bytes : 0;
        long checksum = call.agreed.checksum();
        for (int next = 1; next < size; next++) {
            lines.post(membership.after(next), now, checksum, from, few);
        }
        runtime.counters().messages += size - 1;
        runtime.step(call.kind, 2);
        if (!call.isInPlace()) {
            copies.push(call.from, bytes, membership.myPe(), call.to);
        }
    }

    /// Waits for members one after the other.
    ///
    /// @param first how many steps after me the first of them comes
    private void await(Call call, long now, int first, int last, long least) {
        for (int next = first; next <= last; next++) {
            int member = membership.after(next);
            if (lines.seen(member) < least) {
                mismatchDetector.waits(call, member, least);
                room.awaitTag(
                        lines.incoming(member),
                        least,
                        call.kind,
                        membership.label(),
                        rounds.sequence() + now,
                        membership.pe(member),
                        mismatchDetector);
            }
        }
    }

    private void receive(Call call, long now) {
        check(call, now, lines.checksum(call.root) == call.agreed.checksum());
        try {
            runtime.step(call.kind, 2);
            copy(call);
            VarHandle.loadLoadFence();
            check(call, now, true);
        } finally {
            lines.acknowledge(call.root, now);
        }
        runtime.counters().messages++;
    }

    /// Goes on only while the root's post stands.
    private void check(Call call, long now, boolean isSame) {
        if (lines.seen(call.root) != OnewayLines.post(now) || !isSame) {
            RuntimeException told = mismatchDetector.toException(call);
            throw told == null ? mismatchDetector.found(call) : told;
        }
    }

    private void copy(Call call) {
        long bytes = call.length();
        if (bytes <= OnewayLines.MOST_BYTES) {
            copies.put(AddressSpace.ALL, lines.bytes(call.root), bytes, membership.myPe(), call.to);
        } else {
            copies.get(membership.pe(call.root), call.from, AddressSpace.ALL, copies.mine() + call.to, bytes);
        }
    }

    /// Finds that members don't mean the same, where one of them waits for long:
    ///
    /// | waiting member | finds |
    /// |---|---|
    /// | any | that the awaited member has come to a later round without having posted or answered |
    /// | any | a post of this number by another member than the root |
    /// | not the root | a member that asks it to post |
    /// | the root | that a member has left and not answered |
    ///
    /// A member that waits for the root asks it to post, for two may wait for each other. Of members that wait
    /// for each other for ever, one finds the cause; and a member that waits for one that has found something, or
    /// has been told, sees that it has left. To have been told alone is no reason to give up: the finder may be
    /// ahead.
    private final class MismatchDetector implements AlwaysChecked {
        /// Looks once in so many slow rounds: good calls should not pay for it.
        private static final int SELDOM = 32;

        /// Made once: waits that last check often.
        private final IntPredicate needed = this::isNeeded;

        private @Nullable Call call;
        private int member;
        private long least;
        private int asked;

        /// A wait begins.
        ///
        /// @param member that is waited for
        /// @param least the tag that it may end with
        void waits(Call waiting, int member, long least) {
            this.call = waiting;
            this.member = member;
            this.least = least;
            this.asked = 0;
        }

        @Override
        public @Nullable RuntimeException check() {
            Call waiting = call;
            if (waiting == null) {
                return null;
            }
            RuntimeException lost = rounds.notice().failed(needed);
            if (lost != null) {
                return lost;
            }
            boolean looks = ++asked % SELDOM == 0;
            boolean isClosed = rounds.notice().closings().isClosed(member) && lines.seen(member) < least;
            if (isClosed || publishedArguments.hasLeft(member) || (looks && misses(waiting))) {
                RuntimeException why = toException(waiting);
                if (why == null && isClosed) {
                    return mismatch(waiting, rounds.notice().closings().text(waiting.kind, member));
                }
                if (why != null) {
                    return why;
                }
            }
            return looks && isWrong(waiting) ? found(waiting) : null;
        }

        /// Whether the broadcast depends on a member: a root waits for the answers of all, and where the root has not
        /// posted, no member has answered.
        private boolean isNeeded(int other) {
            Call waiting = call;
            return waiting == null || me != waiting.root || lines.seen(other) < OnewayLines.acknowledge(number);
        }

        /// Whether I am the root, and a member has left that has not answered, which need not be the awaited one.
        private boolean misses(Call waiting) {
            boolean misses = false;
            for (int next = 1; next < size && me == waiting.root; next++) {
                int other = membership.after(next);
                misses |= publishedArguments.hasLeft(other) && lines.seen(other) < OnewayLines.acknowledge(number);
            }
            return misses;
        }

        private boolean isWrong(Call waiting) {
            if (me != waiting.root && asked == SELDOM) {
                lines.requestCheck(waiting.root, number);
            }
            if (rounds.isBehind(member) && lines.seen(member) < least) {
                return true;
            }
            for (int next = 1; next < size; next++) {
                if (lines.strays(membership.after(next), waiting.root, me, number)) {
                    return true;
                }
            }
            return false;
        }

        /// What I have been told that keeps members from this broadcast, or null.
        @Nullable
        RuntimeException toException(Call waiting) {
            String difference = rounds.notice().difference();
            return difference != null
                    ? mismatch(waiting, difference)
                    : rounds.notice().check();
        }

        /// What I have found, as far as I know of it.
        CollectiveMismatchException found(Call waiting) {
            return mismatch(waiting, publishedArguments.difference(me));
        }

        private CollectiveMismatchException mismatch(Call waiting, String difference) {
            return new CollectiveMismatchException(
                    membership.messagePrefix(waiting.kind.label() + " #" + (rounds.sequence() + number)) + difference);
        }
    }
}
