// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// Holds back parts of a schedule that could start as far as the schedule is concerned.
interface StartPolicy {
    /// Admits all parts at once.
    StartPolicy OPEN = new StartPolicy() {
        @Override
        public boolean admits(int part) {
            return true;
        }

        @Override
        public void started(int part) {}

        @Override
        public void completed(int part) {}
    };

    /// Returns whether a part may start now; the schedule calls it in each step until it may.
    boolean admits(int part);

    void started(int part);

    void completed(int part);
}
