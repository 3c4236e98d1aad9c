// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;
import java.time.Duration;

/// Integers of 1, 2, 4 or 8 bytes, signed or unsigned, in symmetric memory.
///
/// Values travel as `long`: an element that is read is sign-extended, or zero-extended in an [#unsigned] view, and
/// of a value that is written the low bits are stored, as a cast does. Unsigned 8-byte values are those of
/// [Long#toUnsignedString(long)].
///
/// Single elements are loaded and stored indivisibly. *Atomics* are indivisible steps, wrap on overflow, and agree
/// with all other atomics on the element, whichever PE issues them and of whichever form; elements beside it stay
/// as they are, of 1 and 2 bytes too. Those that fetch return on completion; the others are complete, as puts are,
/// after the next [Context#quiet].
///
/// Waits and tests look at **my own** elements, whoever changes them. What the writer had ordered before the
/// change (by a fence, a quiet or a signal) is then visible to me.
///
/// Errors and threads as in [ElementView].
public interface IntegerView extends ElementView {

    @Override
    IntegerView through(Context context);

    /// The same elements, read and compared as unsigned numbers.
    IntegerView unsigned();

    /// An element of my own: a plain load.
    long get(long index);

    /// Stores an element of my own: a plain store.
    void set(long index, long value);

    /// Loads a PE's element. Answers to `shmem_g`.
    long get(long index, int pe);

    /// Stores a PE's element. Answers to `shmem_p`.
    void put(long index, long value, int pe);

    /// Loads an element as an atomic, and with it all that was ordered before it. Answers to `shmem_atomic_fetch`.
    long atomicFetch(long index, int pe);

    /// Stores an element as an atomic. Answers to `shmem_atomic_set`.
    void atomicSet(long index, long value, int pe);

    /// Adds. Answers to `shmem_atomic_add`, `shmem_atomic_inc`.
    void add(long index, long delta, int pe);

    /// Adds, and returns what was there. Answers to `shmem_atomic_fetch_add`, `shmem_atomic_fetch_inc`.
    long fetchAdd(long index, long delta, int pe);

    /// Stores, and returns what was there. Answers to `shmem_atomic_swap`.
    long swap(long index, long value, int pe);

    /// Stores `value` if the element is `expected`, and returns what was there: `expected` means that it was
    /// stored. Answers to `shmem_atomic_compare_swap`.
    long compareAndSwap(long index, long expected, long value, int pe);

    /// Bitwise and. Answers to `shmem_atomic_and`.
    void and(long index, long mask, int pe);

    /// Bitwise and; returns what was there. Answers to `shmem_atomic_fetch_and`.
    long fetchAnd(long index, long mask, int pe);

    /// Bitwise or. Answers to `shmem_atomic_or`.
    void or(long index, long mask, int pe);

    /// Bitwise or; returns what was there. Answers to `shmem_atomic_fetch_or`.
    long fetchOr(long index, long mask, int pe);

    /// Bitwise exclusive or. Answers to `shmem_atomic_xor`.
    void xor(long index, long mask, int pe);

    /// Bitwise exclusive or; returns what was there. Answers to `shmem_atomic_fetch_xor`.
    long fetchXor(long index, long mask, int pe);

    /// An atomic whose fetched value comes to memory of mine, after the next [Context#quiet]; its effect on the
    /// element is ordered by a fence as a put is. Answers to `shmem_atomic_fetch_add_nbi` and its kind.
    ///
    /// @param operand ignored by [AtomicOperation#FETCH]
    /// @param result gets the element as it was, at element `resultIndex` of it
    void fetchNbi(AtomicOperation operation, long index, long operand, MemorySegment result, long resultIndex, int pe);

    /// [#compareAndSwap], the old value as in [#fetchNbi]. Answers to `shmem_atomic_compare_swap_nbi`.
    void compareAndSwapNbi(long index, long expected, long value, MemorySegment result, long resultIndex, int pe);

    /// Waits until an element of mine compares with `operand` as asked, and returns the value that did. Answers to
    /// `shmem_wait_until`.
    ///
    /// @throws PeFailedException if a PE fails meanwhile, or all others have ended
    long waitUntil(long index, Comparison comparison, long operand);

    /// The same with a deadline.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if the condition has not come to hold within `timeout`
    long waitUntil(long index, Comparison comparison, long operand, Duration timeout);

    /// Whether an element of mine compares with `operand` as asked, now. Never waits. Answers to `shmem_test`.
    boolean test(long index, Comparison comparison, long operand);

    /// A set of my own elements to wait for together.
    ///
    /// @param count how many, from `index` on; 0 is an empty set
    WaitSet waitSet(long index, int count);
}
