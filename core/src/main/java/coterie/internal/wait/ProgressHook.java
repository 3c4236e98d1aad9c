// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

/// Work of this PE that goes on while its threads wait for something else: what others wait for may depend on it.
public interface ProgressHook {
    /// Where there is none.
    ProgressHook NONE = new ProgressHook() {
        @Override
        public void sweep() {}

        @Override
        public long due() {
            return WaitingRoom.FOREVER;
        }
    };

    /// Advances what there is to advance. Must neither wait nor throw nor, as long as nothing fails, allocate.
    void sweep();

    /// In how many nanoseconds of the scheduler's clock it must be advanced at the latest, or
    /// [WaitingRoom#FOREVER].
    long due();
}
