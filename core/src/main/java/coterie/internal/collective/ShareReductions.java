// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Reduction;
import coterie.internal.rma.HeapCopies;
import coterie.internal.rma.Scratch;
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
/// before it writes that of the target there, and nobody else touches either: so target and source may be the same.
final class ShareReductions {
    private static final long PIECE = Scratch.BYTES;

    private final Roster roster;
    private final HeapCopies copies;
    private final Scratch.Pool pool;

    ShareReductions(Roster roster, HeapCopies copies, Scratch.Pool pool) {
        this.roster = roster;
        this.copies = copies;
        this.pool = pool;
    }

    /// Reduces my share into everybody's target.
    void reduce(Reduction reduction, ElementType type, long to, long from, long count) {
        int width = type.byteSize();
        long end = shareBegin(count, roster.me() + 1) * width;
        Scratch scratch = pool.take();
        for (long at = shareBegin(count, roster.me()) * width; at < end; at += PIECE) {
            long length = Math.min(PIECE, end - at);
            reducePiece(reduction, type, from + at, length, scratch);
            for (int member = 0; member < roster.size(); member++) {
                copies.put(scratch.first, 0, length, roster.pe(member), to + at);
            }
        }
        pool.giveBack(scratch);
    }

    /// Reduces my part of `count` elements into my own target.
    void reducePart(Reduction reduction, ElementType type, long to, long from, long count) {
        long bytes = count * type.byteSize();
        long part = from + roster.me() * bytes;
        Scratch scratch = pool.take();
        for (long at = 0; at < bytes; at += PIECE) {
            long length = Math.min(PIECE, bytes - at);
            reducePiece(reduction, type, part + at, length, scratch);
            copies.put(scratch.first, 0, length, roster.myPe(), to + at);
        }
        pool.giveBack(scratch);
    }

    /// Reduces all members' piece into the first buffer.
    private void reducePiece(Reduction reduction, ElementType type, long place, long length, Scratch scratch) {
        copies.get(roster.pe(0), place, scratch.first, 0, length);
        for (int member = 1; member < roster.size(); member++) {
            copies.get(roster.pe(member), place, scratch.second, 0, length);
            Arithmetic.reduce(reduction, type, scratch.first, scratch.second, length);
        }
    }

    /// Writes, of my share, the reduction up to and including each member into that member's target.
    void inclusiveScan(Reduction reduction, ElementType type, long to, long from, long count) {
        int width = type.byteSize();
        long end = shareBegin(count, roster.me() + 1) * width;
        Scratch scratch = pool.take();
        for (long at = shareBegin(count, roster.me()) * width; at < end; at += PIECE) {
            long length = Math.min(PIECE, end - at);
            copies.get(roster.pe(0), from + at, scratch.first, 0, length);
            copies.put(scratch.first, 0, length, roster.pe(0), to + at);
            for (int member = 1; member < roster.size(); member++) {
                copies.get(roster.pe(member), from + at, scratch.second, 0, length);
                Arithmetic.reduce(reduction, type, scratch.first, scratch.second, length);
                copies.put(scratch.first, 0, length, roster.pe(member), to + at);
            }
        }
        pool.giveBack(scratch);
    }

    /// Writes, of my share, the reduction of those before each member into that member's target.
    void exclusiveScan(Reduction reduction, ElementType type, long to, long from, long count) {
        int width = type.byteSize();
        long end = shareBegin(count, roster.me() + 1) * width;
        Scratch scratch = pool.take();
        for (long at = shareBegin(count, roster.me()) * width; at < end; at += PIECE) {
            scanPieceBefore(reduction, type, to + at, from + at, Math.min(PIECE, end - at), scratch);
        }
        pool.giveBack(scratch);
    }

    private void scanPieceBefore(
            Reduction reduction, ElementType type, long to, long from, long length, Scratch scratch) {
        MemorySegment before = scratch.first;
        MemorySegment own = scratch.second;
        copies.get(roster.pe(0), from, before, 0, length);
        Identity.fill(reduction, type, own, length);
        copies.put(own, 0, length, roster.pe(0), to);
        for (int member = 1; member < roster.size(); member++) {
            copies.get(roster.pe(member), from, own, 0, length);
            copies.put(before, 0, length, roster.pe(member), to);
            Arithmetic.reduce(reduction, type, before, own, length);
        }
    }

    /// First element of a member's share; that of the member behind the last is the end.
    private long shareBegin(long count, int member) {
        return member * (count / roster.size()) + Math.min(member, count % roster.size());
    }
}
