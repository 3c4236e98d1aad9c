// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.kernel.KernelChoice;
import coterie.internal.kernel.ScalarKernels;
import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.spi.FoldStep;
import coterie.spi.Kernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Collectives whose data are there when the round is over in which the members agree: an [EagerTransport] has
/// brought them.
///
/// Each member has said its bytes before it reads those of the others, and none of them lie in a target or a source:
/// so the two may be the same, and no member has to do with another's memory when the round is over.
final class EagerCollectives {
    /// Fewer bytes fill no wide vector, and need not ask what kernels there are.
    private static final int FEW = 64;

    private final Membership membership;
    private final TeamSync teamSync;
    private final EagerTransport transport;
    private final SymmetricCopies copies;

    /// For results where the target can't be written in place, and behind them for accumulators, which are twice as
    /// long; null as long as neither was needed.
    private @Nullable MemorySegment aside;

    EagerCollectives(TeamSync teamSync, EagerTransport transport, SymmetricCopies copies) {
        this.membership = teamSync.membership();
        this.teamSync = teamSync;
        this.transport = transport;
        this.copies = copies;
    }

    /// Goes this way if all members can; see [EagerTransport].
    ///
    /// @return whether it was gone
    boolean run(Call call) {
        if (!transport.serves(call)) {
            return false;
        }
        int bytes = (int) call.length();
        teamSync.agree(call.agreed, transport.send(call, copies.mine() + call.from, bytes));
        if (!transport.hasAll()) {
            return false;
        }
        take(call, bytes);
        copies.completeForNotified();
        return true;
    }

    private void take(Call call, int bytes) {
        switch (call.type) {
            case BROADCAST -> {
                if (membership.me() != call.root || !call.isInPlace()) {
                    write(call.to, transport.received(call.root), bytes);
                }
            }
            case ALL_GATHER, ALL_TO_ALL -> all(call.to, bytes);
            case INCLUSIVE_SCAN -> fold(call, membership.me() + 1, bytes);
            case EXCLUSIVE_SCAN -> fold(call, membership.me(), bytes);
            case ALL_REDUCE, REDUCE_SCATTER -> fold(call, membership.size(), bytes);
            default -> throw new AssertionError(call.type);
        }
    }

    private void all(long to, int bytes) {
        for (int member = 0; member < membership.size(); member++) {
            write(to + (long) member * bytes, transport.received(member), bytes);
        }
    }

    /// Reduces what the first `members` have said, in their order.
    private void fold(Call call, int members, int bytes) {
        long target = copies.writable(membership.myPe(), call.to, bytes);
        long result = target == 0 ? aside() : target;
        long left = transport.received(0);
        Kernels kernels =
                bytes < FEW ? ScalarKernels.INSTANCE : KernelChoice.made().kernels();
        if (members == 0) {
            ReductionIdentity.fill(call.reduction, call.elements, AddressSpace.ALL, result, bytes);
        } else if (members == 1) {
            MemoryCopy.copy(AddressSpace.ALL, left, AddressSpace.ALL, result, bytes);
        }
        boolean isWide = members > 2 && call.reduction.widens(call.elements);
        long between = isWide ? aside() + transport.mostBytes() : result;
        for (int member = 1; member < members; member++) {
            long to = member == members - 1 ? result : between;
            kernels.fold(
                    FoldStep.of(member, members),
                    call.reduction,
                    call.elements,
                    AddressSpace.ALL,
                    to,
                    AddressSpace.ALL,
                    left,
                    AddressSpace.ALL,
                    transport.received(member),
                    bytes);
            left = to;
        }
        if (target == 0) {
            write(call.to, result, bytes);
        }
    }

    private long aside() {
        MemorySegment place = aside;
        if (place == null) {
            place = Arena.ofAuto().allocate(3L * transport.mostBytes(), Long.BYTES);
            aside = place;
        }
        return place.address();
    }

    private void write(long to, long address, int bytes) {
        copies.put(AddressSpace.ALL, address, bytes, membership.myPe(), to);
    }
}
