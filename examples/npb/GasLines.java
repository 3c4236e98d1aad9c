// SPDX-License-Identifier: Apache-2.0

/// Lines of points along one axis: at each position of the lines there is a row, which has a point of each line.
///
/// @param axis 0 is x, 1 is y, 2 is z
/// @param base the row at position 0
/// @param stride rows from one position to the next
/// @param offset of position 0 in the grid: a PE may have a part of each line
/// @param points of a line in the grid
/// @param kept the number at position 0 of what a solver keeps, see [#keep]
record GasLines(GasRows rows, int axis, int base, int stride, int offset, int points, int kept) {
    int row(int position) {
        return base + position * stride;
    }

    /// The number of what a solver keeps of a position, from elimination to substitution. Lines that are solved one
    /// after the other have the same numbers.
    int keep(int position) {
        return kept + position;
    }

    /// How many positions inside the grid are between a position and the nearer end.
    int depth(int position) {
        int first = offset + position - 1, last = points - 2 - offset - position;
        return Math.min(first, last);
    }

    /// Whether a position is nearer to the first end of the grid than to the last.
    boolean isLow(int position) {
        return 2 * (offset + position) < points;
    }
}
