// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;

/// A view of a block of symmetric memory as elements of one type, which the caller reads and writes on any PE.
/// Only Coterie implements it.
///
/// [SymmetricMemory] makes views. A view costs nothing beside the block, may be kept, and ends with the block,
/// which may be a slice. A view's operations go through one context, at first the default context of the world.
/// PE numbers are those of the context's team.
///
/// Indices, counts and strides are in elements, on both sides. The local side is any [MemorySegment]: an array's,
/// native memory, the caller's own part of a block. The views of each type also take arrays; [#putFrom] and
/// [#getInto] take another view. A copy promises nothing about order or indivisibility of single elements. If
/// source and target overlap, the copy acts as if it had read the whole source first.
///
/// | form | source reusable, data in target | visible at the other PE |
/// |---|---|---|
/// | `put`, `putFrom` | on return | after the caller's next quiet or barrier |
/// | `putNbi` | after its ticket or the caller's next quiet | after the caller's next quiet or barrier |
/// | `get`, `getInto` | on return | – |
/// | `getNbi` | after its ticket or the caller's next quiet; a fence is not enough | – |
///
/// A quiet is one of the view's context: [Context#quiet].
///
/// Every operation, also one of count 0, checks its arguments before it touches memory, and throws
///
/// - [IndexOutOfBoundsException] for a PE outside the context's team, or a range that leaves the block or the
///   segment;
/// - [IllegalArgumentException] for a stride or a block that is too short;
/// - [IllegalStateException] for memory that is freed or belongs to another world, for a closed context, and for a
///   segment whose arena is closed;
/// - [WrongThreadException] for a private context or a confined segment of another thread;
/// - [NullPointerException] for an argument that is null; the message has its name.
///
/// The `…Nbi` forms return a ticket, by which the caller completes one operation alone: see [Context].
///
/// Only a strided copy to the caller itself allocates, if its two sides overlap. Threads: see [Context].
public interface ElementView {

    /// Returns the type of the elements.
    ElementType type();

    /// Returns the number of whole elements that the block has on each PE.
    long length();

    /// Returns the block.
    SymmetricMemory memory();

    /// Returns the caller's own part of the block, for plain loads and stores: same as `memory().segment()`.
    MemorySegment segment();

    /// Returns the context that the operations go through.
    Context context();

    /// Returns a view of the same elements through another context of the same world.
    ElementView through(Context context);

    /// Returns a view of the elements `[index, index + length)`, with this view's type and context. It ends with
    /// the block, and [#memory] returns its slice of the block.
    ElementView slice(long index, long length);

    /// Returns the bits of an element of the caller's own, of any type, in the low bits of a `long` whose other
    /// bits are 0: a plain load, for code that serves all types.
    long getBits(long index);

    /// Stores the low bits of a `long` as an element of the caller's own: a plain store.
    void setBits(long index, long bits);

    /// Copies elements to the caller's own `[index, index + count)`: plain stores, without a put to oneself. The
    /// views of each type take arrays, too.
    ///
    /// @param source the elements `[sourceIndex, sourceIndex + count)`, counted from the segment's start
    /// @param count 0 is a no-op
    void set(long index, MemorySegment source, long sourceIndex, long count);

    /// Copies the caller's own `[index, index + count)`: plain loads, without a get from oneself.
    ///
    /// @param target writable; the elements `[targetIndex, targetIndex + count)`
    void get(long index, MemorySegment target, long targetIndex, long count);

    /// Copies `count` elements of the caller into a PE's `[index, index + count)`.
    /// @counterpart `shmem_TYPE_put`, `shmem_putmem`, `shmem_putSIZE`
    /// @param source the elements `[sourceIndex, sourceIndex + count)`, counted from the segment's start
    /// @param count 0 is a no-op
    void put(long index, MemorySegment source, long sourceIndex, long count, int pe);

    /// Copies `count` elements of the caller's own part of another view into a PE's `[index, index + count)` of
    /// this view: a [#put] whose two sides are symmetric. This view is the target, at the PE; `source` is the
    /// caller's.
    ///
    /// @param source a view of the same type and world, through any context
    void putFrom(long index, ElementView source, long sourceIndex, long count, int pe);

    /// Starts a [#put]; the source must not change until its ticket is complete, or the next [Context#quiet].
    /// @counterpart `shmem_TYPE_put_nbi`, `shmem_putSIZE_nbi`, `shmem_putmem_nbi`; returns a ticket
    /// @return the ticket, or 0; see [Context]
    long putNbi(long index, MemorySegment source, long sourceIndex, long count, int pe);

    /// Copies a PE's `[index, index + count)` to the caller.
    /// @counterpart `shmem_TYPE_get`, `shmem_getmem`, `shmem_getSIZE`
    /// @param target writable; the elements `[targetIndex, targetIndex + count)`
    void get(long index, MemorySegment target, long targetIndex, long count, int pe);

    /// Copies a PE's `[index, index + count)` of this view to the caller's own part of another view: a [#get]
    /// whose two sides are symmetric. This view is the source, at the PE; `target` is the caller's.
    ///
    /// @param target a view of the same type and world, through any context
    void getInto(long index, ElementView target, long targetIndex, long count, int pe);

    /// Starts a [#get]; the target has the elements when its ticket is complete, or after the next
    /// [Context#quiet].
    /// @counterpart `shmem_TYPE_get_nbi`, `shmem_getSIZE_nbi`, `shmem_getmem_nbi`
    /// @return the ticket, or 0; see [Context]
    long getNbi(long index, MemorySegment target, long targetIndex, long count, int pe);

    /// Copies `blocks` blocks of `blockLength` elements each: block `i` from the caller's `sourceIndex + i *
    /// sourceStride` to the PE's `index + i * stride`. Elements between the blocks stay unchanged.
    /// @counterpart `shmem_TYPE_iput`, `shmem_iputSIZE`, for longer blocks `shmem_TYPE_ibput`, `shmem_ibputSIZE`
    /// @param stride from the start of one block to the start of the next, `blockLength ≤ stride`
    /// @param sourceStride the stride in the source, `blockLength ≤ sourceStride`
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

    /// Copies blocks in the opposite direction of [#putStrided].
    /// @counterpart `shmem_TYPE_iget`, `shmem_igetSIZE`, for longer blocks `shmem_TYPE_ibget`, `shmem_ibgetSIZE`
    void getStrided(
            long index,
            long stride,
            MemorySegment target,
            long targetIndex,
            long targetStride,
            long blockLength,
            long blocks,
            int pe);

    /// Puts elements like [#put], and then updates a signal of the same PE. A reader that sees the update sees
    /// these elements; earlier puts need a fence. Count 0 updates the signal alone.
    /// @counterpart `shmem_TYPE_put_signal`, `shmem_putSIZE_signal`, `shmem_putmem_signal`
    /// @param update of a signal word of the same PE outside the elements that are put; see [SignalWord#setting]
    ///     and [SignalWord#adding]
    void putSignal(long index, MemorySegment source, long sourceIndex, long count, SignalUpdate update, int pe);

    /// Starts a [#putSignal]; the source must not change until its ticket is complete, or the next
    /// [Context#quiet].
    /// @counterpart `shmem_TYPE_put_signal_nbi`, `shmem_putSIZE_signal_nbi`, `shmem_putmem_signal_nbi`
    /// @return the ticket, or 0; see [Context]
    long putSignalNbi(long index, MemorySegment source, long sourceIndex, long count, SignalUpdate update, int pe);
}
