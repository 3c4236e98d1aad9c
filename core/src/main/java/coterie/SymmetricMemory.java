// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A block of memory that every PE of the world has at the same offset, or every member of a team, so that
/// `(memory, offset, pe)` names a location on any of them. [World#allocate] and [Team#allocate] make blocks; PE
/// numbers are the world's or the team's. Only Coterie implements it.
///
/// The block is bytes. A *view* gives the bytes a type; it costs nothing, and its operations read and write the
/// elements of any PE through the world's default [Context], or the team's, [Team#context]:
///
/// ```java
/// DoubleView grid = world.allocate(rows * columns * Double.BYTES).doubles();
/// grid.put(0, 1.5, right);
/// ```
///
/// The handle belongs to its PE, and ends with [#close] or with its world; every later use throws. A [#slice] is a
/// part of a block that ends with the block.
///
/// A block can be the resource of a `try`: [#close] waits for no other PE.
public interface SymmetricMemory extends AutoCloseable {

    /// Returns the bytes of the block on each PE.
    long byteSize();

    /// Returns the caller's own part of the block, for plain loads and stores. After the block is freed the
    /// segment stays readable (it never crashes the JVM), but its content has no meaning.
    ///
    /// @throws IllegalStateException if the block is freed
    MemorySegment segment();

    /// Returns the caller's own part of the block as a segment that ends with an arena: after the arena's close, or
    /// on a thread that the arena excludes, each access throws. Not collective.
    ///
    /// @param arena as long as which the segment can be used; the block may outlive it
    /// @throws IllegalStateException if the block is freed, or the arena is closed
    MemorySegment segment(Arena arena);

    /// Returns a PE's part of the block, for plain loads and stores, or empty if the caller's memory map does not
    /// have it; it always has the caller's own. The default context orders and completes such stores as it does
    /// puts.
    /// @counterpart `shmem_ptr`, `nvshmem_ptr`
    /// @param pe in `[0, size())` of the world, or of the block's team
    Optional<MemorySegment> segment(int pe);

    /// Returns a team member's part of the block: empty for [Team#INVALID], and for members that do not have the
    /// block.
    /// @counterpart `shmem_team_ptr`; with a team and a member
    /// @param member in `[0, team.size())`
    Optional<MemorySegment> segment(Team team, int member);

    /// Returns whether operations can reach the block on this PE: true while the block lives.
    /// @counterpart `shmem_addr_accessible`
    /// @param pe any number; false if it is outside the world, or the block's team
    boolean isAccessible(int pe);

    /// Returns a slice: the bytes `[byteOffset, byteOffset + byteSize)` of this block or slice. A program uses it
    /// as a block, but it ends with the block: its [#close] and [#reallocate] throw [IllegalStateException]. Not
    /// collective.
    ///
    /// The methods that return views, signals and locks of a slice throw [IllegalArgumentException] if the slice
    /// does not begin at a multiple of the element's size.
    ///
    /// @param byteOffset in `[0, byteSize()]`
    /// @param byteSize bytes of the slice, in `[0, byteSize() - byteOffset]`
    SymmetricMemory slice(long byteOffset, long byteSize);

    /// Returns the block as bytes.
    /// @counterpart `char`, `schar`, `int8`, `putSIZE` of 8, the `mem` forms
    ByteView bytes();

    /// Returns the block as 16-bit integers.
    /// @counterpart `short`, `int16`, `putSIZE` of 16
    ShortView shorts();

    /// Returns the block as 32-bit integers.
    /// @counterpart `int`, `int32`, `putSIZE` of 32
    IntView ints();

    /// Returns the block as 64-bit integers.
    /// @counterpart `long`, `longlong`, `int64`, `ptrdiff`, `putSIZE` of 64
    LongView longs();

    /// Returns the block as `float`s.
    /// @counterpart `float`
    FloatView floats();

    /// Returns the block as `double`s.
    /// @counterpart `double`
    DoubleView doubles();

    /// Returns the block as IEEE 754 binary16 numbers.
    /// @counterpart `half`
    NarrowFloatView halves();

    /// Returns the block as bfloat16 numbers.
    /// @counterpart `bfloat16`
    NarrowFloatView bfloat16s();

    /// Returns the block as 8-bit numbers, [ElementType#FLOAT8_E4M3].
    NarrowFloatView e4m3s();

    /// Returns the block as 8-bit numbers, [ElementType#FLOAT8_E5M2].
    NarrowFloatView e5m2s();

    /// Returns the block as elements of a type, for code that serves all types.
    ElementView elements(ElementType type);

    /// Returns the 64-bit word that [#longs] has at `index`, as a signal.
    /// @counterpart the signal object, `uint64_t`; at an index in 64-bit words
    SignalWord signal(long index);

    /// Returns the [SymmetricLock#LONGS] 64-bit words that [#longs] has from `index` on, as a lock.
    /// @counterpart the symmetric `long` that is the lock; one 64-bit word, at an index in 64-bit words
    SymmetricLock lock(long index);

    /// Replaces the block by one of another size, on every PE, perhaps at another offset. The new block has the
    /// old content as far as both reach, and zeros after it. This handle and its views end.
    ///
    /// **Collective**, agreeing, as [World#allocate(long, long, AllocationHint...)]. If it throws, this block is
    /// unchanged. A size of 0 frees the block and returns an empty handle.
    /// @counterpart `shmem_realloc`
    /// @param byteSize bytes on each PE, `0 ≤ byteSize`
    SymmetricMemory reallocate(long byteSize);

    /// Ends the caller's use of the block, and waits for no other PE: every later use here throws, and others may go on
    /// with theirs, also with the caller's part. PEs may close blocks in different orders. The memory is free for a
    /// new block when all PEs that have the block have closed it, which they learn in their next [World#allocate],
    /// [Team#allocate] or [#reallocate] of the same team. A second close does nothing.
    ///
    /// @throws IllegalStateException if a request under way of the caller uses the block, or the caller holds a
    ///     lock in it; the block stays valid
    @Override
    void close();

    /// Frees the block on every PE that has it; on return its memory is free. A second call does nothing.
    ///
    /// **Collective** over these PEs, agreeing: returns when each has called it, so that no PE still writes into
    /// the block.
    /// @counterpart `shmem_free`
    /// @throws IllegalStateException on all PEs, if a request under way on one of them uses the block, or one holds
    ///     a lock in it; the block stays valid
    void free();

    /// Frees the block as [#free] does, but among the living: goes on after failures, mismatches and
    /// [Team#revoke]. A second call does nothing.
    ///
    /// **Collective** over the living members of the team that has allocated it, as [Team#syncLiving].
    ///
    /// @throws IllegalStateException immediately, if a request under way uses the block, or this PE holds a lock
    ///     in it; the other members wait for another call
    /// @throws CollectiveMismatchException if living members free different blocks, or call [Team#syncLiving] or
    ///     [Team#survivors] instead; all stay valid
    void freeLiving();
}
