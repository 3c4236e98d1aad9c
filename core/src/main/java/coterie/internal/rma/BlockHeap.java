// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import org.jspecify.annotations.Nullable;

/// The symmetric memory of a team, as the handles of its blocks see it. A caller checks that its block is live
/// before each call.
public interface BlockHeap {

    /// Returns the address at which this PE can load and store the heap of a PE, or 0 if it can't.
    ///
    /// @param pe a world number
    long address(int pe);

    /// Returns whether a PE of the world is a member of the team, and so has the team's blocks.
    boolean isHeldBy(int pe);

    /// Returns the name of the team; null if the team has all PEs.
    @Nullable
    String teamName();

    /// Does [SymmetricMemory#reallocate].
    SymmetricMemory reallocate(PeMemory block, long byteSize);

    /// Does [SymmetricMemory#lock].
    ///
    /// @param offset in bytes; the lock is inside the block
    SymmetricLock lock(PeMemory block, long offset);

    /// Does [SymmetricMemory#close].
    void close(PeMemory block);

    /// Does [SymmetricMemory#free].
    void free(PeMemory block);

    /// Does [SymmetricMemory#freeLiving].
    void freeLiving(PeMemory block);
}
