// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.HeapCopies;
import coterie.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Broadcasts that go one way: the root posts, the others take and answer, and only the root waits for all. So a
/// member may be as many broadcasts ahead of another as there are other roots between.
///
/// Members that have to do with each other compare what they mean. What else can be wrong, [Discord] looks for once
/// somebody waits for long. Whoever finds something tells all by a [Notice]: members that agree with their root may
/// be through by then, and learn it in the next collective.
final class Posts {
    private final Roster roster;
    private final FlatMeeting meeting;
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
    Posts(Roster roster, FlatMeeting meeting, PostLines lines, Papers papers, HeapCopies copies, WaitingRoom room) {
        this.roster = roster;
        this.meeting = meeting;
        this.lines = lines;
        this.papers = papers;
        this.discord = new Discord(roster, meeting, lines, papers);
        this.copies = copies;
        this.room = room;
        this.me = roster.me();
        this.size = roster.size();
    }

    /// @throws CollectiveMismatchException if a member that I have to do with means something else, or I am told
    ///     that others do
    /// @throws PeFailedException if a member has failed
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
        if (room.hasFailures()) {
            checkLiving(call);
        }
    }

    private void post(Call call, long now) {
        long from = copies.mine() + call.from;
        long bytes = call.length();
        long few = bytes <= PostLines.MOST_BYTES ? bytes : 0;
        long summary = call.summary();
        for (int next = 1; next < size; next++) {
            lines.post(roster.after(next), now, summary, from, few);
        }
        room.counters().messages += size - 1;
        room.step(call.kind, 2);
        if (!call.isInPlace()) {
            copies.push(call.from, bytes, roster.myPe(), call.to);
        }
    }

    /// Waits for members one after the other, also behind one that has failed: the others may still read what is
    /// mine.
    ///
    /// @param first how many steps after me the first of them comes
    private void await(Call call, long now, int first, int last, long least) {
        PeFailedException absence = null;
        for (int next = first; next <= last; next++) {
            int member = roster.after(next);
            if (lines.seen(member) < least) {
                absence = await(call, now, member, least, absence);
            }
        }
        if (absence != null) {
            throw absence;
        }
    }

    /// @return the absence that tells of more
    private @Nullable PeFailedException await(
            Call call, long now, int member, long least, @Nullable PeFailedException absence) {
        discord.waits(call, now, member, least);
        try {
            room.awaitTag(
                    lines.incoming(member),
                    least,
                    call.kind,
                    roster.label(),
                    meeting.sequence() + now,
                    roster.pe(member),
                    discord);
            return absence;
        } catch (PeFailedException e) {
            return absence == null || absence.failedPes().size() < e.failedPes().size() ? e : absence;
        }
    }

    private void take(Call call, long now) {
        if (lines.seen(call.root) != PostLines.post(now) || lines.summary(call.root) != call.summary()) {
            throw discord.found(call, now);
        }
        try {
            room.step(call.kind, 2);
            copy(call);
        } finally {
            lines.answer(call.root, now);
        }
        room.counters().messages++;
    }

    private void copy(Call call) {
        long bytes = call.length();
        if (bytes <= PostLines.MOST_BYTES) {
            copies.put(AddressSpace.ALL, lines.bytes(call.root), bytes, roster.myPe(), call.to);
        } else {
            copies.get(roster.pe(call.root), call.from, AddressSpace.ALL, copies.mine() + call.to, bytes);
        }
    }

    /// Fails fast, also where I have all I need.
    private void checkLiving(Call call) {
        List<Integer> failed = new ArrayList<>();
        StringBuilder fates = new StringBuilder();
        for (int member = 0; member < size; member++) {
            int pe = roster.pe(member);
            if (member != me && room.isOver(pe)) {
                failed.add(pe);
                fates.append(fates.isEmpty() ? "" : "; ")
                        .append("PE ")
                        .append(pe)
                        .append(' ')
                        .append(room.fate(pe));
            }
        }
        if (!failed.isEmpty()) {
            throw new PeFailedException(roster.who(call.kind.words()) + fates, failed);
        }
    }
}
