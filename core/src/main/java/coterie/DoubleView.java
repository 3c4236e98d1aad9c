// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;

/// A view of symmetric memory as `double`s, of 8 bytes. The rules of [FloatView] hold for it. Only Coterie
/// implements it.
public interface DoubleView extends ElementView {

    @Override
    DoubleView through(Context context);

    @Override
    DoubleView slice(long index, long length);

    /// Returns an element of the caller's own: a plain load.
    double get(long index);

    /// Stores an element of the caller's own: a plain store.
    void set(long index, double value);

    /// Copies elements of an array to the caller's own, as [ElementView#set] does those of a segment.
    void set(long index, double[] source, long sourceIndex, long count);

    /// Copies the caller's own elements to an array, as [ElementView#get(long, MemorySegment, long, long)] does to
    /// a segment.
    void get(long index, double[] target, long targetIndex, long count);

    /// Loads an element of the caller's own, as [IntegerView#getAcquire(long)] does.
    double getAcquire(long index);

    /// Stores an element of the caller's own as an atomic, as [IntegerView#setRelease(long, long)] does.
    void setRelease(long index, double value);

    /// Adds to an element of the caller's own as an atomic, and returns the former value.
    double getAndAdd(long index, double delta);

    /// Stores an element of the caller's own as an atomic, and returns the former value.
    double getAndSet(long index, double value);

    /// Stores `value` as an atomic if the caller's own element has the bits of `expected`, and returns the former
    /// value.
    double compareAndExchange(long index, double expected, double value);

    /// Loads a PE's element.
    /// @counterpart `shmem_TYPE_g`
    double get(long index, int pe);

    /// Stores a PE's element.
    /// @counterpart `shmem_TYPE_p`
    void put(long index, double value, int pe);

    /// Copies elements of an array to a PE, as [ElementView#put] does those of a segment.
    void put(long index, double[] source, long sourceIndex, long count, int pe);

    /// Copies a PE's elements to an array, as [ElementView#get] does to a segment.
    void get(long index, double[] target, long targetIndex, long count, int pe);

    /// Loads an element as an atomic, and acquires all that was ordered before it.
    /// @counterpart `shmem_TYPE_atomic_fetch`
    double getAcquire(long index, int pe);

    /// Stores an element as an atomic, as [IntegerView#setRelease(long, long, int)] does.
    /// @counterpart `shmem_TYPE_atomic_set`
    void setRelease(long index, double value, int pe);

    /// Stores, and returns the former value.
    /// @counterpart `shmem_TYPE_atomic_swap`
    double getAndSet(long index, double value, int pe);

    /// Stores `value` if the element has the bits of `expected`, and returns the former value. C has no such
    /// routine.
    double compareAndExchange(long index, double expected, double value, int pe);

    /// Adds. PEs add in no fixed order, so the last bit of a sum may differ. C has no such routine.
    void add(long index, double delta, int pe);

    /// Adds, and returns the former value.
    double getAndAdd(long index, double delta, int pe);

    /// Starts an atomic as [IntegerView#fetchNbi] does: FETCH, SWAP or ADD.
    /// @counterpart `shmem_TYPE_atomic_fetch_nbi`, `_swap_nbi`
    /// @return the ticket, or 0; see [Context]
    long fetchNbi(
            AtomicOperation operation, long index, double operand, MemorySegment result, long resultIndex, int pe);
}
