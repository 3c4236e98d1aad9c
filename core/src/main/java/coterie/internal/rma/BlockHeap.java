// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.SymmetricLock;
import coterie.SymmetricMemory;

/// The heap, as the handles of its blocks see it. A caller checks that its block is live before each call.
public interface BlockHeap {

    /// Returns the address at which this PE can load and store the heap of a PE, or 0 if it can't.
    long address(int pe);

    /// Does [SymmetricMemory#reallocate].
    SymmetricMemory reallocate(PeMemory block, long byteSize);

    /// Does [SymmetricMemory#lock].
    ///
    /// @param offset in bytes; the lock is inside the block
    SymmetricLock lock(PeMemory block, long offset);

    /// Does [SymmetricMemory#close].
    void release(PeMemory block);
}
