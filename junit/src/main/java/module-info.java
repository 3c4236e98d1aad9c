// SPDX-License-Identifier: Apache-2.0

/// SPMD tests.
module coterie.junit {
    requires transitive coterie;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;
}
