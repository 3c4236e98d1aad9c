// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.io.Serializable;
import java.time.Duration;

/// What [KMeans] has found: the same bits on all PEs.
///
/// @param centers of the clusters, by number and dimension
/// @param cost sum over all rows of the squared distance from the nearest of these centers: the *inertia*
/// @param iterations how often the centers have moved. There was one more pass over the rows, for the cost
/// @param time of the `iterations + 1` passes with their reductions, on the slowest PE; without the seeding
@SuppressWarnings("ArrayRecordComponent") // programs compare costs, and no models
public record KMeansModel(double[][] centers, double cost, int iterations, Duration time) implements Serializable {
    /// Returns the number of the center that is nearest to a row.
    ///
    /// @param row as many numbers as the centers have
    public int cluster(double[] row) {
        if (row.length != centers[0].length) {
            throw new IllegalArgumentException(
                    "KMeansModel.cluster: a row of " + row.length + " numbers; the centers have " + centers[0].length);
        }
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int center = 0; center < centers.length; center++) {
            double sum = 0;
            for (int d = 0; d < row.length; d++) {
                double difference = row[d] - centers[center][d];
                sum += difference * difference;
            }
            if (sum < least) {
                least = sum;
                nearest = center;
            }
        }
        return nearest;
    }
}
