// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;

/// Floating-point numbers of 8 bytes in symmetric memory.
///
/// Single elements are loaded, stored and swapped indivisibly and bit for bit. Atomics agree with those of an
/// integer view of the same width on the same memory; adding is a compare-and-swap under way until it succeeds.
/// Whoever needs bits that no `double` variable can carry everywhere (a signalling NaN) moves them by an integer
/// view.
///
/// Errors and threads as in [ElementView].
public interface DoubleView extends ElementView {

    @Override
    DoubleView through(Context context);

    /// An element of my own: a plain load.
    double get(long index);

    /// Stores an element of my own: a plain store.
    void set(long index, double value);

    /// Loads a PE's element. Answers to `shmem_double_g`.
    double get(long index, int pe);

    /// Stores a PE's element. Answers to `shmem_double_p`.
    void put(long index, double value, int pe);

    /// Loads an element as an atomic, and with it all that was ordered before it. Answers to
    /// `shmem_double_atomic_fetch`.
    double atomicFetch(long index, int pe);

    /// Stores an element as an atomic. Answers to `shmem_double_atomic_set`.
    void atomicSet(long index, double value, int pe);

    /// Stores, and returns what was there. Answers to `shmem_double_atomic_swap`.
    double swap(long index, double value, int pe);

    /// Adds. The order in which PEs add is their own, and so is the sum's last bit. No C routine answers to it.
    void add(long index, double delta, int pe);

    /// Adds, and returns what was there.
    double fetchAdd(long index, double delta, int pe);

    /// An atomic whose fetched value comes to memory of mine, after the next [Context#quiet]. Answers to
    /// `shmem_double_atomic_fetch_nbi`, `shmem_double_atomic_swap_nbi`.
    ///
    /// @param operation [AtomicOperation#FETCH], [AtomicOperation#SWAP] or [AtomicOperation#ADD]
    /// @param operand ignored by [AtomicOperation#FETCH]
    /// @param result gets the element as it was, at element `resultIndex` of it
    void fetchNbi(
            AtomicOperation operation, long index, double operand, MemorySegment result, long resultIndex, int pe);
}
