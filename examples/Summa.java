// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Summa: the PEs compute a matrix product C = A · B. Each PE has one block of each matrix.
///
/// The PEs form a grid, and the blocks form the same grid. C is the sum over k of column k of A times row k of B.
/// Of that column a PE needs the part that its row of the grid has, and of that row the part that its column has.
/// In each step the owners broadcast some columns of A, a *panel*, along the grid's rows, and the same rows of B
/// along its columns, and each PE adds the product of the two panels to its block of C. This is SUMMA, by van de
/// Geijn and Watts. Blocks of A are stored by columns and blocks of B by rows, so that a panel of either is
/// contiguous.
///
/// Shows: teams of rows and columns, and broadcasts in all of them at once.
/// Run: `coterie run -n 4 Summa.java [--size N] [--panel K] [--rounds R] [--check 0]`
/// Prints: the GFLOP/s of the best round. Each PE then computes its elements of C directly; the program fails if
/// one differs. The matrices hold small integers, so sums are exact in any order. `--check 0` omits this check.
void main(String[] args) {
    var options = new TreeMap<>(Map.of("--size", 600, "--panel", 60, "--rounds", 5, "--check", 1));
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        report(world, "usage: coterie run -n PES Summa.java [OPTION NUMBER]...\nOptions, defaults: %s", options);
        return;
    }
    for (int i = 0; i < args.length; i += 2) {
        if (i + 1 < args.length && options.replace(args[i], Integer.valueOf(args[i + 1])) != null) continue;
        throw new IllegalArgumentException(args[i] + " is no option with a number; see --help");
    }
    options.forEach((option, number) -> {
        if (!option.equals("--check") && number < 1) throw new IllegalArgumentException(option + " is at least 1");
    });
    Grid grid = new Grid(world, options.get("--size"));
    double best = Double.POSITIVE_INFINITY;
    for (int round = 0; round < options.get("--rounds"); round++) {
        world.team().barrier();
        long start = System.nanoTime();
        grid.multiply(options.get("--panel"));
        world.team().barrier();
        best = Math.min(best, (System.nanoTime() - start) / 1e9);
    }
    if (options.get("--check") != 0) grid.check();
    report(world, "%1$d x %1$d on a grid of %2$d x %3$d PEs: %4$.3f s, %5$.1f GFLOP/s",
            grid.size, grid.high, grid.wide, best, 2e-9 * grid.size * grid.size * grid.size / best);
}

/// This PE's place in the grid, and its block of each matrix.
class Grid {
    final int size, wide, high; // rows of the matrices; columns and rows of the grid
    final Team row, column;
    final int rows, firstRow, columns, firstColumn; // of this PE's block of C
    final double[] a, b, c;

    Grid(World world, int size) {
        this.size = size;
        int divisor = (int) Math.sqrt(world.size());
        while (world.size() % divisor != 0) divisor--;
        wide = world.size() / divisor;
        high = divisor;
        Team.Axes axes = world.team().split2D(wide);
        row = axes.x();
        column = axes.y();
        firstRow = first(column.member(), high);
        rows = first(column.member() + 1, high) - firstRow;
        firstColumn = first(row.member(), wide);
        columns = first(row.member() + 1, wide) - firstColumn;

        a = new double[rows * columns];
        b = new double[rows * columns];
        c = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                a[j * rows + i] = elementOfA(firstRow + i, firstColumn + j);
                b[i * columns + j] = elementOfB(firstRow + i, firstColumn + j);
            }
        }
    }

    /// Computes C in steps of at most `panel` columns of A; a step also ends at the end of a block of A or B.
    void multiply(int panel) {
        Arrays.fill(c, 0);
        for (int k = 0, end; k < size; k = end) {
            int inRow = owner(k, wide), inColumn = owner(k, high);
            end = Math.min(k + panel, Math.min(first(inRow + 1, wide), first(inColumn + 1, high)));
            double[] ofA = panel(row, a, rows, k - first(inRow, wide), end - k, inRow);
            double[] ofB = panel(column, b, columns, k - first(inColumn, high), end - k, inColumn);
            add(ofA, ofB, end - k);
        }
    }

    /// Broadcasts some of the lines of the owner's block, each of `length` elements.
    double[] panel(Team team, double[] block, int length, int first, int lines, int owner) {
        int from = length * first, to = from + length * lines;
        double[] panel = team.member() == owner ? Arrays.copyOfRange(block, from, to) : new double[to - from];
        team.broadcast(panel, owner);
        return panel;
    }

    /// Adds the product of two panels to C. The loops finish one row of C before the next, so that it stays in the
    /// cache.
    void add(double[] left, double[] right, int width) {
        for (int i = 0; i < rows; i++) {
            int to = i * columns;
            for (int k = 0; k < width; k++) {
                double factor = left[k * rows + i];
                int from = k * columns;
                for (int j = 0; j < columns; j++) c[to + j] += factor * right[from + j];
            }
        }
    }

    void check() {
        double[][] left = new double[rows][size], right = new double[columns][size];
        for (int k = 0; k < size; k++) {
            for (int i = 0; i < rows; i++) left[i][k] = elementOfA(firstRow + i, k);
            for (int j = 0; j < columns; j++) right[j][k] = elementOfB(k, firstColumn + j);
        }
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                double sum = 0;
                for (int k = 0; k < size; k++) sum += left[i][k] * right[j][k];
                if (sum == c[i * columns + j]) continue;
                throw new IllegalStateException("element (%d, %d) of C is %s, expected %s"
                        .formatted(firstRow + i, firstColumn + j, c[i * columns + j], sum));
            }
        }
    }

    /// Returns the first row or column of part `part` of `parts`. The sizes of two parts differ by at most one.
    int first(int part, int parts) {
        return (int) ((long) size * part / parts);
    }

    /// Returns the part that has row or column `k`.
    int owner(int k, int parts) {
        int part = (int) ((long) k * parts / size);
        return first(part + 1, parts) <= k ? part + 1 : part;
    }

    static double elementOfA(int row, int column) {
        return (row * 37 + column * 101 ^ row * column) % 13 - 6;
    }

    static double elementOfB(int row, int column) {
        return (row * 59 + column * 23 ^ row * column) % 11 - 5;
    }
}

void report(World world, String format, Object... arguments) {
    if (world.pe() == 0) IO.println(format.formatted(arguments));
}
