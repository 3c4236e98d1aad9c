// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The cells of a PE's heap, as a tree in which bytes with the same knowledge share one node.
///
/// ```
///  block (2 MiB) → page (4 KiB) → word (8 bytes) → byte
/// ```
///
/// Each node is a [ShadowCell] if all of its bytes have that cell, else an array of the next finer nodes. The cost
/// of an access grows with the number of nodes that it touches: an access of gigabytes that nothing has divided
/// before takes one step for each block.
final class ShadowMemory {
    private static final int BLOCK_SHIFT = 21;

    /// What is known of some bytes: one cell for all, or several parts.
    abstract static sealed class Knowledge permits ShadowCell, Divided {}

    private static final class Divided extends Knowledge {
        /// Parts of equal length.
        final Knowledge[] parts;

        Divided(ShadowCell cell, int count) {
            parts = new Knowledge[count];
            Arrays.fill(parts, cell);
        }
    }

    /// A change of cells.
    interface Change {
        /// Returns the cell that replaces `cell`.
        ///
        /// @param offset of the first byte that has the cell
        ShadowCell apply(ShadowCell cell, long offset);
    }

    private final Map<Long, Knowledge> blocks = new HashMap<>();

    /// Changes the cells of some bytes, in order. Adjacent bytes that had the same cell have the same cell again.
    void change(long offset, long length, Change change) {
        if (length == 0) {
            return;
        }
        Walk walk = new Walk(change, offset, offset + length);
        for (long block = offset >> BLOCK_SHIFT; block << BLOCK_SHIFT < walk.end; block++) {
            Knowledge before = blocks.getOrDefault(block, ShadowCell.EMPTY);
            Knowledge after = walk.changed(before, BLOCK_SHIFT, block << BLOCK_SHIFT);
            if (after != before) {
                blocks.put(block, after);
            }
        }
    }

    /// Removes all cells.
    void clear() {
        blocks.clear();
    }

    /// One change of the bytes between two offsets. Equal cells in a row are changed once.
    private static final class Walk {
        private final Change change;
        private final long begin;
        private final long end;
        private @Nullable ShadowCell before;
        private ShadowCell after = ShadowCell.EMPTY;

        Walk(Change change, long begin, long end) {
            this.change = change;
            this.begin = begin;
            this.end = end;
        }

        /// Returns the new knowledge of `1 << shift` bytes, of which the change concerns some or all.
        Knowledge changed(Knowledge known, int shift, long first) {
            long last = first + (1L << shift);
            boolean whole = begin <= first && last <= end;
            if (whole && known instanceof ShadowCell cell) {
                return replaced(cell, first);
            }
            int finer = finer(shift);
            Divided divided = switch (known) {
                case ShadowCell cell -> new Divided(cell, 1 << (shift - finer));
                case Divided already -> already;
            };
            Knowledge[] parts = divided.parts;
            int from = (int) ((Math.max(begin, first) - first) >> finer);
            int to = (int) ((Math.min(end, last) - 1 - first) >> finer);
            boolean same = true;
            for (int part = from; part <= to; part++) {
                parts[part] = changed(parts[part], finer, first + ((long) part << finer));
                same &= parts[part] == parts[from];
            }
            return whole && same ? parts[from] : divided;
        }

        private ShadowCell replaced(ShadowCell cell, long first) {
            if (cell != before) {
                before = cell;
                after = change.apply(cell, first);
            }
            return after;
        }

        private static int finer(int shift) {
            return switch (shift) {
                case BLOCK_SHIFT -> 12;
                case 12 -> 3;
                default -> 0;
            };
        }
    }
}
