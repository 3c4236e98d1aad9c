// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.INCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.REDUCE_SCATTER;

import coterie.PeFailedException;
import coterie.internal.kernel.KernelChoice;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.Scratch;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.spi.FoldStep;
import java.lang.foreign.MemorySegment;

/// Reductions by shares: each member reduces its share of the elements, for all members and in their order.
///
/// ```
///  elements        0 ┄┄┄┄┄┄┄┄┄┄┄ 3 ┄┄┄┄┄┄┄┄┄┄┄ 6 ┄┄┄┄┄┄┄┄┄┄┄ 9
///  source of 0     │ member 0's  │ member 1's  │ member 2's  │   a member reads its column, piece by piece,
///  source of 1     │   share     │   share     │   share     │   from top to bottom, and writes it into the
///  source of 2     │             │             │             │   targets
/// ```
///
/// Every element is computed once, so that all members have the same bits. A member has read its piece of a source
/// before it writes that of the target there, and no other member touches either: so target and source may be the
/// same.
///
/// What can be read where it lies is not copied first, and a result that is for me as well goes straight into my
/// target, where the others get it from.
final class PartitionedReductions {
    /// What goes through buffers does so in pieces.
    private static final long PIECE = Scratch.BYTES;

    /// Parts of a buffer in a scan with accumulators.
    private static final long WIDE_PARTS = 3;

    /// Two members that reach each other need no buffers, and larger pieces are faster, as long as both fit the
    /// L2.
    private static final long PIECE_OF_TWO = 128L << 10;

    private final Membership membership;
    private final TeamSync teamSync;
    private final SymmetricCopies copies;
    private final Scratch.Pool pool;

    PartitionedReductions(TeamSync teamSync, SymmetricCopies copies, Scratch.Pool pool) {
        this.membership = teamSync.membership();
        this.teamSync = teamSync;
        this.copies = copies;
        this.pool = pool;
    }

    /// Serves every call of its collectives.
    ///
    /// @return true
    boolean run(Call call) {
        teamSync.agree(call.agreed, 1);
        boolean isPart = call.type == REDUCE_SCATTER;
        if (isPart && call.isInPlace()) {
            partitionFirst(call);
        }
        call.awaitsAll();
        switch (call.type) {
            case ALL_REDUCE -> reduceShare(call);
            case INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> scanShare(call);
            case REDUCE_SCATTER -> {
                if (!call.isInPlace() || membership.me() != 0) {
                    reducePart(call);
                }
            }
            default -> throw new AssertionError(call.type);
        }
        copies.completeForNotified();
        return true;
    }

    /// Reduces member 0's part, and meets: in place, all members' target is what member 0 reads.
    private void partitionFirst(Call call) {
        try {
            if (membership.me() == 0) {
                reducePart(call);
            }
        } catch (PeFailedException e) {
            teamSync.agree(call.agreed, 1);
            call.awaitsAll();
            throw e;
        }
        teamSync.agree(call.agreed, 1);
    }

    /// Bytes that are reduced at once, but for scans.
    private long piece(Call call) {
        boolean isOfTwo =
                membership.size() == 2 && copies.reaches(membership.pe(0)) && copies.reaches(membership.pe(1));
        return isOfTwo ? PIECE_OF_TWO : PIECE / accumulatorScale(call);
    }

    /// How many times as wide as an element is what a buffer has between two folds.
    private static int accumulatorScale(Call call) {
        return call.reduction.accumulatorSize(call.elements) / call.elements.byteSize();
    }

    /// Reduces my share into all members' targets.
    private void reduceShare(Call call) {
        long begin = shareBegin(call, membership.me());
        long bytes = shareBegin(call, membership.me() + 1) - begin;
        reduce(call, call.from + begin, call.to + begin, bytes, 0, membership.size());
    }

    /// Reduces my part of `count` elements into my own target.
    private void reducePart(Call call) {
        int me = membership.me();
        reduce(call, call.from + me * call.length(), call.to, call.length(), me, me + 1);
    }

    /// Reduces bytes of all sources into the targets of the members from `first` on and before `end`.
    private void reduce(Call call, long from, long to, long bytes, int first, int end) {
        long piece = piece(call);
        Scratch scratch = pool.acquire();
        for (long at = 0; at < bytes; at += piece) {
            long length = Math.min(piece, bytes - at);
            long mine = copies.writable(membership.myPe(), to + at, length);
            MemorySegment result = mine == 0 ? scratch.first : AddressSpace.ALL;
            reducePiece(call, result, mine, from + at, length, scratch);
            for (int member = first; member < end; member++) {
                if (mine == 0 || member != membership.me()) {
                    copies.put(result, mine, length, membership.pe(member), to + at);
                }
            }
        }
        pool.release(scratch);
    }

    /// Reduces all members' piece into `result`, which is the first buffer or my target. The target is written by
    /// the last step alone: in place, it may be a source that is read there.
    private void reducePiece(Call call, MemorySegment result, long resultAt, long place, long length, Scratch scratch) {
        int last = membership.size() - 1;
        if (last == 0) {
            copies.get(membership.pe(0), place, result, resultAt, length);
            return;
        }
        boolean isWide = call.reduction.widens(call.elements);
        long aside = isWide ? Scratch.BYTES / 2 : 0; // accumulators would overwrite elements at their place
        MemorySegment first = isWide ? scratch.second : scratch.first;
        long leftAt = read(0, place, length, first, aside);
        MemorySegment left = leftAt == 0 ? first : AddressSpace.ALL;
        leftAt = leftAt == 0 ? aside : leftAt;
        for (int member = 1; member < last; member++) {
            FoldStep step = FoldStep.of(member, last + 1);
            fold(call, step, scratch.first, 0, left, leftAt, member, place, length, scratch.second);
            left = scratch.first;
            leftAt = 0;
        }
        fold(call, FoldStep.of(last, last + 1), result, resultAt, left, leftAt, last, place, length, scratch.second);
    }

    /// Writes, of my share, the reduction up to each member, with it or without, into that member's target.
    private void scanShare(Call call) {
        long end = shareBegin(call, membership.me() + 1);
        Scratch scratch = pool.acquire();
        for (long at = shareBegin(call, membership.me()); at < end; at += PIECE) {
            long length = Math.min(PIECE, end - at);
            if (call.reduction.widens(call.elements)) {
                scanWide(call, at, length, scratch);
            } else if (call.type == INCLUSIVE_SCAN) {
                scanPiece(call, call.to + at, call.from + at, length, scratch);
            } else {
                scanPieceBefore(call, call.to + at, call.from + at, length, scratch);
            }
        }
        pool.release(scratch);
    }

    /// In place, member 0's source is written before its last use, but with its own bits.
    private void scanPiece(Call call, long to, long from, long length, Scratch scratch) {
        long leftAt = read(0, from, length, scratch.first);
        MemorySegment left = leftAt == 0 ? scratch.first : AddressSpace.ALL;
        copies.put(left, leftAt, length, membership.pe(0), to);
        for (int member = 1; member < membership.size(); member++) {
            fold(call, FoldStep.ONLY, scratch.first, 0, left, leftAt, member, from, length, scratch.second);
            left = scratch.first;
            leftAt = 0;
            copies.put(left, 0, length, membership.pe(member), to);
        }
    }

    /// The two buffers take turns: one has what comes before a member while the other takes what comes before the
    /// next. No member comes after the last, so none needs its source.
    private void scanPieceBefore(Call call, long to, long from, long length, Scratch scratch) {
        MemorySegment before = scratch.first;
        MemorySegment next = scratch.second;
        copies.get(membership.pe(0), from, before, 0, length);
        ReductionIdentity.fill(call.reduction, call.elements, next, 0, length);
        copies.put(next, 0, length, membership.pe(0), to);
        for (int member = 1; member < membership.size(); member++) {
            if (member < membership.size() - 1) {
                fold(call, FoldStep.ONLY, next, 0, before, 0, member, from, length, next);
            }
            copies.put(before, 0, length, membership.pe(member), to);
            MemorySegment done = before;
            before = next;
            next = done;
        }
    }

    /// Scans where accumulators are wider than elements: what a member gets is rounded, and what goes on is not.
    private void scanWide(Call call, long begin, long bytes, Scratch scratch) {
        long piece = Scratch.BYTES / WIDE_PARTS / Long.BYTES * Long.BYTES;
        for (long at = begin; at < begin + bytes; at += piece) {
            scanWidePiece(call, at, Math.min(piece, begin + bytes - at), piece, scratch);
        }
    }

    /// The second buffer has three parts: two take turns with members' elements, the third has what a member gets. A
    /// member's elements are read before its target is written, which may be the same in place.
    private void scanWidePiece(Call call, long at, long length, long part, Scratch scratch) {
        MemorySegment parts = scratch.second;
        long result = 2 * part;
        int last = membership.size() - 1;
        int behind = call.type == INCLUSIVE_SCAN ? 0 : 1;
        copies.get(membership.pe(0), call.from + at, parts, 0, length);
        if (behind == 1) {
            ReductionIdentity.fill(call.reduction, call.elements, parts, result, length);
            copies.put(parts, result, length, membership.pe(0), call.to + at);
        }
        MemorySegment left = parts;
        for (int member = 0; member + behind <= last; member++) {
            long mine = member % 2 * part;
            if (member == 0) {
                MemorySegment.copy(parts, 0, parts, result, length);
            } else {
                FoldStep rounding = member == 1 ? FoldStep.ONLY : FoldStep.LAST;
                fold(call, rounding, parts, result, left, 0, parts, mine, length);
                FoldStep goingOn = member == 1 ? FoldStep.FIRST : FoldStep.NEXT;
                fold(call, goingOn, scratch.first, 0, left, 0, parts, mine, length);
                left = scratch.first;
            }
            if (member < last) {
                long next = (member + 1) % 2 * part;
                copies.get(membership.pe(member + 1), call.from + at, parts, next, length);
            }
            copies.put(parts, result, length, membership.pe(member + behind), call.to + at);
        }
    }

    /// Makes what is on the left and a member's piece one.
    ///
    /// @param buffer for the piece if it must be copied; may be the target
    private void fold(
            Call call,
            FoldStep step,
            MemorySegment target,
            long targetAt,
            MemorySegment left,
            long leftAt,
            int member,
            long place,
            long length,
            MemorySegment buffer) {
        long rightAt = read(member, place, length, buffer);
        fold(call, step, target, targetAt, left, leftAt, rightAt == 0 ? buffer : AddressSpace.ALL, rightAt, length);
    }

    private static void fold(
            Call call,
            FoldStep step,
            MemorySegment target,
            long targetAt,
            MemorySegment left,
            long leftAt,
            MemorySegment right,
            long rightAt,
            long length) {
        KernelChoice.made()
                .kernels()
                .fold(step, call.reduction, call.elements, target, targetAt, left, leftAt, right, rightAt, length);
    }

    /// The address of a member's piece, or 0 if it is in the buffer now.
    private long read(int member, long place, long length, MemorySegment buffer) {
        return read(member, place, length, buffer, 0);
    }

    /// @param at where the piece is in the buffer if it must be copied
    private long read(int member, long place, long length, MemorySegment buffer, long at) {
        long address = copies.readable(membership.pe(member), place, length);
        if (address == 0) {
            copies.get(membership.pe(member), place, buffer, at, length);
        }
        return address;
    }

    /// The begin of a member's share, in bytes; that of the member behind the last is the end.
    private long shareBegin(Call call, int member) {
        int size = membership.size();
        return (member * (call.count / size) + Math.min(member, call.count % size)) * call.width();
    }
}
