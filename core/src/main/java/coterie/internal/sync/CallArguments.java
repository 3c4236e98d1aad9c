// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.internal.p2p.ArgumentRecord;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.wait.OperationKind;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/// The argument records of a team's members for calls with a round: a line of each member's block, see [SyncLines].
/// In the round travels the checksum.
final class CallArguments {
    private final Membership membership;
    private final SyncLines lines;
    private final Conduit conduit;
    private final BlockingChannel blockingChannel;
    private final ArgumentRecord mine;

    CallArguments(Membership membership, SyncLines lines, Conduit conduit, BlockingChannel blockingChannel) {
        this.membership = membership;
        this.lines = lines;
        this.conduit = conduit;
        this.blockingChannel = blockingChannel;
        this.mine = new ArgumentRecord(conduit.localBase(Region.SYNC) + place(membership.me()));
    }

    private long place(int member) {
        return lines.argumentRecord(member, membership.size());
    }

    /// Writes those of a call of mine, before its round.
    void write(long checksum, long[] arguments) {
        mine.write(checksum, arguments);
    }

    /// Returns the exception for a round in which checksums differ: it names the first argument that does, and its
    /// value
    /// on each member. Or the exception for a PE that has failed since. Waits where this PE can't load a record.
    CoterieException mismatch(SyncRound round, OperationKind kind) {
        try {
            long[][] all =
                    IntStream.range(0, membership.size()).mapToObj(this::read).toArray(long[][]::new);
            int different = IntStream.range(0, ArgumentRecord.ARGUMENTS)
                    .filter(argument -> Arrays.stream(all).anyMatch(each -> each[argument] != all[0][argument]))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(kind + ": equal arguments with different checksums"));
            return new CollectiveMismatchException(ArgumentMismatch.disagreement(
                    membership, round, kind, different, member -> all[member][different]));
        } catch (CoterieException e) {
            return e;
        }
    }

    private long[] read(int member) {
        int pe = membership.pe(member);
        long base = member == membership.me() ? conduit.localBase(Region.SYNC) : conduit.directBase(Region.SYNC, pe);
        if (base != 0) {
            return ArgumentRecord.read(base + place(member), ArgumentRecord.ARGUMENTS);
        }
        MemorySegment copy = Arena.ofAuto().allocate(ArgumentRecord.BYTES, Long.BYTES);
        blockingChannel.get(pe, conduit.remoteBase(Region.SYNC, pe) + place(member), copy, 0, ArgumentRecord.BYTES);
        return ArgumentRecord.read(copy.address(), ArgumentRecord.ARGUMENTS);
    }
}
