// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// Who must see what others wait for in vain, also while this PE has nothing under way and waits for something
/// else.
public interface IdleProbe {

    /// Looks at some of it. For any thread, and several at once; must neither throw nor, as long as nothing is
    /// wrong, wait or allocate.
    void poll();
}
