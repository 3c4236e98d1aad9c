// SPDX-License-Identifier: Apache-2.0

/// Measurements: what `coterie perf` and `coterie scale` run.
module coterie.bench {
    requires coterie;
    requires java.management;
    requires HdrHistogram;
    requires static org.jspecify;

    // The launcher starts programs of this package by their names.
    exports coterie.bench;
}
