// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// A thread of a kernel: its numbers and its groups; and as a group of one, the operations at thread scope.
///
/// Team queries, views and local accesses are those of every other thread of the PE.
public final class KernelThread extends KernelGroup {
    private final KernelRun run;
    private final KernelBlock block;
    private final int number;

    KernelThread(KernelRun run, KernelBlock block, int number) {
        super(block.whole(), 0);
        this.run = run;
        this.block = block;
        this.number = number;
    }

    @Override
    GroupState state() {
        return block.tile(1, number);
    }

    @Override
    public int size() {
        return 1;
    }

    /// Returns the caller's number in its block.
    /// @counterpart `threadIdx`, as one number
    public int number() {
        return number;
    }

    /// Returns the caller's place in its block.
    /// @counterpart `threadIdx`
    public Extent threadIndex() {
        return run.block().place(number);
    }

    /// Returns the size of a block in threads.
    /// @counterpart `blockDim`
    public Extent blockSize() {
        return run.block();
    }

    /// Returns the place of the caller's block in the grid.
    /// @counterpart `blockIdx`
    public Extent blockIndex() {
        return run.grid().place(block.number());
    }

    /// Returns the size of the grid in blocks.
    /// @counterpart `gridDim`
    public Extent gridSize() {
        return run.grid();
    }

    /// Returns the threads of the caller's block.
    public KernelGroup block() {
        return new KernelGroup(block.whole(), number);
    }

    /// Returns the threads of the grid.
    /// @counterpart `cooperative_groups::this_grid`
    /// @throws IllegalStateException if they are more than 65,535
    public KernelGroup grid() {
        return new KernelGroup(run.whole(), block.number() * run.block().count() + number);
    }

    /// Returns the threads of the caller's warp; the last one of a block may have fewer.
    public KernelGroup warp() {
        return tile(run.device().limits().warpThreads());
    }

    /// Returns the caller's part of the block, divided into parts of so many threads.
    /// @counterpart `cooperative_groups::tiled_partition`, `nvshmemx_barrier_warpgroup` with 128 threads
    /// @param threads at least 1; the last part may have fewer
    public KernelGroup tile(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("tile: " + threads + " threads; allowed are 1 and more");
        }
        return new KernelGroup(block.tile(threads, number), number % threads);
    }

    @Override
    public String toString() {
        return "thread " + number + " of block " + block.number();
    }
}
