// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import coterie.Comparison;
import coterie.DoubleView;
import coterie.SignalWord;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/// Jacobi's method on a plate of which each PE owns [#ROWS] rows. In a step each PE puts its first and its last row
/// to its neighbours, waits for theirs, and computes in an array of its own. Steps alternate between two halos,
/// because a neighbour may be one step before.
///
/// A point's value is the number of its row on the whole plate. A step keeps such a plate as it is.
final class HaloKernel implements Loop {
    /// With 4096 bytes a row, a step computes for some 4 µs.
    static final int ROWS = 32;

    /// Rows that a PE receives, in both halos.
    static final int HALO_ROWS = 4;

    private static final int ABOVE = 0;
    private static final int BELOW = 1;

    private final BenchFixture bench;
    private final SignalWord[] signals = new SignalWord[HALO_ROWS];
    private final Map<Long, Plate> plates = new HashMap<>();
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
        Plate plate = plates.computeIfAbsent(
                bytes, length -> new Plate((int) (length / Double.BYTES), bench.pe * (double) ROWS));
        DoubleView target = bench.target.doubles();
        int width = plate.width;
        int above = bench.pe - 1;
        int below = bench.pe + 1;
        boolean isTop = above < 0;
        boolean isBottom = below == bench.size;
        long end = step + iterations;
        for (long now = step + 1; now <= end; now++) {
            int fromAbove = slot(now, ABOVE);
            int fromBelow = slot(now, BELOW);
            MemorySegment rows = plate.oldSegment;
            if (!isTop) {
                target.putSignal(at(fromBelow, width), rows, width, width, above, signals[fromBelow].setting(now));
            }
            if (!isBottom) {
                target.putSignal(
                        at(fromAbove, width), rows, at(ROWS, width), width, below, signals[fromAbove].setting(now));
            }
            if (!isTop) {
                receive(fromAbove, now, plate, 0);
            }
            if (!isBottom) {
                receive(fromBelow, now, plate, ROWS + 1);
            }
            plate.relax();
        }
        step = end;
    }

    private void receive(int slot, long now, Plate plate, int row) {
        signals[slot].waitUntil(Comparison.GE, now);
        int width = plate.width;
        long offset = at(slot, width) * Double.BYTES;
        MemorySegment.copy(bench.myTarget, JAVA_DOUBLE, offset, plate.old, row * width, width);
    }

    private static int slot(long step, int from) {
        return 2 * (int) (step & 1) + from;
    }

    private static long at(int row, int width) {
        return (long) row * width;
    }

    @Override
    public void check(String operation, long bytes) {
        Plate plate = plates.get(bytes);
        if (plate == null) {
            throw new IllegalStateException(operation + " of " + bytes + " bytes has not run");
        }
        int width = plate.width;
        double above = bench.pe * (double) ROWS;
        for (int i = width; i < (ROWS + 1) * width; i++) {
            bench.checkValue(operation, bytes, "plate", i, plate.old[i], above + Math.floorDiv(i, width));
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

    /// Two arrays, of which a step reads one and writes the other: a row of the PE above, the own rows, a row of
    /// the PE below.
    private static final class Plate {
        private final int width;
        private double[] old;
        private double[] next;
        private MemorySegment oldSegment;
        private MemorySegment nextSegment;

        Plate(int width, double above) {
            this.width = width;
            this.old = new double[(ROWS + 2) * width];
            for (int i = 0; i < old.length; i++) {
                old[i] = above + Math.floorDiv(i, width);
            }
            this.next = old.clone();
            this.oldSegment = MemorySegment.ofArray(old);
            this.nextSegment = MemorySegment.ofArray(next);
        }

        /// Computes the next plate, which becomes the old one.
        void relax() {
            relax(old, next, width);
            double[] computed = next;
            next = old;
            old = computed;
            MemorySegment computedSegment = nextSegment;
            nextSegment = oldSegment;
            oldSegment = computedSegment;
        }

        /// Keeps the first and the last column.
        private static void relax(double[] old, double[] next, int width) {
            for (int row = 1; row <= ROWS; row++) {
                int end = (row + 1) * width - 1;
                for (int i = row * width + 1; i < end; i++) {
                    next[i] = 0.25 * (old[i - width] + old[i + width] + (old[i - 1] + old[i + 1]));
                }
            }
        }
    }
}
