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

    /// Copies the caller's own elements to an array, as [ElementView#get(long, MemorySegment, long, long)] does to a
    /// segment.
    void get(long index, double[] target, long targetIndex, long count);

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
    double atomicFetch(long index, int pe);

    /// Stores an element as an atomic.
    /// @counterpart `shmem_TYPE_atomic_set`
    void atomicSet(long index, double value, int pe);

    /// Stores, and returns the former value.
    /// @counterpart `shmem_TYPE_atomic_swap`
    double swap(long index, double value, int pe);

    /// Adds. PEs add in no fixed order, so the last bit of a sum may differ. C has no such routine.
    void add(long index, double delta, int pe);

    /// Adds, and returns the former value.
    double fetchAdd(long index, double delta, int pe);

    /// Starts an atomic as [IntegerView#fetchNbi] does: FETCH, SWAP or ADD.
    /// @counterpart `shmem_TYPE_atomic_fetch_nbi`, `_swap_nbi`
    /// @return the ticket, or 0; see [Context]
    long fetchNbi(
            AtomicOperation operation, long index, double operand, MemorySegment result, long resultIndex, int pe);
}
