// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.Reduction;
import coterie.Team;
import java.util.Arrays;
import java.util.SplittableRandom;

/// The bins of each feature, between *cuts* that are quantiles of a sample of all rows:
///
/// ```
/// value    x ≤ cut 0     cut 0 < x ≤ cut 1     …     last cut < x     NaN
/// code         0                 1             …     cuts.length      cuts.length + 1
/// ```
///
/// A feature with few values has a bin for each. A *slot* is a bin among those of all features, one after the
/// other.
final class FeatureBins {
    /// Rows of which quantiles are taken: the bounds of 255 bins are then off by half a bin at most. With fewer
    /// rows the quantiles are exact.
    static final int SAMPLE = 1 << 16;

    private static final long SEED = 0x5eed; // of the choice; any number

    private final double[][] cuts;
    private final double[][] padded; // the cuts, and after them infinity, so that there are 2^n − 1
    private final int[] first; // slot of each feature, and at last the number of slots

    private FeatureBins(double[][] cuts) {
        this.cuts = cuts;
        padded = new double[cuts.length][];
        Arrays.setAll(padded, feature -> padded(cuts[feature]));
        first = new int[cuts.length + 1];
        for (int feature = 0; feature < cuts.length; feature++) {
            first[feature + 1] = first[feature] + missing(feature) + 1;
        }
    }

    /// Finds the bins. Collective: each PE sends its sample of a feature to the PE that cuts it, and gets all cuts.
    ///
    /// @param bins of a feature, without that of missing values, in `[2, 255]`
    static FeatureBins of(Team team, double[] rows, RowNumbers numbers, int features, int bins) {
        int[] sample = sample(numbers);
        int longest = (int) team.allReduce(Reduction.MAX, (long) sample.length);
        int featuresOfPe = (features + team.size() - 1) / team.size();
        double[][] gathered = new double[featuresOfPe][];
        double[] values = new double[longest];
        for (int feature = 0; feature < features; feature++) {
            Arrays.fill(values, Double.NaN);
            for (int i = 0; i < sample.length; i++) {
                values[i] = rows[sample[i] * features + feature];
            }
            int root = feature % team.size();
            double[] target = root == team.member() ? new double[longest * team.size()] : new double[0];
            team.gather(target, values, root);
            if (root == team.member()) {
                gathered[feature / team.size()] = target;
            }
        }
        double[] mine = new double[featuresOfPe * (bins - 1)];
        Arrays.fill(mine, Double.NaN);
        for (int i = 0; i < featuresOfPe && gathered[i] != null; i++) {
            double[] cuts = cuts(gathered[i], bins);
            System.arraycopy(cuts, 0, mine, i * (bins - 1), cuts.length);
        }
        double[] all = new double[mine.length * team.size()];
        team.allGather(all, mine);
        double[][] cuts = new double[features][];
        for (int feature = 0; feature < features; feature++) {
            int from = feature % team.size() * mine.length + feature / team.size() * (bins - 1);
            double[] padded = Arrays.copyOfRange(all, from, from + bins - 1);
            cuts[feature] = Arrays.copyOf(padded, numbersIn(padded));
        }
        return new FeatureBins(cuts);
    }

    /// Returns which of the caller's rows belong to the sample: the numbers of the rows decide.
    private static int[] sample(RowNumbers numbers) {
        double share = SAMPLE / (double) numbers.total();
        int[] chosen = new int[numbers.count()];
        int count = 0;
        for (int row = 0; row < numbers.count(); row++) {
            if (share >= 1 || new SplittableRandom(SEED + numbers.first() + row).nextDouble() < share) {
                chosen[count++] = row;
            }
        }
        return Arrays.copyOf(chosen, count);
    }

    /// Returns ascending cuts of values in any order, at most `bins - 1`. Sorts the values.
    static double[] cuts(double[] values, int bins) {
        Arrays.sort(values);
        int count = numbersIn(values);
        double[] cuts = new double[bins - 1];
        int found = 0;
        for (int i = 1; i < count && found <= bins - 1; i++) { // a bin for each value, if there are few
            if (values[i] > values[i - 1]) {
                if (found < bins - 1) {
                    cuts[found] = between(values[i - 1], values[i]);
                }
                found++;
            }
        }
        if (found <= bins - 1) {
            return Arrays.copyOf(cuts, found);
        }
        found = 0;
        int last = 0;
        for (int bin = 1; bin < bins; bin++) {
            int at = (int) ((long) bin * count / bins);
            while (at < count && values[at] == values[at - 1]) {
                at++;
            }
            if (at > last && at < count) {
                cuts[found++] = between(values[at - 1], values[at]);
                last = at;
            }
        }
        return Arrays.copyOf(cuts, found);
    }

    /// Returns the number of values before the NaNs.
    private static int numbersIn(double[] sorted) {
        int count = sorted.length;
        while (count > 0 && Double.isNaN(sorted[count - 1])) {
            count--;
        }
        return count;
    }

    /// Returns a number in `[low, high)`, the middle if rounding allows.
    private static double between(double low, double high) {
        double middle = low / 2 + high / 2;
        return middle >= low && middle < high ? middle : low;
    }

    int features() {
        return cuts.length;
    }

    int slots() {
        return first[cuts.length];
    }

    /// Returns the slot of code 0.
    int firstSlot(int feature) {
        return first[feature];
    }

    /// Returns the code of NaN.
    int missing(int feature) {
        return cuts[feature].length + 1;
    }

    /// Returns what separates the codes up to a given one from those above: `x ≤ threshold` for the former.
    double threshold(int feature, int code) {
        return code < cuts[feature].length ? cuts[feature][code] : Double.POSITIVE_INFINITY;
    }

    /// Returns the codes of rows, as unsigned bytes in the order of the rows' numbers.
    byte[] codes(double[] rows) {
        byte[] codes = new byte[rows.length];
        for (int i = 0; i < rows.length; ) {
            for (int feature = 0; feature < cuts.length; feature++, i++) {
                codes[i] = (byte) code(feature, rows[i]);
            }
        }
        return codes;
    }

    /// Counts the cuts below a value by bisection, with a conditional move in place of a branch that would be
    /// predicted wrongly every other time.
    private int code(int feature, double value) {
        if (Double.isNaN(value)) {
            return missing(feature);
        }
        double[] bounds = padded[feature];
        int code = 0;
        for (int step = (bounds.length + 1) >>> 1; step > 0; step >>>= 1) {
            code += bounds[code + step - 1] < value ? step : 0;
        }
        return code;
    }

    private static double[] padded(double[] cuts) {
        double[] padded = new double[(Integer.highestOneBit(cuts.length) << 1) - 1 + (cuts.length == 0 ? 1 : 0)];
        Arrays.fill(padded, Double.POSITIVE_INFINITY);
        System.arraycopy(cuts, 0, padded, 0, cuts.length);
        return padded;
    }
}
