// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALLTOALL;
import static coterie.collective.CollectiveType.REDUCE_SCATTER;
import static coterie.internal.collective.FlatMeeting.words;

import coterie.internal.kernel.KernelChoice;
import coterie.internal.mapped.Copy;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.HeapCopies;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Collectives whose data travel with the round in which the members agree: for 48 bytes and less, one line of a
/// cache from each member to each.
///
/// Everybody has said its bytes before it reads those of the others, and reads them in its own lines: so target and
/// source may be the same, and nobody has to do with another's memory when the round is over.
final class InlineCollectives {
    private final Roster roster;
    private final Rounds rounds;
    private final FlatMeeting meeting;
    private final HeapCopies copies;

    /// For results where the target can't be written in place.
    private final MemorySegment distant = Arena.ofAuto().allocate(FlatMeeting.MOST_BYTES, Long.BYTES);

    InlineCollectives(Roster roster, Rounds rounds, FlatMeeting meeting, HeapCopies copies) {
        this.roster = roster;
        this.rounds = rounds;
        this.meeting = meeting;
        this.copies = copies;
    }

    /// Whether the data of this call can travel with the round.
    boolean serves(Call call) {
        boolean isEach = call.type == ALLTOALL || call.type == REDUCE_SCATTER;
        return call.length() <= FlatMeeting.MOST_BYTES && (!isEach || meeting.isDirect());
    }

    void run(Call call) {
        int bytes = (int) call.length();
        long mine = copies.mine() + call.from;
        int said = words(bytes);
        switch (call.type) {
            case BROADCAST -> {
                if (roster.me() == call.root) {
                    meeting.sayBytes(mine, bytes);
                } else {
                    said = 1;
                }
            }
            case ALLTOALL, REDUCE_SCATTER -> meeting.sayBytesEach(mine, bytes);
            default -> meeting.sayBytes(mine, bytes);
        }
        rounds.agree(call.kind, said);
        try {
            take(call, bytes);
            copies.completeForTold();
        } finally {
            rounds.leave();
        }
    }

    private void take(Call call, int bytes) {
        switch (call.type) {
            case BROADCAST -> {
                if (roster.me() != call.root || !call.isInPlace()) {
                    write(call.to, meeting.heardBytes(call.root), bytes);
                }
            }
            case ALLGATHER, ALLTOALL -> all(call.to, bytes);
            case INCLUSIVE_SCAN -> fold(call, roster.me() + 1, bytes);
            case EXCLUSIVE_SCAN -> fold(call, roster.me(), bytes);
            case ALLREDUCE, REDUCE_SCATTER -> fold(call, roster.size(), bytes);
            default -> throw new AssertionError(call.type);
        }
    }

    private void all(long to, int bytes) {
        for (int member = 0; member < roster.size(); member++) {
            write(to + (long) member * bytes, meeting.heardBytes(member), bytes);
        }
    }

    /// Reduces what the first `members` have said, in their order.
    private void fold(Call call, int members, int bytes) {
        long target = copies.writable(roster.myPe(), call.to, bytes);
        long result = target == 0 ? distant.address() : target;
        long left = meeting.heardBytes(0);
        if (members == 0) {
            Identity.fill(call.reduction, call.elements, AddressSpace.ALL, result, bytes);
        } else if (members == 1) {
            Copy.copy(AddressSpace.ALL, left, AddressSpace.ALL, result, bytes);
        }
        for (int member = 1; member < members; member++) {
            long right = meeting.heardBytes(member);
            KernelChoice.made()
                    .kernels()
                    .fold(
                            call.reduction,
                            call.elements,
                            AddressSpace.ALL,
                            result,
                            AddressSpace.ALL,
                            left,
                            AddressSpace.ALL,
                            right,
                            bytes);
            left = result;
        }
        if (target == 0) {
            write(call.to, result, bytes);
        }
    }

    private void write(long to, long address, int bytes) {
        copies.put(AddressSpace.ALL, address, bytes, roster.myPe(), to);
    }
}
