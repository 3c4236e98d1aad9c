// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.World;

/// The numbers of a PE's rows among those of all PEs, which follow each other in the order of the PEs. Samples that
/// are chosen by these numbers do not depend on how the rows are divided.
///
/// @param first number of the PE's first row
/// @param count rows of the PE
/// @param total rows of all PEs
record RowNumbers(long first, int count, long total) {
    /// Returns the numbers of the caller's rows. Collective.
    static RowNumbers of(World world, int count) {
        long[] counts = new long[world.size()];
        world.team().allGather(counts, new long[] {count});
        long first = 0;
        long total = 0;
        for (int pe = 0; pe < counts.length; pe++) {
            first += pe < world.pe() ? counts[pe] : 0;
            total += counts[pe];
        }
        return new RowNumbers(first, count, total);
    }
}
