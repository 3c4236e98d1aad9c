// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.Locale;

/// When a part of one fragment may start, beside what its schedule says.
public enum FragmentOrder {
    /// Whenever.
    PARALLEL,
    /// Once the same part of the fragment before has started.
    ORDERED,
    /// Once the same part of the fragment before has completed.
    SEQUENTIAL;

    /// As settings have it.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
