// SPDX-License-Identifier: Apache-2.0
import java.lang.foreign.*;
import java.nio.ByteOrder;
import jdk.incubator.vector.*;

static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
static final int ROWS = 32, REPETITIONS = 4000;

/// A five-point stencil on 32 rows, written in several ways: the table in docs/performance.md.
/// `bench/c/inner_loops.c` is the same in C.
///
/// Run: `java --add-modules jdk.incubator.vector bench/InnerLoops.java [WAY]...`
/// Prints: the way, the doubles in a row, and the least time of a point in picoseconds. Name one way at a time to
/// measure it in a JVM of its own, as a program would run it.
void main(String[] ways) {
    for (int width : new int[] {512, 4096}) {
        int points = (ROWS + 2) * width;
        double[] from = new double[points], to = new double[points];
        double[][] fromRows = new double[ROWS + 2][width], toRows = new double[ROWS + 2][width];
        double[] left = new double[width], right = new double[width];
        MemorySegment fromMemory = Arena.ofAuto().allocate(DOUBLE, points);
        MemorySegment toMemory = Arena.ofAuto().allocate(DOUBLE, points);
        time("segments-long-index", width, ways, () -> segmentsLongIndex(fromMemory, toMemory, width));
        time("segments-int-loop", width, ways, () -> segmentsIntLoop(fromMemory, toMemory, width));
        time("array", width, ways, () -> array(from, to, width));
        time("rows-same-index", width, ways, () -> rowsSameIndex(fromRows, toRows, left, right));
        time("vector-array", width, ways, () -> vectorArray(from, to, width));
        time("vector-segments", width, ways, () -> vectorSegments(fromMemory, toMemory, width));
    }
}

void time(String way, int width, String[] ways, Runnable step) {
    if (ways.length > 0 && !List.of(ways).contains(way)) return;
    long least = Long.MAX_VALUE;
    for (int k = 0; k < REPETITIONS; k++) {
        long start = System.nanoTime();
        for (int i = 0; i < 4; i++) step.run();
        least = Math.min(least, System.nanoTime() - start);
    }
    IO.println("%-20s %5d %6d ps".formatted(way, width, least * 1000 / (4L * ROWS * width)));
}

static void segmentsLongIndex(MemorySegment from, MemorySegment to, long width) {
    for (long row = 1; row <= ROWS; row++) {
        long end = (row + 1) * width - 1;
        for (long i = row * width + 1; i < end; i++) {
            to.setAtIndex(DOUBLE, i, 0.25 * (from.getAtIndex(DOUBLE, i - width) + from.getAtIndex(DOUBLE, i + width)
                    + (from.getAtIndex(DOUBLE, i - 1) + from.getAtIndex(DOUBLE, i + 1))));
        }
    }
}

static void segmentsIntLoop(MemorySegment from, MemorySegment to, int width) {
    long line = (long) width * Double.BYTES;
    for (int row = 1; row <= ROWS; row++) {
        long begin = row * line;
        for (int i = 1; i < width - 1; i++) {
            long at = begin + (long) i * Double.BYTES;
            to.set(DOUBLE, at, 0.25 * (from.get(DOUBLE, at - line) + from.get(DOUBLE, at + line)
                    + (from.get(DOUBLE, at - Double.BYTES) + from.get(DOUBLE, at + Double.BYTES))));
        }
    }
}

static void array(double[] from, double[] to, int width) {
    for (int row = 1; row <= ROWS; row++) {
        int end = (row + 1) * width - 1;
        for (int i = row * width + 1; i < end; i++) {
            to[i] = 0.25 * (from[i - width] + from[i + width] + (from[i - 1] + from[i + 1]));
        }
    }
}

/// An array for each row. Copies that are shifted by one give all operands of a point the same index.
static void rowsSameIndex(double[][] from, double[][] to, double[] left, double[] right) {
    for (int row = 1; row <= ROWS; row++) {
        double[] middle = from[row], result = to[row];
        int last = middle.length - 1;
        double first = result[0], end = result[last]; // the columns at both ends stay as they are
        System.arraycopy(middle, 0, left, 1, last);
        System.arraycopy(middle, 1, right, 0, last);
        mean(from[row - 1], from[row + 1], left, right, result);
        result[0] = first;
        result[last] = end;
    }
}

static void mean(double[] above, double[] below, double[] left, double[] right, double[] result) {
    for (int i = 0; i < result.length; i++) result[i] = 0.25 * (above[i] + below[i] + (left[i] + right[i]));
}

static void vectorArray(double[] from, double[] to, int width) {
    int lanes = SPECIES.length();
    for (int row = 1; row <= ROWS; row++) {
        int i = row * width + 1, end = (row + 1) * width - 1;
        for (; i <= end - lanes; i += lanes) {
            DoubleVector.fromArray(SPECIES, from, i - width)
                    .add(DoubleVector.fromArray(SPECIES, from, i + width))
                    .add(DoubleVector.fromArray(SPECIES, from, i - 1).add(DoubleVector.fromArray(SPECIES, from, i + 1)))
                    .mul(0.25).intoArray(to, i);
        }
        for (; i < end; i++) to[i] = 0.25 * (from[i - width] + from[i + width] + (from[i - 1] + from[i + 1]));
    }
}

static void vectorSegments(MemorySegment from, MemorySegment to, int width) {
    int lanes = SPECIES.length();
    long line = (long) width * Double.BYTES;
    for (int row = 1; row <= ROWS; row++) {
        int i = 1, end = width - 1;
        for (; i <= end - lanes; i += lanes) {
            long at = row * line + (long) i * Double.BYTES;
            load(from, at - line).add(load(from, at + line))
                    .add(load(from, at - Double.BYTES).add(load(from, at + Double.BYTES)))
                    .mul(0.25).intoMemorySegment(to, at, ByteOrder.nativeOrder());
        }
        for (; i < end; i++) {
            long at = row * line + (long) i * Double.BYTES;
            to.set(DOUBLE, at, 0.25 * (from.get(DOUBLE, at - line) + from.get(DOUBLE, at + line)
                    + (from.get(DOUBLE, at - Double.BYTES) + from.get(DOUBLE, at + Double.BYTES))));
        }
    }
}

static DoubleVector load(MemorySegment from, long at) {
    return DoubleVector.fromMemorySegment(SPECIES, from, at, ByteOrder.nativeOrder());
}
