// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// One-sided operations: this PE reads, writes and updates the symmetric memory of any PE, itself included, without
/// the other taking part.
///
/// Operations of one context towards one PE are ordered by [#fence] and completed by [#quiet]; without either, puts
/// may become visible in any order. Offsets and lengths are in bytes. Every method checks its arguments before it
/// touches memory, and then throws
///
/// - [IndexOutOfBoundsException] for a PE outside `[0, size)`, or a range that leaves the memory or the segment;
/// - [IllegalArgumentException] for an offset that is not a multiple of the element's size;
/// - [IllegalStateException] for memory that was freed, or of another world.
///
/// Threads: one at a time. No method allocates.
public interface Context {

    /// Copies `length` bytes of mine into a PE's memory. The source may be reused on return; the target sees the
    /// bytes no later than my next [#quiet] or barrier.
    ///
    /// Length 0 is a no-op that still checks its arguments. Where source and target overlap (a put to myself), the
    /// result is as if the source had been copied away first. Answers to `shmem_putmem`.
    ///
    /// @param target where, on PE `pe`: bytes `[targetOffset, targetOffset + length)`
    /// @param source mine, any memory: heap array, native or symmetric; bytes `[sourceOffset, sourceOffset +
    ///     length)`
    void put(SymmetricMemory target, long targetOffset, MemorySegment source, long sourceOffset, long length, int pe);

    /// Copies `length` bytes of a PE's memory into mine. They are there on return. Answers to `shmem_getmem`.
    ///
    /// @param source where, on PE `pe`: bytes `[sourceOffset, sourceOffset + length)`
    /// @param target mine, any writable memory: bytes `[targetOffset, targetOffset + length)`
    void get(SymmetricMemory source, long sourceOffset, MemorySegment target, long targetOffset, long length, int pe);

    /// Stores one `int`, indivisibly. Answers to `shmem_int_p`.
    void putInt(SymmetricMemory target, long offset, int value, int pe);

    /// Stores one `long`, indivisibly. Answers to `shmem_long_p`.
    void putLong(SymmetricMemory target, long offset, long value, int pe);

    /// Stores one `float`, indivisibly and bit for bit. Answers to `shmem_float_p`.
    void putFloat(SymmetricMemory target, long offset, float value, int pe);

    /// Stores one `double`, indivisibly and bit for bit. Answers to `shmem_double_p`.
    void putDouble(SymmetricMemory target, long offset, double value, int pe);

    /// Loads one `int`, indivisibly. Answers to `shmem_int_g`.
    int getInt(SymmetricMemory source, long offset, int pe);

    /// Loads one `long`, indivisibly. Answers to `shmem_long_g`.
    long getLong(SymmetricMemory source, long offset, int pe);

    /// Loads one `float`, indivisibly and bit for bit. Answers to `shmem_float_g`.
    float getFloat(SymmetricMemory source, long offset, int pe);

    /// Loads one `double`, indivisibly and bit for bit. Answers to `shmem_double_g`.
    double getDouble(SymmetricMemory source, long offset, int pe);

    /// Adds `delta` to a `long` and returns what it held before, as one indivisible step. Wraps on overflow.
    ///
    /// All atomics on a word agree with each other, whichever PE issues them. Answers to
    /// `shmem_long_atomic_fetch_add`.
    long fetchAdd(SymmetricMemory target, long offset, long delta, int pe);

    /// Orders: what I put before to a PE is visible there no later than what I put after. Never waits. Answers to
    /// `shmem_fence`.
    void fence();

    /// Completes: when it returns, everything I put is visible to all PEs, and my later loads see what others had
    /// completed. A full fence where there is something to complete, and nothing where not. Answers to
    /// `shmem_quiet`.
    void quiet();

    /// Waits until a `long` of **my own** memory compares with `operand` as asked, whoever changes it, and returns
    /// the value that did. What its writer had ordered before it (by a fence or quiet) is then visible to me.
    ///
    /// Answers to `shmem_long_wait_until`.
    ///
    /// @throws PeFailedException if a PE fails meanwhile, or all others have ended
    long waitUntil(SymmetricMemory memory, long offset, Comparison comparison, long operand);

    /// As [#waitUntil(SymmetricMemory, long, Comparison, long)], with a deadline.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if the condition has not come to hold within `timeout`
    long waitUntil(SymmetricMemory memory, long offset, Comparison comparison, long operand, Duration timeout);
}
