// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import static coterie.example.spark.RowBlocks.BLOCK;

import coterie.Reduction;
import coterie.Team;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Seeds for k-means: *greedy k-means++* (D. Arthur and S. Vassilvitskii, "k-means++: The Advantages of Careful
/// Seeding", 2007, with the several trials of its section 7). A row is drawn with a probability in proportion to
/// its *mass*, the squared distance from the nearest seed; of `2 + ln k` rows that are drawn, the row that leaves
/// the least mass becomes the next seed.
///
/// All PEs draw the same random numbers. A number is a place on the line of all masses, in the order of the rows
/// through all PEs, and so finds the same row however the rows are divided, but for a place at the boundary of two
/// rows, which the rounding of sums may move.
///
/// A seed costs `3 + ln k` passes over the rows of a PE and two collectives. The method k-means|| has fewer passes
/// where each reads the rows from disks, but more distances.
final class CenterSeeding {
    private final Team team;
    private final RowBlocks blocks;
    private final RowNumbers numbers;
    private final int dimensions;
    private final SplittableRandom random;
    private final double[][] masses; // of each row of a block; 0 after the last row
    private final double[] blockMasses;
    private final double[] distances = new double[BLOCK];
    private double rest; // of the place that the latest indexOf has found

    CenterSeeding(Team team, RowBlocks blocks, RowNumbers numbers, int dimensions, long seed) {
        this.team = team;
        this.blocks = blocks;
        this.numbers = numbers;
        this.dimensions = dimensions;
        random = new SplittableRandom(seed);
        masses = new double[blocks.blocks()][BLOCK];
        blockMasses = new double[masses.length];
        for (int block = 0; block < masses.length; block++) {
            Arrays.fill(masses[block], 0, blocks.count(block), Double.POSITIVE_INFINITY);
        }
    }

    /// Returns `k` rows. If fewer rows differ from each other, the others are equal to the first. Collective.
    double[] seeds(int k) {
        double[] seeds = new double[k * dimensions];
        long first = random.nextLong(numbers.total()) - numbers.first();
        if (first >= 0 && first < numbers.count()) {
            blocks.copyRow((int) first, seeds, 0);
        }
        team.allReduce(Reduction.SUM, seeds);
        accept(seeds, 0);

        int trials = 2 + (int) Math.log(k);
        double[] drawn = new double[trials * dimensions];
        double[] left = new double[trials];
        double[] leftOfAll = new double[trials * team.size()];
        double[] peMasses = new double[team.size()];
        team.allGather(peMasses, new double[] {sum(blockMasses)});
        for (int seed = 1; seed < k; seed++) {
            double mass = KMeans.finite(team, sum(peMasses));
            if (mass == 0) { // each row is a seed
                fillWithFirst(seeds, seed);
                return seeds;
            }
            draw(drawn, mass, peMasses);
            team.allReduce(Reduction.SUM, drawn); // zeros of all PEs but the row's
            tryOut(drawn, left);
            team.allGather(leftOfAll, left);
            int best = best(leftOfAll, trials);
            for (int pe = 0; pe < peMasses.length; pe++) {
                peMasses[pe] = leftOfAll[pe * trials + best];
            }
            System.arraycopy(drawn, best * dimensions, seeds, seed * dimensions, dimensions);
            accept(seeds, seed * dimensions);
        }
        return seeds;
    }

    private void fillWithFirst(double[] seeds, int from) {
        for (int at = from * dimensions; at < seeds.length; at += dimensions) {
            System.arraycopy(seeds, 0, seeds, at, dimensions);
        }
    }

    /// Draws a row for each trial: the PE that has it copies it.
    private void draw(double[] drawn, double mass, double[] peMasses) {
        Arrays.fill(drawn, 0);
        for (int at = 0; at < drawn.length; at += dimensions) {
            if (indexOf(random.nextDouble() * mass, peMasses) == team.member()) {
                int block = indexOf(rest, blockMasses);
                blocks.copyRow(block * BLOCK + indexOf(rest, masses[block]), drawn, at);
            }
        }
    }

    /// Finds a place on the line of some masses: returns the index of its mass, and leaves its place within this.
    private int indexOf(double place, double[] line) {
        int last = 0;
        rest = place;
        for (int i = 0; i < line.length; i++) {
            if (line[i] > 0) {
                if (rest < line[i]) {
                    return i;
                }
                rest -= line[i];
                last = i;
            }
        }
        rest = line[last]; // by rounding the place is after the end
        return last;
    }

    /// Finds the mass that each drawn row would leave on this PE.
    private void tryOut(double[] drawn, double[] left) {
        Arrays.fill(left, 0);
        for (int block = 0; block < masses.length; block++) {
            for (int trial = 0; trial < left.length; trial++) {
                blocks.measure(block, drawn, trial * dimensions, distances);
                lower(distances, masses[block]);
                left[trial] += sum(distances);
            }
        }
    }

    private int best(double[] leftOfAll, int trials) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int trial = 0; trial < trials; trial++) {
            double mass = 0;
            for (int pe = 0; pe < team.size(); pe++) {
                mass += leftOfAll[pe * trials + trial];
            }
            if (mass < least) {
                least = mass;
                best = trial;
            }
        }
        return best;
    }

    /// Makes the row at `seeds[at]` a seed.
    private void accept(double[] seeds, int at) {
        for (int block = 0; block < masses.length; block++) {
            blocks.measure(block, seeds, at, distances);
            lower(masses[block], distances);
            blockMasses[block] = sum(masses[block]);
        }
    }

    private static void lower(double[] values, double[] limits) {
        for (int i = 0; i < BLOCK; i++) {
            values[i] = Math.min(values[i], limits[i]);
        }
    }

    /// Four sums side by side: one addition would wait for the one before.
    private static double sum(double[] values) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i + 4 <= values.length; i += 4) {
            a += values[i];
            b += values[i + 1];
            c += values[i + 2];
            d += values[i + 3];
        }
        for (; i < values.length; i++) {
            a += values[i];
        }
        return a + b + (c + d);
    }
}
