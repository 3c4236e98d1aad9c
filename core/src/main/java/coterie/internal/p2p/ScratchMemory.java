// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

/// Memory of this PE that other PEs can write to. For any thread.
public interface ScratchMemory {
    /// Acquires bytes.
    ///
    /// @return where they begin, or −1 if there are not as many
    long acquire(long bytes);

    /// Releases what was acquired, to which no PE writes any more.
    void release(long offset, long bytes);
}
