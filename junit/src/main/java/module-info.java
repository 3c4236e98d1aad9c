// SPDX-License-Identifier: Apache-2.0

/// SPMD tests for JUnit Jupiter.
module coterie.junit {
    requires transitive coterie;
    requires coterie.launch;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports coterie.junit;

    uses coterie.junit.AnyMode;

    // JUnit makes the extension, and workers are started by their class's name.
    opens coterie.junit;
}
