// SPDX-License-Identifier: Apache-2.0

/// Solves a system of linear equations for each of many lines, by elimination in one direction along the lines and
/// substitution in the other. A PE may have a part of each line: what the equations of its first positions need of
/// those before it has a row for, and likewise what its last positions need of those after.
interface LineSolver {
    /// The positions from which an equation needs something, on each side.
    int reach();

    /// The rows of a position that elimination leaves for the next ones.
    int carried();

    /// Eliminates what is before the diagonal, from position `from` to `end`, exclusive.
    void eliminate(GasLines lines, int from, int end);

    /// Makes solutions of right-hand sides, from position `end`, exclusive, down to `from`.
    void substitute(GasLines lines, int from, int end);

    /// Stores the [#carried] rows of a position to an array.
    void carry(GasLines lines, int position, double[][] rows, int at);

    /// Changes the variables of a row for the first solution.
    default void enter(GasRows rows, int row) {}

    /// Changes the variables of a row after the solution along an axis.
    default void leave(GasRows rows, int row, int axis) {}
}
