// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// What the device can do on which a runtime runs kernels. The device is simulated by threads of the JVM, so the
/// numbers are those that a program asks for, such as the ones of the GPU that it is written for.
///
/// @param residentThreads threads of all blocks that run at the same time, at least `threadsPerBlock`; a block
///     starts when so many threads are free, and holds them until its last thread has returned
/// @param threadsPerBlock of the largest block
/// @param warpThreads of a warp
public record DeviceLimits(int residentThreads, int threadsPerBlock, int warpThreads) {
    /// 1,024 threads, also in a block, in warps of 32.
    public static final DeviceLimits DEFAULT = new DeviceLimits(1024, 1024, 32);

    public DeviceLimits {
        if (threadsPerBlock < 1 || residentThreads < threadsPerBlock || warpThreads < 1) {
            throw new IllegalArgumentException("DeviceLimits: " + residentThreads + " resident threads, "
                    + threadsPerBlock + " in a block, " + warpThreads
                    + " in a warp; each is at least 1, and a block must fit");
        }
    }

    /// Returns a device on which so many threads run at the same time.
    public DeviceLimits withResidentThreads(int threads) {
        return new DeviceLimits(threads, Math.min(threads, threadsPerBlock), warpThreads);
    }

    /// Returns a device with warps of so many threads.
    public DeviceLimits withWarpThreads(int threads) {
        return new DeviceLimits(residentThreads, threadsPerBlock, threads);
    }

    /// Returns the number of blocks that run at the same time on an idle device; 0 if not even one fits.
    int residentBlocks(Extent block) {
        int threads = block.count();
        return threads < 1 || threads > threadsPerBlock ? 0 : residentThreads / threads;
    }
}
