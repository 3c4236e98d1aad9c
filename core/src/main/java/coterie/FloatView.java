// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;

/// A view of symmetric memory as `float`s, of 4 bytes. [ElementView] has the rules on errors and threads. Only
/// Coterie implements it.
///
/// Loads, stores and swaps of single elements are indivisible and keep every bit. Atomics are atomic with respect
/// to those of an [IntegerView] of the same width on the same memory; an add repeats a compare-and-swap until it
/// succeeds. Not every JVM keeps all bits of a signalling NaN in a `float` variable; an [IntegerView] moves such
/// bits unchanged.
public interface FloatView extends ElementView {

    @Override
    FloatView through(Context context);

    @Override
    FloatView slice(long index, long length);

    /// Returns an element of the caller's own: a plain load.
    float get(long index);

    /// Stores an element of the caller's own: a plain store.
    void set(long index, float value);

    /// Copies elements of an array to the caller's own, as [ElementView#set] does those of a segment.
    void set(long index, float[] source, long sourceIndex, long count);

    /// Copies the caller's own elements to an array, as [ElementView#get(long, MemorySegment, long, long)] does to
    /// a segment.
    void get(long index, float[] target, long targetIndex, long count);

    /// Loads an element of the caller's own, as [IntegerView#getAcquire(long)] does.
    float getAcquire(long index);

    /// Stores an element of the caller's own as an atomic, as [IntegerView#setRelease(long, long)] does.
    void setRelease(long index, float value);

    /// Adds to an element of the caller's own as an atomic, and returns the former value.
    float getAndAdd(long index, float delta);

    /// Stores an element of the caller's own as an atomic, and returns the former value.
    float getAndSet(long index, float value);

    /// Stores `value` as an atomic if the caller's own element has the bits of `expected`, and returns the former
    /// value.
    float compareAndExchange(long index, float expected, float value);

    /// Loads a PE's element.
    /// @counterpart `shmem_TYPE_g`
    float get(long index, int pe);

    /// Stores a PE's element.
    /// @counterpart `shmem_TYPE_p`
    void put(long index, float value, int pe);

    /// Copies elements of an array to a PE, as [ElementView#put] does those of a segment.
    void put(long index, float[] source, long sourceIndex, long count, int pe);

    /// Copies a PE's elements to an array, as [ElementView#get] does to a segment.
    void get(long index, float[] target, long targetIndex, long count, int pe);

    /// Loads an element as an atomic, and acquires all that was ordered before it.
    /// @counterpart `shmem_TYPE_atomic_fetch`
    float getAcquire(long index, int pe);

    /// Stores an element as an atomic, as [IntegerView#setRelease(long, long, int)] does.
    /// @counterpart `shmem_TYPE_atomic_set`
    void setRelease(long index, float value, int pe);

    /// Stores, and returns the former value.
    /// @counterpart `shmem_TYPE_atomic_swap`
    float getAndSet(long index, float value, int pe);

    /// Stores `value` if the element has the bits of `expected`, and returns the former value. C has no such
    /// routine.
    float compareAndExchange(long index, float expected, float value, int pe);

    /// Adds. PEs add in no fixed order, so the last bit of a sum may differ. C has no such routine.
    void add(long index, float delta, int pe);

    /// Adds, and returns the former value.
    float getAndAdd(long index, float delta, int pe);

    /// Starts an atomic as [IntegerView#fetchNbi] does: FETCH, SWAP or ADD.
    /// @counterpart `shmem_TYPE_atomic_fetch_nbi`, `_swap_nbi`
    /// @return the ticket, or 0; see [Context]
    long fetchNbi(AtomicOperation operation, long index, float operand, MemorySegment result, long resultIndex, int pe);
}
