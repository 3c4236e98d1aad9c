// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import coterie.Comparison;
import coterie.DoubleView;
import coterie.SignalWord;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Heat flows along the columns of a plate of which each PE owns [#ROWS] rows. In a step each PE puts its first
/// and its last row to its neighbours, waits for theirs, and computes in arrays of its own. Steps alternate
/// between two halos, because a neighbour may be one step before.
///
/// A point's value is the number of its row on the whole plate. A step keeps such a plate as it is. The flow along
/// rows is left out because the compiler of JDK 25 vectorises only loops whose arrays have the same index; C would
/// win by that, and the waits would not show.
final class HaloKernel implements Loop {
    /// With 4096 bytes a row, a step computes for some 5 µs.
    static final int ROWS = 32;

    /// Rows that a PE receives, in both halos.
    static final int HALO_ROWS = 4;

    private static final int ABOVE = 0;
    private static final int BELOW = 1;

    private final BenchFixture bench;
    private final SignalWord[] signals = new SignalWord[HALO_ROWS];
    private final Map<Long, Plates> allPlates = new HashMap<>();
    private long step;

    HaloKernel(BenchFixture bench) {
        this.bench = bench;
        for (int slot = 0; slot < HALO_ROWS; slot++) {
            signals[slot] = bench.kernelSignal(slot);
            step = Math.max(step, signals[slot].fetch());
        }
    }

    @Override
    public void run(long iterations, long bytes) {
        Plates plates = allPlates.computeIfAbsent(
                bytes, length -> new Plates((int) (length / Double.BYTES), bench.pe * (double) ROWS));
        DoubleView target = bench.target.doubles();
        int width = plates.width;
        int above = bench.pe - 1;
        int below = bench.pe + 1;
        boolean isTop = above < 0;
        boolean isBottom = below == bench.size;
        long end = step + iterations;
        for (long now = step + 1; now <= end; now++) {
            int fromAbove = slot(now, ABOVE);
            int fromBelow = slot(now, BELOW);
            Plate old = plates.old;
            if (!isTop) {
                target.putSignal(at(fromBelow, width), old.first, 0, width, signals[fromBelow].setting(now), above);
            }
            if (!isBottom) {
                target.putSignal(at(fromAbove, width), old.last, 0, width, signals[fromAbove].setting(now), below);
            }
            if (!isTop) {
                receive(fromAbove, now, old.rows[0]);
            }
            if (!isBottom) {
                receive(fromBelow, now, old.rows[ROWS + 1]);
            }
            plates.compute();
        }
        step = end;
    }

    private void receive(int slot, long now, double[] row) {
        signals[slot].waitUntil(Comparison.GE, now);
        long offset = at(slot, row.length) * Double.BYTES;
        MemorySegment.copy(bench.myTarget, JAVA_DOUBLE, offset, row, 0, row.length);
    }

    private static int slot(long step, int from) {
        return 2 * (int) (step & 1) + from;
    }

    private static long at(int row, int width) {
        return (long) row * width;
    }

    @Override
    public void check(String operation, long bytes) {
        Plates plates = allPlates.get(bytes);
        if (plates == null) {
            throw new IllegalStateException(operation + " of " + bytes + " bytes has not run");
        }
        int width = plates.width;
        double above = bench.pe * (double) ROWS;
        for (int row = 1; row <= ROWS; row++) {
            for (int i = 0; i < width; i++) {
                double found = plates.old.rows[row][i];
                bench.checkValue(operation, bytes, "plate", at(row, width) + i, found, above + row);
            }
        }
        for (int i = 0; i < width; i++) {
            if (bench.pe > 0) {
                bench.checkElement(operation, bytes, at(slot(step, ABOVE), width) + i, above);
            }
            if (bench.pe + 1 < bench.size) {
                bench.checkElement(operation, bytes, at(slot(step, BELOW), width) + i, above + ROWS + 1);
            }
        }
    }

    /// The own rows, after a row of the PE above and before a row of the PE below.
    private static final class Plate {
        private final double[][] rows;

        /// The own first row, and the own last one.
        private final MemorySegment first;

        private final MemorySegment last;

        Plate(int width, double above) {
            this.rows = new double[ROWS + 2][width];
            for (int row = 0; row < rows.length; row++) {
                Arrays.fill(rows[row], above + row);
            }
            this.first = MemorySegment.ofArray(rows[1]);
            this.last = MemorySegment.ofArray(rows[ROWS]);
        }
    }

    /// A step reads one plate and writes the other.
    private static final class Plates {
        private final int width;
        private Plate old;
        private Plate next;

        Plates(int width, double above) {
            this.width = width;
            this.old = new Plate(width, above);
            this.next = new Plate(width, above);
        }

        /// Computes the next plate, which becomes the old one.
        void compute() {
            double[][] from = old.rows;
            double[][] to = next.rows;
            for (int row = 1; row <= ROWS; row++) {
                compute(from[row - 1], from[row], from[row + 1], to[row]);
            }
            Plate computed = next;
            next = old;
            old = computed;
        }

        private static void compute(double[] above, double[] middle, double[] below, double[] row) {
            for (int i = 0; i < row.length; i++) {
                row[i] = 0.25 * above[i] + 0.5 * middle[i] + 0.25 * below[i];
            }
        }
    }
}
