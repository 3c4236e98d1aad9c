// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.Coterie;
import java.lang.module.ModuleDescriptor;

/// Which Coterie this is.
final class Version {
    private Version() {}

    /// The runtime's version, as its module says.
    static String number() {
        ModuleDescriptor descriptor = Coterie.class.getModule().getDescriptor();
        return descriptor == null ? "unknown" : descriptor.rawVersion().orElse("unknown");
    }

    /// For `--version`.
    static String line() {
        return "coterie " + number() + " (Java " + System.getProperty("java.runtime.version") + ")";
    }
}
