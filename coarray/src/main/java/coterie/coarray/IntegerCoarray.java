// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.ByteView;
import coterie.ElementType;
import coterie.IntView;
import coterie.IntegerView;
import coterie.LongView;
import coterie.ShortView;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

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
    IntegerCoarray placed(Placement placement) {
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
        return view.get(own("get", index));
    }

    /// Stores an element of the caller's own: a plain store, of any thread.
    public void set(long index, long value) {
        view.set(own("set", index), value);
    }

    /// Loads an image's element.
    /// @counterpart `a(index)[image]`
    public long get(long index, int image) {
        return view.get(index, target("get", index, image));
    }

    /// Stores an image's element.
    public void put(long index, long value, int image) {
        view.put(index, value, target("put", index, image));
    }

    /// Loads an image's element as an atomic.
    /// @counterpart `atomic_ref`, `prif_atomic_ref_int`, `prif_atomic_ref_logical`
    public long getAcquire(long index, int image) {
        return view.getAcquire(index, target("getAcquire", index, image));
    }

    /// Stores an image's element as an atomic.
    /// @counterpart `atomic_define`, `prif_atomic_define_int`, `prif_atomic_define_logical`
    public void setRelease(long index, long value, int image) {
        view.setRelease(index, value, target("setRelease", index, image));
    }

    /// Adds; complete after the next synchronization.
    /// @counterpart `atomic_add`, `prif_atomic_add`
    public void add(long index, long delta, int image) {
        view.add(index, delta, target("add", index, image));
    }

    /// Adds, and returns the former value.
    /// @counterpart `atomic_fetch_add`, `prif_atomic_fetch_add`
    public long getAndAdd(long index, long delta, int image) {
        return view.getAndAdd(index, delta, target("getAndAdd", index, image));
    }

    /// Stores, and returns the former value.
    public long getAndSet(long index, long value, int image) {
        return view.getAndSet(index, value, target("getAndSet", index, image));
    }

    /// Applies a bitwise and, and returns the former value.
    /// @counterpart `atomic_fetch_and`, `prif_atomic_fetch_and`
    public long getAndBitwiseAnd(long index, long mask, int image) {
        return view.getAndBitwiseAnd(index, mask, target("getAndBitwiseAnd", index, image));
    }

    /// Applies a bitwise or, and returns the former value.
    /// @counterpart `atomic_fetch_or`, `prif_atomic_fetch_or`
    public long getAndBitwiseOr(long index, long mask, int image) {
        return view.getAndBitwiseOr(index, mask, target("getAndBitwiseOr", index, image));
    }

    /// Applies a bitwise exclusive or, and returns the former value.
    /// @counterpart `atomic_fetch_xor`, `prif_atomic_fetch_xor`
    public long getAndBitwiseXor(long index, long mask, int image) {
        return view.getAndBitwiseXor(index, mask, target("getAndBitwiseXor", index, image));
    }

    /// Stores `value` if the element is `expected`, and returns the former value.
    /// @counterpart `atomic_cas`, `prif_atomic_cas_int`, `prif_atomic_cas_logical`
    public long compareAndExchange(long index, long expected, long value, int image) {
        return view.compareAndExchange(index, expected, value, target("compareAndExchange", index, image));
    }

    /// Copies elements of an image to an array.
    ///
    /// @param targetIndex of the first element in the array
    public void get(long index, long[] target, long targetIndex, long count, int image) {
        StatementChecks.notNull(target, "get", "target");
        int member = array("get", index, target.length, targetIndex, count, image, ElementType.LONG);
        ((LongView) view).get(index, target, targetIndex, count, member);
    }

    /// Copies elements of an array to an image.
    ///
    /// @param sourceIndex of the first element in the array
    public void put(long index, long[] source, long sourceIndex, long count, int image) {
        StatementChecks.notNull(source, "put", "source");
        int member = array("put", index, source.length, sourceIndex, count, image, ElementType.LONG);
        ((LongView) view).put(index, source, sourceIndex, count, member);
    }

    /// Copies a section of an image's array to an array, in the order of the section.
    /// @counterpart `x = a(i:j:k, l)[image]`
    /// @param target as long as the section
    public void get(Section from, long[] target, int image) {
        get(
                from,
                whole("get", from, target == null ? null : MemorySegment.ofArray(target), ElementType.LONG),
                from.dense(),
                image);
    }

    /// Copies an array to a section of an image's array, in the order of the section.
    /// @counterpart `a(i:j:k, l)[image] = x`
    /// @param source as long as the section
    public void put(Section to, long[] source, int image) {
        put(
                to,
                whole("put", to, source == null ? null : MemorySegment.ofArray(source), ElementType.LONG),
                to.dense(),
                image);
    }

    /// Copies elements of an image to an array.
    ///
    /// @param targetIndex of the first element in the array
    public void get(long index, int[] target, long targetIndex, long count, int image) {
        StatementChecks.notNull(target, "get", "target");
        int member = array("get", index, target.length, targetIndex, count, image, ElementType.INT);
        ((IntView) view).get(index, target, targetIndex, count, member);
    }

    /// Copies elements of an array to an image.
    ///
    /// @param sourceIndex of the first element in the array
    public void put(long index, int[] source, long sourceIndex, long count, int image) {
        StatementChecks.notNull(source, "put", "source");
        int member = array("put", index, source.length, sourceIndex, count, image, ElementType.INT);
        ((IntView) view).put(index, source, sourceIndex, count, member);
    }

    /// Copies a section of an image's array to an array, in the order of the section.
    /// @counterpart `x = a(i:j:k, l)[image]`
    /// @param target as long as the section
    public void get(Section from, int[] target, int image) {
        get(
                from,
                whole("get", from, target == null ? null : MemorySegment.ofArray(target), ElementType.INT),
                from.dense(),
                image);
    }

    /// Copies an array to a section of an image's array, in the order of the section.
    /// @counterpart `a(i:j:k, l)[image] = x`
    /// @param source as long as the section
    public void put(Section to, int[] source, int image) {
        put(
                to,
                whole("put", to, source == null ? null : MemorySegment.ofArray(source), ElementType.INT),
                to.dense(),
                image);
    }

    /// Copies elements of an image to an array.
    ///
    /// @param targetIndex of the first element in the array
    public void get(long index, short[] target, long targetIndex, long count, int image) {
        StatementChecks.notNull(target, "get", "target");
        int member = array("get", index, target.length, targetIndex, count, image, ElementType.SHORT);
        ((ShortView) view).get(index, target, targetIndex, count, member);
    }

    /// Copies elements of an array to an image.
    ///
    /// @param sourceIndex of the first element in the array
    public void put(long index, short[] source, long sourceIndex, long count, int image) {
        StatementChecks.notNull(source, "put", "source");
        int member = array("put", index, source.length, sourceIndex, count, image, ElementType.SHORT);
        ((ShortView) view).put(index, source, sourceIndex, count, member);
    }

    /// Copies a section of an image's array to an array, in the order of the section.
    /// @counterpart `x = a(i:j:k, l)[image]`
    /// @param target as long as the section
    public void get(Section from, short[] target, int image) {
        get(
                from,
                whole("get", from, target == null ? null : MemorySegment.ofArray(target), ElementType.SHORT),
                from.dense(),
                image);
    }

    /// Copies an array to a section of an image's array, in the order of the section.
    /// @counterpart `a(i:j:k, l)[image] = x`
    /// @param source as long as the section
    public void put(Section to, short[] source, int image) {
        put(
                to,
                whole("put", to, source == null ? null : MemorySegment.ofArray(source), ElementType.SHORT),
                to.dense(),
                image);
    }

    /// Copies elements of an image to an array.
    ///
    /// @param targetIndex of the first element in the array
    public void get(long index, byte[] target, long targetIndex, long count, int image) {
        StatementChecks.notNull(target, "get", "target");
        int member = array("get", index, target.length, targetIndex, count, image, ElementType.BYTE);
        ((ByteView) view).get(index, target, targetIndex, count, member);
    }

    /// Copies elements of an array to an image.
    ///
    /// @param sourceIndex of the first element in the array
    public void put(long index, byte[] source, long sourceIndex, long count, int image) {
        StatementChecks.notNull(source, "put", "source");
        int member = array("put", index, source.length, sourceIndex, count, image, ElementType.BYTE);
        ((ByteView) view).put(index, source, sourceIndex, count, member);
    }

    /// Copies a section of an image's array to an array, in the order of the section.
    /// @counterpart `x = a(i:j:k, l)[image]`
    /// @param target as long as the section
    public void get(Section from, byte[] target, int image) {
        get(
                from,
                whole("get", from, target == null ? null : MemorySegment.ofArray(target), ElementType.BYTE),
                from.dense(),
                image);
    }

    /// Copies an array to a section of an image's array, in the order of the section.
    /// @counterpart `a(i:j:k, l)[image] = x`
    /// @param source as long as the section
    public void put(Section to, byte[] source, int image) {
        put(
                to,
                whole("put", to, source == null ? null : MemorySegment.ofArray(source), ElementType.BYTE),
                to.dense(),
                image);
    }

    /// Returns core's view of the elements, whose PEs are members of the team that has allocated.
    public IntegerView view() {
        return view;
    }

    private int array(
            String operation, long index, int length, long localIndex, long count, int image, ElementType array) {
        int member = array(operation, index, length, localIndex, count, image);
        checkWidth(operation, array);
        return member;
    }

    private MemorySegment whole(
            String operation, Section section, @Nullable MemorySegment array, ElementType elements) {
        checkWhole(operation, section, array);
        checkWidth(operation, elements);
        return whole(operation, section, array);
    }

    private void checkWidth(String operation, ElementType array) {
        if (view.type().byteSize() != array.byteSize()) {
            throw new IllegalArgumentException(StatementChecks.prefix(operation) + "the array has elements of type "
                    + array + ", and " + this + " of type " + view.type());
        }
    }
}
