// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

/// A check of waits that may have to end before any PE has ended.
@FunctionalInterface
public interface AlwaysChecked extends FailureCheck {
    @Override
    default boolean isAlwaysChecked() {
        return true;
    }
}
