// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.kernel.KernelChoice;
import coterie.internal.kernel.Kernels;
import coterie.internal.kernel.ScalarKernels;
import coterie.internal.mapped.Copy;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.HeapCopies;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Collectives whose data are there when the round is over in which the members agree: a [Carrier] has brought
/// them.
///
/// Everybody has said its bytes before it reads those of the others, and none of them lie in a target or a source:
/// so the two may be the same, and nobody has to do with another's memory when the round is over.
final class SmallCollectives {
    /// Fewer bytes fill no wide vector, and need not ask what kernels there are.
    private static final int FEW = 64;

    private final Membership membership;
    private final AgreedRounds rounds;
    private final Carrier carrier;
    private final HeapCopies copies;

    private final Kernels plain = new ScalarKernels();

    /// For results where the target can't be written in place; null as long as none was.
    private @Nullable MemorySegment distant;

    SmallCollectives(Membership membership, AgreedRounds rounds, Carrier carrier, HeapCopies copies) {
        this.membership = membership;
        this.rounds = rounds;
        this.carrier = carrier;
        this.copies = copies;
    }

    /// Goes this way if all members can; see [Carrier].
    ///
    /// @return whether it was gone
    boolean run(Call call) {
        if (!carrier.serves(call)) {
            return false;
        }
        int bytes = (int) call.length();
        rounds.agree(call, carrier.say(call, copies.mine() + call.from, bytes));
        if (!carrier.hasAll()) {
            return false;
        }
        try {
            take(call, bytes);
            copies.completeForTold();
        } finally {
            rounds.leave();
        }
        return true;
    }

    private void take(Call call, int bytes) {
        switch (call.type) {
            case BROADCAST -> {
                if (membership.me() != call.root || !call.isInPlace()) {
                    write(call.to, carrier.heard(call.root), bytes);
                }
            }
            case ALLGATHER, ALLTOALL -> all(call.to, bytes);
            case INCLUSIVE_SCAN -> fold(call, membership.me() + 1, bytes);
            case EXCLUSIVE_SCAN -> fold(call, membership.me(), bytes);
            case ALLREDUCE, REDUCE_SCATTER -> fold(call, membership.size(), bytes);
            default -> throw new AssertionError(call.type);
        }
    }

    private void all(long to, int bytes) {
        for (int member = 0; member < membership.size(); member++) {
            write(to + (long) member * bytes, carrier.heard(member), bytes);
        }
    }

    /// Reduces what the first `members` have said, in their order.
    private void fold(Call call, int members, int bytes) {
        long target = copies.writable(membership.myPe(), call.to, bytes);
        long result = target == 0 ? distant() : target;
        long left = carrier.heard(0);
        Kernels kernels = bytes < FEW ? plain : KernelChoice.made().kernels();
        if (members == 0) {
            Identity.fill(call.reduction, call.elements, AddressSpace.ALL, result, bytes);
        } else if (members == 1) {
            Copy.copy(AddressSpace.ALL, left, AddressSpace.ALL, result, bytes);
        }
        for (int member = 1; member < members; member++) {
            long right = carrier.heard(member);
            kernels.fold(
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

    private long distant() {
        MemorySegment place = distant;
        if (place == null) {
            place = Arena.ofAuto().allocate(carrier.mostBytes(), Long.BYTES);
            distant = place;
        }
        return place.address();
    }

    private void write(long to, long address, int bytes) {
        copies.put(AddressSpace.ALL, address, bytes, membership.myPe(), to);
    }
}
