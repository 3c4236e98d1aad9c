// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.DoubleView;
import coterie.Team;
import java.util.HashMap;
import java.util.Map;

/// A matrix of one row of tiles for each PE is transposed: each PE transposes its tiles in an array and puts each
/// to another PE; a barrier ends the step. Steps alternate between two targets, so that one barrier is enough.
/// Each step adds 1 to all elements.
final class TransposeKernel implements Loop {
    /// Targets of a PE.
    static final int TARGETS = 2;

    private final BenchFixture bench;
    private final Map<Long, Matrix> matrices = new HashMap<>();

    TransposeKernel(BenchFixture bench) {
        this.bench = bench;
    }

    @Override
    public void run(long iterations, long bytes) {
        Matrix matrix = matrices.computeIfAbsent(bytes, length -> new Matrix((int) (length / Double.BYTES), bench));
        DoubleView target = bench.target.doubles();
        Team team = bench.team;
        for (long i = 0; i < iterations; i++) {
            matrix.steps++;
            long half = matrix.beginOfTarget(bench.size);
            for (int k = 0; k < bench.size; k++) {
                int to = (bench.pe + k) % bench.size; // the PEs begin with different targets
                matrix.transpose(to);
                target.put(half + (long) bench.pe * matrix.count, matrix.tile, 0, matrix.count, to);
            }
            team.barrier();
        }
    }

    @Override
    public void check(String operation, long bytes) {
        Matrix matrix = matrices.get(bytes);
        if (matrix == null) {
            throw new IllegalStateException(operation + " of " + bytes + " bytes has not run");
        }
        long half = matrix.beginOfTarget(bench.size);
        for (int from = 0; from < bench.size; from++) {
            double first = Matrix.valueOf(from, bench, matrix.count) + (double) bench.pe * matrix.count;
            for (int i = 0; i < matrix.count; i++) {
                int row = i / matrix.rows;
                int column = i % matrix.rows;
                double expected = first + column * matrix.columns + row + matrix.steps;
                bench.checkElement(operation, bytes, half + (long) from * matrix.count + i, expected);
            }
        }
    }

    /// A PE's tiles, one after the other.
    private static final class Matrix {
        private final int count;
        private final int rows;
        private final int columns;
        private final double[] tiles;
        private final double[] tile;
        private long steps;

        /// @param count elements of a tile, a power of two
        Matrix(int count, BenchFixture bench) {
            this.count = count;
            this.rows = 1 << (Integer.numberOfTrailingZeros(count) / 2);
            this.columns = count / rows;
            this.tile = new double[count];
            this.tiles = new double[count * bench.size];
            for (int i = 0; i < tiles.length; i++) {
                tiles[i] = valueOf(bench.pe, bench, count) + i;
            }
        }

        /// The first element of a PE's tiles, before the first step; each further one is larger by 1.
        static double valueOf(int pe, BenchFixture bench, int count) {
            return (double) pe * bench.size * count;
        }

        long beginOfTarget(int pes) {
            return (steps & 1) * pes * count;
        }

        void transpose(int number) {
            transpose(tiles, number * count, tile, rows, columns);
        }

        private static void transpose(double[] tiles, int begin, double[] tile, int rows, int columns) {
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    int at = begin + row * columns + column;
                    tiles[at] += 1;
                    tile[column * rows + row] = tiles[at];
                }
            }
        }
    }
}
