// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.HeapCopies;
import coterie.internal.wait.WaitingRoom;
import java.lang.invoke.VarHandle;

/// Broadcasts that go one way: the root posts, the others take and answer, and only the root waits for all. So a
/// member may be as many broadcasts ahead of another as there are other roots between.
///
/// Members that have to do with each other compare what they mean. What else can be wrong, [Discord] looks for once
/// somebody waits for long. Whoever finds something tells all by a [FailureNotice]: members that agree with their root may
/// be through by then, and learn it in the next collective.
final class Posts {
    private final Membership membership;
    private final FlatRound meeting;
    private final PostLines lines;
    private final Papers papers;
    private final Discord discord;
    private final HeapCopies copies;
    private final WaitingRoom room;
    private final int me;
    private final int size;

    /// Of the latest broadcast.
    private long number;

    /// @param lines of the team, into which nobody has posted
    Posts(Membership membership, FlatRound meeting, PostLines lines, Papers papers, HeapCopies copies, WaitingRoom room) {
        this.membership = membership;
        this.meeting = meeting;
        this.lines = lines;
        this.papers = papers;
        this.discord = new Discord(membership, meeting, lines, papers);
        this.copies = copies;
        this.room = room;
        this.me = membership.me();
        this.size = membership.size();
    }

    /// @throws CollectiveMismatchException if a member that I have to do with means something else, or has left since
    ///     others do
    /// @throws PeFailedException if one that I have to do with has failed, or has left since others have
    void broadcast(Call call) {
        long now = ++number;
        papers.write(now, call);
        room.step(call.kind, 0);
        room.counters().collectives++;
        boolean isRoot = me == call.root;
        if (isRoot) {
            post(call, now);
        }
        // One place that waits, for both: the compiler puts only so much into one method.
        int toRoot = call.root - me;
        int first = isRoot ? 1 : toRoot < 0 ? toRoot + size : toRoot;
        await(call, now, first, isRoot ? size - 1 : first, isRoot ? PostLines.answer(now) : PostLines.post(now));
        if (!isRoot) {
            take(call, now);
        }
        room.step(call.kind, 3);
    }

    /// Ends a broadcast that has failed for me. What I have posted is void for who has not answered yet: it may be
    /// at work on it, and what I do next with my source is my own business.
    void abandon(Call call) {
        for (int next = 1; me == call.root && next < size; next++) {
            lines.withdraw(membership.after(next), number);
        }
        VarHandle.fullFence();
    }

    private void post(Call call, long now) {
        long from = copies.mine() + call.from;
        long bytes = call.length();
        long few = bytes <= PostLines.MOST_BYTES ? bytes : 0;
        long summary = call.summary();
        for (int next = 1; next < size; next++) {
            lines.post(membership.after(next), now, summary, from, few);
        }
        room.counters().messages += size - 1;
        room.step(call.kind, 2);
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
                discord.waits(call, now, member, least);
                room.awaitTag(
                        lines.incoming(member),
                        least,
                        call.kind,
                        membership.label(),
                        meeting.sequence() + now,
                        membership.pe(member),
                        discord);
            }
        }
    }

    private void take(Call call, long now) {
        check(call, now, lines.summary(call.root) == call.summary());
        try {
            room.step(call.kind, 2);
            copy(call);
            VarHandle.loadLoadFence();
            check(call, now, true);
        } finally {
            lines.answer(call.root, now);
        }
        room.counters().messages++;
    }

    /// Goes on only while the root's post stands.
    private void check(Call call, long now, boolean isSame) {
        if (lines.seen(call.root) != PostLines.post(now) || !isSame) {
            RuntimeException told = discord.told(call, now);
            throw told == null ? discord.found(call, now) : told;
        }
    }

    private void copy(Call call) {
        long bytes = call.length();
        if (bytes <= PostLines.MOST_BYTES) {
            copies.put(AddressSpace.ALL, lines.bytes(call.root), bytes, membership.myPe(), call.to);
        } else {
            copies.get(membership.pe(call.root), call.from, AddressSpace.ALL, copies.mine() + call.to, bytes);
        }
    }
}
