// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;

/// A coarray of integers of 1, 2, 4 or 8 bytes, which sign-extend to `long`; a store keeps the low bits.
///
/// Atomics have the names of [java.lang.invoke.VarHandle]. They are indivisible, wrap on overflow, and are
/// complete on return, but for [#add].
/// @counterpart `integer` coarrays, `atomic_int_kind`, as 0 and 1 `atomic_logical_kind`
public final class IntegerCoarray extends Coarray {
    private final IntegerView view;

    IntegerCoarray(Placement placement, IntegerView view) {
        super(placement, view, 1);
        this.view = view;
    }

    @Override
    IntegerCoarray at(Placement placement) {
        return new IntegerCoarray(placement, view);
    }

    @Override
    public IntegerCoarray in(ImageTeam team) {
        return (IntegerCoarray) super.in(team);
    }

    @Override
    public IntegerCoarray in(Sibling sibling) {
        return (IntegerCoarray) super.in(sibling);
    }

    /// Returns an element of the caller's own: a plain load, of any thread.
    public long get(long index) {
        return view.get(index);
    }

    /// Stores an element of the caller's own: a plain store, of any thread.
    public void set(long index, long value) {
        view.set(index, value);
    }

    /// Loads an image's element.
    /// @counterpart `a(index)[image]`
    public long get(long index, int image) {
        return view.get(index, target("get", image));
    }

    /// Stores an image's element.
    public void put(long index, int image, long value) {
        view.put(index, value, target("put", image));
    }

    /// Loads an image's element as an atomic.
    /// @counterpart `atomic_ref`, `prif_atomic_ref_int`, `prif_atomic_ref_logical`
    public long getVolatile(long index, int image) {
        return view.atomicFetch(index, target("getVolatile", image));
    }

    /// Stores an image's element as an atomic.
    /// @counterpart `atomic_define`, `prif_atomic_define_int`, `prif_atomic_define_logical`
    public void setVolatile(long index, int image, long value) {
        view.atomicSet(index, value, target("setVolatile", image));
    }

    /// Adds; complete after the next synchronisation.
    /// @counterpart `atomic_add`, `prif_atomic_add`
    public void add(long index, int image, long delta) {
        view.add(index, delta, target("add", image));
    }

    /// Adds, and returns the former value.
    /// @counterpart `atomic_fetch_add`, `prif_atomic_fetch_add`
    public long getAndAdd(long index, int image, long delta) {
        return view.fetchAdd(index, delta, target("getAndAdd", image));
    }

    /// Stores, and returns the former value.
    public long getAndSet(long index, int image, long value) {
        return view.swap(index, value, target("getAndSet", image));
    }

    /// Applies a bitwise and, and returns the former value.
    /// @counterpart `atomic_fetch_and`, `prif_atomic_fetch_and`
    public long getAndBitwiseAnd(long index, int image, long mask) {
        return view.fetchAnd(index, mask, target("getAndBitwiseAnd", image));
    }

    /// Applies a bitwise or, and returns the former value.
    /// @counterpart `atomic_fetch_or`, `prif_atomic_fetch_or`
    public long getAndBitwiseOr(long index, int image, long mask) {
        return view.fetchOr(index, mask, target("getAndBitwiseOr", image));
    }

    /// Applies a bitwise exclusive or, and returns the former value.
    /// @counterpart `atomic_fetch_xor`, `prif_atomic_fetch_xor`
    public long getAndBitwiseXor(long index, int image, long mask) {
        return view.fetchXor(index, mask, target("getAndBitwiseXor", image));
    }

    /// Stores `value` if the element is `expected`, and returns the former value.
    /// @counterpart `atomic_cas`, `prif_atomic_cas_int`, `prif_atomic_cas_logical`
    public long compareAndExchange(long index, int image, long expected, long value) {
        return view.compareAndSwap(index, expected, value, target("compareAndExchange", image));
    }

    /// Returns core's view of the elements, whose PEs are members of the team that has allocated.
    public IntegerView view() {
        return view;
    }
}
