// SPDX-License-Identifier: Apache-2.0
package coterie.stress;

/// What the states of tests have in common: two PEs, and words X and Y of their own in the memory of each.
abstract class Cell {
    static final Duo.Pe ZERO = Duo.pe(0);
    static final Duo.Pe ONE = Duo.pe(1);

    /// Index of X and of Y among elements of their width.
    final long x;

    final long y;

    /// @param elementBytes width of X and of Y, which lies right behind it
    Cell(int elementBytes) {
        x = Duo.cell() / elementBytes;
        y = x + 1;
    }
}
