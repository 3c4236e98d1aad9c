// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// Holds back parts of a schedule that could start as far as the schedule is concerned; none, unless overridden.
interface StartPolicy {
    /// Returns whether a part may start now; the schedule calls it in each step until it may.
    default boolean admits(int part) {
        return true;
    }

    default void started(int part) {}

    default void completed(int part) {}
}
