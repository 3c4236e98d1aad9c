// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.SymmetricLock;
import coterie.SymmetricMemory;

/// The heap that blocks are of, as their handles need it.
public interface BlockHeap {

    /// Where the heap of a PE can be loaded and stored, or 0.
    long address(int pe);

    /// See [SymmetricMemory#reallocate]; the block lives.
    SymmetricMemory reallocate(PeMemory block, long byteSize);

    /// See [SymmetricMemory#lock]; the block lives and reaches that far.
    SymmetricLock lock(PeMemory block, long offset);

    /// See [SymmetricMemory#close]; the block lives.
    void release(PeMemory block);
}
