// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.rma.HeapCopies;

/// Collectives that move elements and compute nothing: each member writes into the others' targets, the next one's
/// first, so that they don't all write to the same.
final class Exchanges {
    private final Roster roster;
    private final HeapCopies copies;

    Exchanges(Roster roster, HeapCopies copies) {
        this.roster = roster;
        this.copies = copies;
    }

    /// Writes my bytes to the same place of everybody, my own too where that is another than they come from.
    void toAll(long to, long from, long bytes) {
        if (bytes == 0) {
            return;
        }
        for (int step = 1; step < roster.size(); step++) {
            copies.push(from, bytes, roster.pe(after(step)), to);
        }
        if (to != from) {
            copies.push(from, bytes, roster.myPe(), to);
        }
    }

    /// Writes my blocks of `bytes`: each to one member, where it becomes the block of my number.
    void blocks(long to, long from, long bytes) {
        if (bytes == 0) {
            return;
        }
        long mine = to + roster.me() * bytes;
        for (int step = 1; step <= roster.size(); step++) {
            int member = after(step);
            copies.push(from + member * bytes, bytes, roster.pe(member), mine);
        }
    }

    /// As [#blocks], of `count` elements of `width` bytes, which are strides apart; those are in bytes.
    void blocksApart(long to, long toStride, long from, long fromStride, int width, long count) {
        if (count == 0) {
            return;
        }
        long mine = to + roster.me() * count * toStride;
        for (int step = 1; step <= roster.size(); step++) {
            int member = after(step);
            long block = from + member * count * fromStride;
            copies.pushStrided(block, fromStride, width, count, roster.pe(member), mine, toStride);
        }
    }

    /// The member that comes so many after me; after the last come the first.
    private int after(int step) {
        int member = roster.me() + step;
        return member < roster.size() ? member : member - roster.size();
    }
}
