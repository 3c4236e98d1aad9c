// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.Locale;

/// When a part of one fragment may start, in addition to the rules of its schedule.
public enum FragmentOrder {
    /// At any time.
    PARALLEL,
    /// Once the same part of the fragment before has started.
    ORDERED,
    /// Once the same part of the fragment before has completed.
    SEQUENTIAL;

    /// By the settings.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
