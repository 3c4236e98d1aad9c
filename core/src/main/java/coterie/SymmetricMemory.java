// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;

/// A block of memory that every PE of the world has at the same offset: `(memory, offset, pe)` names a place
/// anywhere.
///
/// The handle is local to its PE. It dies with [#close] or with its world; every use of a dead one throws.
public interface SymmetricMemory extends AutoCloseable {

    /// Bytes on each PE.
    long byteSize();

    /// My own part of the block, for plain loads and stores.
    ///
    /// The segment stays readable after the block is freed (it never crashes the JVM) but means nothing then.
    ///
    /// @throws IllegalStateException if the block was freed
    MemorySegment segment();

    /// Frees the block on every PE.
    ///
    /// **Collective**: waits until every PE has called it, so that no PE still writes into the block. A second
    /// close does nothing. Answers to `shmem_free`.
    @Override
    void close();
}
