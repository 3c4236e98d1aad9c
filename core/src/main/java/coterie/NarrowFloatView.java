// SPDX-License-Identifier: Apache-2.0
package coterie;

/// A view of symmetric memory as floating-point numbers of 16 or 8 bits: [ElementType#HALF], [ElementType#BFLOAT16],
/// [ElementType#FLOAT8_E4M3] or [ElementType#FLOAT8_E5M2]. Single elements and arrays are `float`s on the caller's
/// side. [ElementView] has the rules on errors and threads. Only Coterie implements it.
///
/// What is stored is rounded to the nearest number of the type, of two that are as near to the one whose last bit is
/// 0; what is too large becomes infinite, of FLOAT8_E4M3, which has no infinity, NaN. What is loaded is exact. The
/// operations on segments, and [#getBits] and [#setBits], move elements as they are.
///
/// Loads and stores of single elements are indivisible. Numbers of 16 bits have one kind of atomic, to add: it
/// repeats a compare-and-swap until no other atomic comes between, and leaves the elements beside it as they are.
/// Bits are swapped and compared through a [ShortView] on the same memory, whose atomics agree with it. An atomic of
/// numbers of 8 bits throws an [IllegalArgumentException], and they have no reductions. Sums of several members by a
/// reduction are rounded once, see [Reduction], those by an atomic at each add.
public interface NarrowFloatView extends ElementView {

    @Override
    NarrowFloatView through(Context context);

    @Override
    NarrowFloatView slice(long index, long length);

    /// Returns an element of the caller's own: a plain load.
    float get(long index);

    /// Stores an element of the caller's own: a plain store.
    void set(long index, float value);

    /// Rounds elements of an array into the caller's own `[index, index + count)`.
    void set(long index, float[] source, long sourceIndex, long count);

    /// Copies the caller's own `[index, index + count)` to an array.
    void get(long index, float[] target, long targetIndex, long count);

    /// Loads a PE's element.
    /// @counterpart `nvshmem_half_g`, `nvshmem_bfloat16_g`
    float get(long index, int pe);

    /// Stores a PE's element.
    /// @counterpart `nvshmem_half_p`, `nvshmem_bfloat16_p`
    void put(long index, float value, int pe);

    /// Rounds elements of an array into a PE's `[index, index + count)`. Allocates where the caller can't store into
    /// the PE's memory: a few KiB.
    void put(long index, float[] source, long sourceIndex, long count, int pe);

    /// Copies a PE's `[index, index + count)` to an array. Allocates where the caller can't load from the PE's
    /// memory: a few KiB.
    void get(long index, float[] target, long targetIndex, long count, int pe);

    /// Adds to an element of the caller's own as an atomic, and returns the former value; see [#add].
    float getAndAdd(long index, float delta);

    /// Adds as an atomic: the sum of two `float`s is rounded to the type. PEs add in no fixed order, so that a sum
    /// that is rounded may differ. C has no such routine.
    ///
    /// @throws IllegalArgumentException if elements have 8 bits
    void add(long index, float delta, int pe);

    /// Adds, and returns the former value; see [#add].
    float getAndAdd(long index, float delta, int pe);
}
