// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.spi.WordNames;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// A view of symmetric memory as integers of 1, 2, 4 or 8 bytes, signed or unsigned: a [ByteView], [ShortView],
/// [IntView] or [LongView], which also copy from and to arrays. [ElementView] has the rules on errors and threads. Only
/// Coterie implements it.
///
/// Values are `long`s: a read sign-extends the element, or zero-extends it in an [#unsigned] view; a write stores
/// the low bits of the value, as a cast does. Unsigned 8-byte values are those of [Long#toUnsignedString(long)].
///
/// Loads and stores of single elements are indivisible. *Atomics* are indivisible steps, wrap on overflow, and are
/// atomic with respect to all other atomics on the element, of any PE and any form; they leave neighbouring
/// elements unchanged, also those of 1 and 2 bytes. Those on the caller's own elements have the names of a
/// `VarHandle`, and are complete on return. A fetching atomic is complete on return, and returns the
/// element's former value; the others complete, as puts do, at the next [Context#quiet].
///
/// Waits and tests read the caller's **own** elements, which any PE may change. When one returns, the caller sees
/// all that the writer had ordered before the change by a fence, a quiet or a signal.
public interface IntegerView extends ElementView {

    @Override
    IntegerView through(Context context);

    @Override
    IntegerView slice(long index, long length);

    /// Returns a view of the same elements whose waits depend on these PEs alone. They end with a
    /// [PeFailedException] if one of these PEs has failed, or all have ended; the failure of another PE does not
    /// end them. The view does not keep other PEs from writing.
    ///
    /// @param pes of the context's team; none: any PE may write, as at first
    /// @throws IndexOutOfBoundsException for a PE outside the team
    IntegerView writtenBy(int... pes);

    /// Returns a view of the same elements with names for its words: messages of its waits, and reports of jobs
    /// that are stuck, then say "the halo of row 3" and not "word 176 of allocation 2 (4096 B)".
    ///
    /// @throws NullPointerException if the names are null
    IntegerView named(WordNames names);

    /// Returns a view of the same elements as unsigned numbers.
    /// @counterpart `uchar`, `ushort`, `uint`, `ulong`, `ulonglong`, `uint8` … `uint64`, `size`; the view of that
    ///     width
    IntegerView unsigned();

    /// Returns an element of the caller's own: a plain load.
    long get(long index);

    /// Stores an element of the caller's own: a plain store.
    void set(long index, long value);

    /// Loads an element of the caller's own, and acquires all that was ordered before its value. For a program
    /// that polls: it serves the peers, as a wait does.
    long getAcquire(long index);

    /// Stores an element of the caller's own as an atomic: a PE that acquires the value sees all that the
    /// caller has stored to its own memory before.
    void setRelease(long index, long value);

    /// Adds to an element of the caller's own as an atomic, and returns the former value.
    long getAndAdd(long index, long delta);

    /// Stores an element of the caller's own as an atomic, and returns the former value.
    long getAndSet(long index, long value);

    /// Stores `value` as an atomic if the caller's own element is `expected`, and returns the former value:
    /// `expected` means that it has stored.
    long compareAndExchange(long index, long expected, long value);

    /// Loads a PE's element.
    /// @counterpart `shmem_TYPE_g`
    long get(long index, int pe);

    /// Stores a PE's element.
    /// @counterpart `shmem_TYPE_p`
    void put(long index, long value, int pe);

    /// Loads an element as an atomic, and acquires all that was ordered before it.
    /// @counterpart `shmem_TYPE_atomic_fetch`
    long getAcquire(long index, int pe);

    /// Stores an element as an atomic: a PE that acquires the value sees all that the caller has stored to its own
    /// memory before. What the caller has put elsewhere is ordered by [Context#fence].
    /// @counterpart `shmem_TYPE_atomic_set`
    void setRelease(long index, long value, int pe);

    /// Adds.
    /// @counterpart `shmem_TYPE_atomic_add`, `shmem_TYPE_atomic_inc`
    void add(long index, long delta, int pe);

    /// Adds, and returns the former value.
    /// @counterpart `shmem_TYPE_atomic_fetch_add`, `shmem_TYPE_atomic_fetch_inc`
    long getAndAdd(long index, long delta, int pe);

    /// Stores, and returns the former value.
    /// @counterpart `shmem_TYPE_atomic_swap`
    long getAndSet(long index, long value, int pe);

    /// Stores `value` if the element is `expected`, and returns the former value: `expected` means that it has
    /// stored.
    /// @counterpart `shmem_TYPE_atomic_compare_swap`
    long compareAndExchange(long index, long expected, long value, int pe);

    /// Applies a bitwise and.
    /// @counterpart `shmem_TYPE_atomic_and`
    void and(long index, long mask, int pe);

    /// Applies a bitwise and, and returns the former value.
    /// @counterpart `shmem_TYPE_atomic_fetch_and`
    long getAndBitwiseAnd(long index, long mask, int pe);

    /// Applies a bitwise or.
    /// @counterpart `shmem_TYPE_atomic_or`
    void or(long index, long mask, int pe);

    /// Applies a bitwise or, and returns the former value.
    /// @counterpart `shmem_TYPE_atomic_fetch_or`
    long getAndBitwiseOr(long index, long mask, int pe);

    /// Applies a bitwise exclusive or.
    /// @counterpart `shmem_TYPE_atomic_xor`
    void xor(long index, long mask, int pe);

    /// Applies a bitwise exclusive or, and returns the former value.
    /// @counterpart `shmem_TYPE_atomic_fetch_xor`
    long getAndBitwiseXor(long index, long mask, int pe);

    /// Starts an atomic, which writes the element's former value to memory of the caller by the time that its
    /// ticket is complete, or the next [Context#quiet] returns. A fence orders its effect on the element as it
    /// orders a put.
    /// @counterpart `shmem_TYPE_atomic_fetch_nbi`, `_swap_nbi`, `_fetch_inc_nbi`, `_fetch_add_nbi`,
    ///     `_fetch_and_nbi`, `_fetch_or_nbi`, `_fetch_xor_nbi`; with an `AtomicOperation`
    /// @param operand ignored by [AtomicOperation#FETCH]
    /// @param result gets the former value as its element `resultIndex`
    /// @return the ticket, or 0; see [Context]
    long fetchNbi(AtomicOperation operation, long index, long operand, MemorySegment result, long resultIndex, int pe);

    /// Starts a [#compareAndExchange]; `result` gets the former value as in [#fetchNbi].
    /// @counterpart `shmem_TYPE_atomic_compare_swap_nbi`
    /// @return the ticket, or 0; see [Context]
    long compareAndExchangeNbi(long index, long expected, long value, MemorySegment result, long resultIndex, int pe);

    /// Waits until the comparison of an element of the caller's own with `operand` holds, and returns the value
    /// for which it did.
    /// @counterpart `shmem_TYPE_wait_until`
    /// @throws PeFailedException if a PE fails during the wait, or all others have ended
    long waitUntil(long index, Comparison comparison, long operand);

    /// Waits like [#waitUntil(long, Comparison, long)], but no longer than `timeout`.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if the comparison did not hold within `timeout`
    long waitUntil(long index, Comparison comparison, long operand, Duration timeout);

    /// Returns whether the comparison of an element of the caller's own with `operand` holds now. Never waits.
    /// @counterpart `shmem_TYPE_test`
    boolean test(long index, Comparison comparison, long operand);

    /// Makes a set of `count` elements of the caller's own, from `index` on, for common waits. Count 0 makes an
    /// empty set.
    /// @counterpart the array `ivars`, its number `nelems`
    WaitSet waitSet(long index, int count);
}
