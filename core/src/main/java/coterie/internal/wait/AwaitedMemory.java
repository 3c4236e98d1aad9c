// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

/// The memory of awaited words. A wait ends with an error when its memory is freed, before a later block at the same
/// addresses can satisfy it.
public interface AwaitedMemory {
    /// Returns whether the memory is freed, or its world closed.
    boolean isFreed();
}
