// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import org.jspecify.annotations.Nullable;

/// Knows when a wait can never end: for waits whose end depends on more than one PE, or on one that changes.
public interface FailureCheck {
    /// Why the wait can never end, or null while it may. Asked in every slow round from the time that a PE has
    /// ended, or always: see [#isAlwaysChecked]. Must neither wait nor, where it has nothing to say, allocate.
    @Nullable
    RuntimeException check();

    /// Whether it is asked before any PE has ended, too.
    default boolean isAlwaysChecked() {
        return false;
    }
}
