// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Comparison;
import coterie.DoubleView;
import coterie.SignalWord;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// A pipeline: each point is its upper plus its left minus its upper left neighbour, and each PE owns a part of
/// all lines. After each line a PE puts its last point to its right neighbour. The last PE puts the last point of
/// a sweep of [#LINES] lines to PE 0, which negates it and begins the next sweep with it.
///
/// In the line above all lines, and left of them, a point is its distance from the first point. So the last point
/// of sweep `k` is `k` times its distance.
final class WavefrontKernel implements Loop {
    static final int LINES = 128;

    /// Points that a PE receives: one for each line, and the last one.
    static final int RECEIVED = LINES + 1;

    private static final int FROM_LEFT = HaloKernel.HALO_ROWS;
    private static final int FROM_END = FROM_LEFT + 1;

    private final BenchFixture bench;
    private final SignalWord fromLeft;
    private final SignalWord fromEnd;
    private final Map<Long, Grid> grids = new HashMap<>();

    /// Of all sizes.
    private long sweeps;

    WavefrontKernel(BenchFixture bench) {
        this.bench = bench;
        this.fromLeft = bench.kernelSignal(FROM_LEFT);
        this.fromEnd = bench.kernelSignal(FROM_END);
        this.sweeps = bench.pe == 0 ? fromEnd.fetch() : fromLeft.fetch() / LINES;
    }

    @Override
    public void run(long iterations, long bytes) {
        Grid grid = grids.computeIfAbsent(bytes, length -> new Grid((int) (length / Double.BYTES), bench));
        for (long i = 0; i < iterations; i++) {
            sweep(grid);
        }
    }

    private void sweep(Grid grid) {
        DoubleView received = bench.target.doubles();
        int right = bench.pe + 1;
        boolean isFirst = bench.pe == 0;
        boolean isLast = right == bench.size;
        long before = sweeps * LINES;
        for (int line = 1; line <= LINES; line++) {
            if (!isFirst) {
                fromLeft.waitUntil(Comparison.GE, before + line);
                grid.receive(line, received.get(line - 1));
            }
            grid.compute(line);
            if (!isLast) {
                received.putSignal(line - 1, grid.last, 0, 1, fromLeft.setting(before + line), right);
            }
        }
        sweeps++;
        grid.sweeps++;
        if (isLast) {
            received.putSignal(LINES, grid.last, 0, 1, fromEnd.setting(sweeps), 0);
        }
        if (isFirst) {
            fromEnd.waitUntil(Comparison.GE, sweeps);
            grid.points[0] = -received.get(LINES);
        }
    }

    @Override
    public void check(String operation, long bytes) {
        Grid grid = grids.get(bytes);
        if (grid == null) {
            throw new IllegalStateException(operation + " of " + bytes + " bytes has not run");
        }
        long distance = LINES + (long) bench.size * grid.width;
        double before = (grid.sweeps - 1.0) * distance;
        long left = (long) bench.pe * grid.width;
        for (int line = 1; line <= LINES; line++) {
            for (int i = 1; i <= grid.width; i++) {
                int at = line * (grid.width + 1) + i;
                bench.checkValue(operation, bytes, "grid", at, grid.points[at], before + line + left + i);
            }
            if (bench.pe > 0) {
                bench.checkElement(operation, bytes, line - 1, before + line + left);
            }
        }
        if (bench.pe == 0) {
            bench.checkElement(operation, bytes, LINES, before + distance);
        }
    }

    /// A PE's part of all lines, after the line above them, and with a column on its left.
    private static final class Grid {
        private final int width;
        private final double[] points;
        private final double[] sent = new double[1];

        /// The last point of the line computed last.
        private final MemorySegment last = MemorySegment.ofArray(sent);

        private long sweeps;

        Grid(int width, BenchFixture bench) {
            this.width = width;
            this.points = new double[(LINES + 1) * (width + 1)];
            for (int i = 0; i <= width; i++) {
                points[i] = (double) bench.pe * width + i;
            }
            for (int line = 0; line <= LINES && bench.pe == 0; line++) {
                points[line * (width + 1)] = line;
            }
        }

        /// Takes over the point on the left of a line.
        void receive(int line, double point) {
            points[line * (width + 1)] = point;
        }

        void compute(int line) {
            sent[0] = compute(points, line * (width + 1), width);
        }

        private static double compute(double[] points, int begin, int width) {
            int above = begin - width - 1;
            double point = points[begin];
            for (int i = 1; i <= width; i++) {
                point = points[above + i] + point - points[above + i - 1];
                points[begin + i] = point;
            }
            return point;
        }
    }
}
