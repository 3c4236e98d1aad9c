// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.Coterie;
import java.lang.module.ModuleDescriptor;

/// The version of Coterie.
final class Version {
    private Version() {}

    /// Returns the version of the runtime's module.
    static String number() {
        ModuleDescriptor descriptor = Coterie.class.getModule().getDescriptor();
        return descriptor == null ? "unknown" : descriptor.rawVersion().orElse("unknown");
    }

    /// Returns the line that `--version` prints.
    static String line() {
        return "coterie " + number() + " (Java " + System.getProperty("java.runtime.version") + ")";
    }
}
