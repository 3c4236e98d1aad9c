// SPDX-License-Identifier: Apache-2.0

/// Measurements.
module coterie.bench {
    requires coterie;
    requires HdrHistogram;
    requires static org.jspecify;
}
