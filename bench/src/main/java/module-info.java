// SPDX-License-Identifier: Apache-2.0

/// Measurements: what `coterie perf` runs.
module coterie.bench {
    requires coterie;
    requires java.management;
    requires HdrHistogram;
    requires static org.jspecify;

    // The launcher starts coterie.bench.Perf by its name.
    exports coterie.bench;
}
