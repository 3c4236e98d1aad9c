// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.OperationKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/// The argument records of a team's members for calls with a round: a part of each member's own slot, see [SyncLines].
/// In the round travels the checksum.
final class CallArguments {
    private final TeamLines lines;
    private final Membership membership;
    private final ArgumentRecord mine;

    CallArguments(TeamLines lines) {
        this.lines = lines;
        this.membership = lines.membership();
        this.mine = new ArgumentRecord(lines.localBase() + lines.argumentRecord(membership.me()));
    }

    /// Writes those of a call of mine, before its round.
    void write(AgreedArguments call) {
        mine.write(call.checksumWithoutRoot(), call.values());
    }

    /// Returns the exception for a round in which checksums differ: it names the first argument that does, and its
    /// value on each member. Or the exception for a PE that has failed since. Waits where this PE can't load a
    /// record.
    CoterieException mismatch(SyncRound round, OperationKind kind) {
        try {
            long[][] all =
                    IntStream.range(0, membership.size()).mapToObj(this::read).toArray(long[][]::new);
            int different = IntStream.range(0, ArgumentRecord.ARGUMENTS)
                    .filter(argument -> Arrays.stream(all).anyMatch(each -> each[argument] != all[0][argument]))
                    .findFirst()
                    .orElse(ArgumentMismatch.CHECKSUM);
            return new CollectiveMismatchException(ArgumentMismatch.disagreement(
                    round,
                    kind,
                    different,
                    member -> different == ArgumentMismatch.CHECKSUM
                            ? round.received(member, 0)
                            : all[member][different]));
        } catch (CoterieException e) {
            return e;
        }
    }

    private long[] read(int member) {
        long place = lines.argumentRecord(member);
        long base = member == membership.me() ? lines.localBase() : lines.directBase(member);
        if (base != 0) {
            return AddressSpace.getLongsOpaque(base + place, ArgumentRecord.ARGUMENTS);
        }
        MemorySegment copy = Arena.ofAuto().allocate(ArgumentRecord.BYTES, Long.BYTES);
        long remote = lines.remoteBase(member) + place;
        lines.blockingChannel().get(membership.pe(member), remote, copy, 0, ArgumentRecord.BYTES);
        return AddressSpace.getLongsOpaque(copy.address(), ArgumentRecord.ARGUMENTS);
    }
}
