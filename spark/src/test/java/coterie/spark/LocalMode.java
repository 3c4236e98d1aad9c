// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import org.apache.spark.SparkConf;

/// Spark whose tasks are threads of the driver.
final class LocalMode {
    private LocalMode() {}

    /// Returns the properties of an application whose tasks may fail.
    ///
    /// @param slots for tasks
    static SparkConf conf(int slots) {
        return new SparkConf()
                .setMaster("local[" + slots + ",4]")
                .setAppName("worlds")
                .set("spark.ui.enabled", "false")
                .set("spark.stage.maxConsecutiveAttempts", "2");
    }
}
