// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The cells of a PE's heap, in pages that are made when they are touched.
///
/// A page has a cell for each 8 bytes at first. Where an access begins or ends within these it gets smaller ones,
/// down to a byte, and keeps them.
final class Shadow {
    private static final int PAGE_SHIFT = 12;
    private static final long PAGE = 1 << PAGE_SHIFT;
    private static final int COARSEST = 3;

    /// What becomes of a cell.
    interface Change {
        /// Returns what becomes of it.
        ///
        /// @param offset of the cell's first byte
        Cell apply(Cell cell, long offset);
    }

    private final Map<Long, Page> pages = new HashMap<>();

    /// Changes the cells of some bytes, in order. Neighbours that were the same cell become the same again.
    void change(long offset, long length, Change change) {
        long end = offset + length;
        Cell before = null;
        Cell after = Cell.EMPTY;
        for (long at = offset; at < end; ) {
            long stop = Math.min(end, ((at >> PAGE_SHIFT) + 1) << PAGE_SHIFT);
            Page page = pages.computeIfAbsent(at >> PAGE_SHIFT, number -> new Page());
            page.refine(Math.min(COARSEST, Long.numberOfTrailingZeros(at | stop)));
            for (; at < stop; at += 1L << page.grain) {
                int slot = (int) (at & (PAGE - 1)) >> page.grain;
                Cell cell = page.cell(slot);
                if (cell != before) {
                    before = cell;
                    after = change.apply(cell, at);
                }
                page.cells[slot] = after;
            }
        }
    }

    /// Forgets everything.
    void clear() {
        pages.clear();
    }

    private static final class Page {
        /// Binary logarithm of the bytes of a cell.
        int grain = COARSEST;

        @Nullable
        Cell[] cells = new Cell[(int) PAGE >> COARSEST];

        Cell cell(int slot) {
            Cell cell = cells[slot];
            return cell == null ? Cell.EMPTY : cell;
        }

        void refine(int finer) {
            if (finer < grain) {
                int each = 1 << (grain - finer);
                @Nullable Cell[] coarse = cells;
                cells = new Cell[coarse.length * each];
                for (int slot = 0; slot < coarse.length; slot++) {
                    Arrays.fill(cells, slot * each, (slot + 1) * each, coarse[slot]);
                }
                grain = finer;
            }
        }
    }
}
