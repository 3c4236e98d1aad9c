// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.component.CollectiveResources;
import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.spi.Conduit.Region;
import java.util.Arrays;

/// In a stage of each member's own, from which the others read: for a few KiB at most, whose copy costs less than
/// a second word from each to each. Only where members load each other's memory.
///
/// A stage has two halves, for rounds with an even sequence and with an odd one, like the lines of a [FlatRound]
/// and for the same reason: no member begins round s + 2 before all have read what was said in round s. It is taken
/// with the first call; where a member gets none, all learn it in the round.
final class BounceBuffers implements EagerTransport {
    private static final int PLACE = 1;
    private static final long NONE = -1;

    private final Membership membership;
    private final FlatRound rounds;
    private final CollectiveResources resources;

    /// Bytes of a half.
    private final int halfBytes;

    /// Per member: the address of its sync area here.
    private final long[] bases;

    private long stage = NONE;

    /// Per member: the address of its stage here, once all have said where theirs are. From then on no member says so
    /// any more: a reader that takes the place from the round's line waits for one cache line to ask for the next.
    private final long[] stages;

    private boolean areKnown;

    /// Whether a member has got none. As all learn it in the same round, no member asks again.
    private boolean isRefused;

    /// Where my part begins in what a member has said.
    private long part;

    BounceBuffers(Membership membership, FlatRound rounds, CollectiveResources resources) {
        this.membership = membership;
        this.rounds = rounds;
        this.resources = resources;
        this.halfBytes = CollectiveAlgorithm.Native.bounceBytes(membership.size());
        this.bases = new long[membership.size()];
        this.stages = new long[membership.size()];
        for (int member = 0; member < bases.length; member++) {
            bases[member] = member == membership.me()
                    ? resources.conduit().localBase(Region.SYNC)
                    : resources.conduit().directBase(Region.SYNC, membership.pe(member));
        }
    }

    @Override
    public int mostBytes() {
        return halfBytes;
    }

    @Override
    public boolean serves(Call call) {
        long staged = EagerTransport.isEach(call) ? call.length() * membership.size() : call.length();
        return !isRefused && staged <= halfBytes;
    }

    @Override
    public int send(Call call, long address, int bytes) {
        boolean isEach = EagerTransport.isEach(call);
        part = isEach ? (long) membership.me() * bytes : 0;
        if (stage == NONE) {
            stage = resources.lines().acquire(2L * halfBytes);
        }
        if (stage == NONE) {
            rounds.send(PLACE, NONE);
            return PLACE + 1;
        }
        long length = isEach ? (long) bytes * membership.size() : bytes;
        long place = bases[membership.me()] + stage + half(rounds.sequence() + 1);
        MemoryCopy.copy(AddressSpace.ALL, address, AddressSpace.ALL, place, length);
        if (areKnown) {
            return PLACE;
        }
        rounds.send(PLACE, stage);
        return PLACE + 1;
    }

    @Override
    public boolean hasAll() {
        if (!areKnown) {
            isRefused = rounds.firstWith(PLACE, NONE) >= 0;
            if (isRefused) {
                close();
                return false;
            }
            Arrays.setAll(stages, member -> bases[member] + rounds.received(member, PLACE));
            areKnown = true;
        }
        return true;
    }

    @Override
    public long received(int member) {
        return stages[member] + half(rounds.sequence()) + part;
    }

    private long half(long sequence) {
        return (sequence & 1) * halfBytes;
    }

    /// Releases the stage, which no member reads any more.
    void close() {
        if (stage != NONE) {
            resources.lines().release(stage, 2L * halfBytes);
            stage = NONE;
        }
    }
}
