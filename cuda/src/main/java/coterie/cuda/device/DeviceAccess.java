// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.SymmetricMemory;
import java.lang.foreign.MemorySegment;

/// Memory of a device, registration of host memory with it, and copies. Addresses are those that kernels use.
///
/// Copies must not depend on kernels: a kernel may wait for the operation that copies. With the CUDA driver they go
/// through a non-blocking stream of their own, and not through the legacy default stream.
public interface DeviceAccess {

    /// Allocates device memory filled with zeros, aligned to 256 bytes.
    ///
    /// @param byteSize at least 1
    long allocate(long byteSize);

    /// Frees what [#allocate] has returned.
    void free(long address);

    /// Runs what must not happen while kernels of this device run: at once if none do, and otherwise later,
    /// without a wait.
    default void whenIdle(Runnable release) {
        release.run();
    }

    /// Registers a block of symmetric memory with the device.
    ///
    /// @return the addresses of the parts of the block's PEs, by number; 0 where this PE does not map the part
    /// @throws RuntimeException if the driver refuses
    long[] map(SymmetricMemory memory);

    /// Ends a registration. No kernel uses the addresses any more.
    void unmap(SymmetricMemory memory);

    /// Returns whether atomics of kernels on host memory are atomic with respect to those of the host's processors.
    boolean hasHostAtomics();

    /// Copies bytes of the host to an address that kernels use; on return they are there.
    void toDevice(MemorySegment source, long address);

    /// Starts a copy of host memory to an address that kernels use. The ring's consumer has one copy at a time, in
    /// registered memory.
    void startToDevice(MemorySegment source, long address);

    /// Starts a copy from an address that kernels use, also one of registered host memory, to the host.
    void startToHost(long address, MemorySegment target);

    /// Returns whether the copy that was started last is over. Never waits.
    boolean hasCopied();
}
