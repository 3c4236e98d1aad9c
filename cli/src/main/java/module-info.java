// SPDX-License-Identifier: Apache-2.0

/// The command line.
module coterie.cli {
    requires coterie;
    requires info.picocli;
    requires static org.jspecify;
}
