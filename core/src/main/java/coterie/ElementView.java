// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;

/// A block of symmetric memory seen as elements of one type, which I read and write on any PE through one context.
///
/// A view is made by [SymmetricMemory], costs nothing beside the block, and may be kept; it dies with the block.
/// Its operations go through the context it was made with, the world's default one at first; [#through] gives the
/// same elements through another. PE numbers are those of the context's team.
///
/// Indices, counts and strides are in elements, on both sides. The side that is not symmetric is any
/// [MemorySegment]: an array's, native memory, my own part of a block. Copies promise nothing about order or
/// indivisibility of single elements; where source and target overlap (a copy to myself), the result is as if the
/// source had been copied away first.
///
/// | form | source reusable, data in target | at the other PE |
/// |---|---|---|
/// | `put` | on return | after my next [Context#quiet] or barrier |
/// | `putNbi` | after my next [Context#quiet] | the same |
/// | `get` | on return | – |
/// | `getNbi` | after my next [Context#quiet]; a fence is not enough | – |
///
/// Every operation checks its arguments before it touches memory, those of count 0 too, and then throws
///
/// - [IndexOutOfBoundsException] for a PE outside the context's team, or a range that leaves the block or the
///   segment;
/// - [IllegalArgumentException] for a stride or a block that is too short;
/// - [IllegalStateException] for memory that was freed or is of another world, and for a context that was closed;
/// - [WrongThreadException] for a private context of another thread.
///
/// No operation allocates, but for a strided copy to myself whose two sides overlap. Threads: as the context.
public interface ElementView {

    /// What an element is.
    ElementType type();

    /// How many whole elements the block has on each PE.
    long length();

    /// The block.
    SymmetricMemory memory();

    /// My own part of the block, for plain loads and stores: same as `memory().segment()`.
    MemorySegment segment();

    /// What the operations go through.
    Context context();

    /// The same elements through another context of the same world, whose fences and completions they then obey.
    ElementView through(Context context);

    /// Copies `count` elements of mine into a PE's `[index, index + count)`. Answers to `shmem_put`,
    /// `shmem_putmem`.
    ///
    /// @param source the elements `[sourceIndex, sourceIndex + count)`, counted from the segment's start
    /// @param count 0 is a no-op
    void put(long index, MemorySegment source, long sourceIndex, long count, int pe);

    /// As [#put], but the source must stay as it is until the next [Context#quiet]. Answers to `shmem_put_nbi`.
    void putNbi(long index, MemorySegment source, long sourceIndex, long count, int pe);

    /// Copies a PE's `[index, index + count)` into mine. Answers to `shmem_get`, `shmem_getmem`.
    ///
    /// @param target writable; the elements `[targetIndex, targetIndex + count)`
    void get(long index, MemorySegment target, long targetIndex, long count, int pe);

    /// As [#get], but the elements are there after the next [Context#quiet] only. Answers to `shmem_get_nbi`.
    void getNbi(long index, MemorySegment target, long targetIndex, long count, int pe);

    /// Copies `blocks` blocks of `blockLength` elements each: block `i` from `sourceIndex + i * sourceStride` of
    /// mine to `index + i * stride` of the PE's. What lies between the blocks stays as it is.
    ///
    /// Block length 1 answers to `shmem_iput`, any other to `shmem_ibput`.
    ///
    /// @param stride from one block's begin to the next one's, `blockLength ≤ stride`
    /// @param sourceStride the same on my side, `blockLength ≤ sourceStride`
    /// @param blockLength `1 ≤ blockLength`
    /// @param blocks `0 ≤ blocks`
    void putStrided(
            long index,
            long stride,
            MemorySegment source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long blocks,
            int pe);

    /// The way back of [#putStrided]. Block length 1 answers to `shmem_iget`, any other to `shmem_ibget`.
    void getStrided(
            long index,
            long stride,
            MemorySegment target,
            long targetIndex,
            long targetStride,
            long blockLength,
            long blocks,
            int pe);

    /// As [#put], and then updates a signal of the same PE: whoever sees the update sees these elements, and
    /// nothing else that I put before without a fence. Count 0 updates the signal alone. Answers to
    /// `shmem_put_signal`.
    ///
    /// @param update of a signal word of the same PE that lies outside the elements that are put; see
    ///     [SignalWord#setting] and [SignalWord#adding]
    void putSignal(long index, MemorySegment source, long sourceIndex, long count, int pe, SignalUpdate update);

    /// As [#putSignal], but the source must stay as it is until the next [Context#quiet]. Answers to
    /// `shmem_put_signal_nbi`.
    void putSignalNbi(long index, MemorySegment source, long sourceIndex, long count, int pe, SignalUpdate update);
}
