// SPDX-License-Identifier: Apache-2.0

/// Merges what the PEs of a traced job have recorded, and writes it for Perfetto and as a report.
module coterie.trace {
    requires coterie;
    requires coterie.launch;
    requires static org.jspecify;

    exports coterie.trace;
}
