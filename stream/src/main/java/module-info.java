// SPDX-License-Identifier: Apache-2.0

/// Stream-ordered operations, with the order, the events and the errors of CUDA streams.
module coterie.stream {
    requires transitive coterie;
    requires transitive coterie.diagnosis;
    requires static org.jspecify;

    exports coterie.stream;
}
