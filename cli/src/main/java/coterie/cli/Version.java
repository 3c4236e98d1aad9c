// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.Coterie;

/// Which Coterie this is.
final class Version {
    private Version() {}

    /// The runtime's version, as its jar says.
    static String number() {
        String version = Coterie.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /// For `--version`.
    static String line() {
        return "coterie " + number() + " (Java " + System.getProperty("java.runtime.version") + ")";
    }
}
