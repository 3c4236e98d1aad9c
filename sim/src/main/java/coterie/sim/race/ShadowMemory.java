// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The cells of a PE's heap, as a tree in which bytes of which the same is known share one place.
///
/// ```
///  block (2 MiB) → page (4 KiB) → word (8 bytes) → byte
/// ```
///
/// Each of them is a [ShadowCell] if all of its bytes are that cell, else an array of the next finer ones. An access
/// costs as many steps as it touches of these, so that one of gigabytes that nothing has divided before costs a step
/// for each block.
final class ShadowMemory {
    private static final int BLOCK_SHIFT = 21;

    /// What is known of some bytes: the same of all, or of each part of them something else.
    abstract static sealed class Knowledge permits ShadowCell, Divided {}

    private static final class Divided extends Knowledge {
        /// Of equal length.
        final Knowledge[] parts;

        Divided(ShadowCell cell, int count) {
            parts = new Knowledge[count];
            Arrays.fill(parts, cell);
        }
    }

    /// What becomes of a cell.
    interface Change {
        /// Returns what becomes of it.
        ///
        /// @param offset of the first byte that is this cell
        ShadowCell apply(ShadowCell cell, long offset);
    }

    private final Map<Long, Knowledge> blocks = new HashMap<>();

    /// Changes the cells of some bytes, in order. Neighbours that were the same cell become the same again.
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

    /// Forgets everything.
    void clear() {
        blocks.clear();
    }

    /// One change of the bytes between two offsets.
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

        /// Returns what is known now of `1 << shift` bytes, some of which are to be changed.
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
