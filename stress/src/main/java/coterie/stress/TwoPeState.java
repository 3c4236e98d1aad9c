// SPDX-License-Identifier: Apache-2.0
package coterie.stress;

/// What the states of tests have in common: two PEs, and words X and Y of their own in the memory of each.
abstract class TwoPeState {
    static final TwoPeJob.Pe ZERO = TwoPeJob.pe(0);
    static final TwoPeJob.Pe ONE = TwoPeJob.pe(1);

    /// Index of X and of Y among elements of their width.
    final long x;

    final long y;

    /// @param elementBytes width of X and of Y, which lies right after it
    TwoPeState(int elementBytes) {
        x = TwoPeJob.cell() / elementBytes;
        y = x + 1;
    }
}
