// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Comparison;
import coterie.DoubleView;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.spi.FaceSupport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/// What a barrier, a sum and a halo exchange take in a job of this size; the program behind `coterie scale`.
///
/// Every PE runs it; PE 0 prints a [Prediction] of each. Time is the world's own, so virtual in a simulated
/// network. A round takes from the end of the last PE's part in the round before to the end of the last one's part
/// in this one. PEs are not synchronized in between: a PE that is early in one round is early in the next, as in a
/// program that runs many.
public final class Scale {
    /// After one to warm up, which finds the PEs where the pattern before has left them.
    private static final int ROUNDS = 5;

    private static final double NANOS_PER_MILLI = 1e6;

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern MOST_RESIDENT = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB$");
    private static final long KIB = 1024;

    private final World world;
    private final IntegerView ends;
    private final Halo halo;

    /// What is measured, in this order.
    enum ScaledOperation {
        BARRIER,
        /// of a number of each PE
        SUM,
        /// with four neighbours
        HALO
    }

    Scale(World world) {
        this.world = world;
        this.ends = world.allocate((ROUNDS + 1) * Long.BYTES).longs();
        this.halo = new Halo(world);
    }

    /// Run by every PE.
    ///
    /// @param args `--header` prints the heads of the columns, too
    public static void main(String[] args) throws IOException {
        World world = World.join();
        Scale scale = new Scale(world);
        List<Prediction> predictions = scale.predictions();
        scale.free();
        if (world.pe() == 0) {
            if (Arrays.asList(args).contains("--header")) {
                IO.println(Prediction.HEADER);
            }
            predictions.forEach(prediction -> IO.println(prediction.row()));
        }
    }

    /// Gives the memory back; collective.
    void free() {
        ends.memory().close();
        halo.free();
    }

    /// Measures everything; what the memory has turned out to be only PE 0 says.
    List<Prediction> predictions() throws IOException {
        List<Prediction> predictions = new ArrayList<>();
        for (ScaledOperation scaledOperation : ScaledOperation.values()) {
            long start = System.nanoTime();
            long nanos = measure(scaledOperation);
            double realMillis = (System.nanoTime() - start) / NANOS_PER_MILLI / (ROUNDS + 1);
            predictions.add(new Prediction(world.size(), scaledOperation, nanos, realMillis, 0, 0));
        }
        if (world.pe() > 0) {
            return predictions;
        }
        long heap = heapBytes() / world.size();
        long resident = residentBytes() / world.size();
        predictions.replaceAll(prediction -> prediction.with(heap, resident));
        return predictions;
    }

    /// Does the rounds; returns the median of what they take.
    private long measure(ScaledOperation scaledOperation) {
        for (int round = 0; round <= ROUNDS; round++) {
            switch (scaledOperation) {
                case BARRIER -> world.team().barrier();
                case SUM -> sum();
                case HALO -> halo.exchange();
            }
            ends.set(round, FaceSupport.of(world).nanoTime());
        }
        world.team().allReduce(Reduction.MAX, ends, 0, ends, 0, ROUNDS + 1);
        long[] rounds = LongStream.rangeClosed(1, ROUNDS)
                .map(round -> ends.get(round) - ends.get(round - 1))
                .sorted()
                .toArray();
        return rounds[ROUNDS / 2];
    }

    private void sum() {
        long sum = world.team().sum(world.pe());
        long expected = (long) world.size() * (world.size() - 1) / 2;
        if (sum != expected) {
            throw new IllegalStateException("sum on PE " + world.pe() + ": " + sum + ", not " + expected);
        }
    }

    private static long heapBytes() {
        System.gc(); // what has been dropped is none of a PE's memory
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long residentBytes() throws IOException {
        Matcher most = MOST_RESIDENT.matcher(Files.readString(STATUS));
        if (!most.find()) {
            throw new IllegalStateException("no VmHWM in " + STATUS);
        }
        return Long.parseLong(most.group(1)) * KIB;
    }

    /// A torus of PEs, as near to a square as their number allows. In a round each puts a row to all four
    /// neighbours, and waits for theirs.
    private static final class Halo {
        private static final int BYTES = 1024;
        private static final int DOUBLES = BYTES / Double.BYTES;

        private final int pe;
        private final int[] neighbours;

        /// Rows by round and side: two for each side, since a neighbour may have begun the next round.
        private final DoubleView rows;

        /// By the side that a row comes from, how many have come.
        private final SignalWord[] arrivals;

        private final double[] edge = new double[DOUBLES];
        private final MemorySegment source = MemorySegment.ofArray(edge);
        private long round;

        Halo(World world) {
            this.pe = world.pe();
            this.neighbours = neighbours(world.pe(), world.size());
            int sides = neighbours.length;
            this.rows = world.allocate(2L * sides * BYTES).doubles();
            SymmetricMemory words = world.allocate((long) sides * Long.BYTES);
            this.arrivals = new SignalWord[sides];
            Arrays.setAll(arrivals, side -> words.signal((long) side));
        }

        void free() {
            rows.memory().close();
            arrivals[0].memory().close();
        }

        void exchange() {
            round++;
            Arrays.fill(edge, value(pe));
            for (int side = 0; side < neighbours.length; side++) {
                int opposite = side ^ 1; // this PE is on the opposite side of its neighbour
                rows.putSignal(row(opposite), source, 0, DOUBLES, arrivals[opposite].setting(round), neighbours[side]);
            }
            for (int side = 0; side < neighbours.length; side++) {
                arrivals[side].waitUntil(Comparison.GE, round);
                double got = rows.get(row(side));
                if (got != value(neighbours[side])) {
                    throw new IllegalStateException("halo on PE " + pe + ", round " + round + ": from PE "
                            + neighbours[side] + " came " + got + ", not " + value(neighbours[side]));
                }
            }
        }

        /// What a PE sends in this round.
        private double value(int sender) {
            return (double) sender + round;
        }

        private long row(int side) {
            return (round % 2 * neighbours.length + side) * DOUBLES;
        }
    }

    /// The PEs above, below, to the left and to the right in a torus.
    static int[] neighbours(int pe, int size) {
        int columns = (int) Math.ceil(Math.sqrt(size));
        while (size % columns != 0) {
            columns++;
        }
        int rows = size / columns;
        int row = pe / columns;
        int column = pe % columns;
        return new int[] {
            (row + rows - 1) % rows * columns + column,
            (row + 1) % rows * columns + column,
            row * columns + (column + columns - 1) % columns,
            row * columns + (column + 1) % columns
        };
    }
}
