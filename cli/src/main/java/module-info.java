// SPDX-License-Identifier: Apache-2.0

/// The command line: `coterie run` and its companions.
module coterie.cli {
    requires coterie;
    requires coterie.cluster;
    requires coterie.diagnosis;
    requires coterie.launch;
    requires coterie.trace;
    requires info.picocli;
    requires java.compiler;
    requires jdk.compiler;
    requires static org.jspecify;
}
