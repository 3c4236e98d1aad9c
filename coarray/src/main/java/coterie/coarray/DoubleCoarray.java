// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.DoubleView;
import java.lang.foreign.MemorySegment;

/// A coarray of `double`s.
public final class DoubleCoarray extends Coarray {
    private final DoubleView view;

    DoubleCoarray(Placement placement, DoubleView view) {
        super(placement, view, 1);
        this.view = view;
    }

    @Override
    DoubleCoarray placed(Placement placement) {
        return new DoubleCoarray(placement, view);
    }

    @Override
    public DoubleCoarray in(ImageTeam team) {
        return (DoubleCoarray) super.in(team);
    }

    @Override
    public DoubleCoarray in(Sibling sibling) {
        return (DoubleCoarray) super.in(sibling);
    }

    /// Returns an element of the caller's own: a plain load, of any thread.
    public double get(long index) {
        return view.get(own("get", index));
    }

    /// Stores an element of the caller's own: a plain store, of any thread.
    public void set(long index, double value) {
        view.set(own("set", index), value);
    }

    /// Loads an image's element.
    /// @counterpart `a(index)[image]`
    public double get(long index, int image) {
        return view.get(index, target("get", index, image));
    }

    /// Stores an image's element.
    public void put(long index, double value, int image) {
        view.put(index, value, target("put", index, image));
    }

    /// Copies elements of an image to an array.
    ///
    /// @param targetIndex of the first element in the array
    public void get(long index, double[] target, long targetIndex, long count, int image) {
        StatementChecks.notNull(target, "get", "target");
        view.get(index, target, targetIndex, count, array("get", index, target.length, targetIndex, count, image));
    }

    /// Copies elements of an array to an image.
    ///
    /// @param sourceIndex of the first element in the array
    public void put(long index, double[] source, long sourceIndex, long count, int image) {
        StatementChecks.notNull(source, "put", "source");
        view.put(index, source, sourceIndex, count, array("put", index, source.length, sourceIndex, count, image));
    }

    /// Copies a section of an image's array to an array, in the order of the section.
    /// @counterpart `x = a(i:j:k, l)[image]`
    /// @param target as long as the section
    public void get(Section from, double[] target, int image) {
        get(from, whole("get", from, target == null ? null : MemorySegment.ofArray(target)), from.dense(), image);
    }

    /// Copies an array to a section of an image's array, in the order of the section.
    /// @counterpart `a(i:j:k, l)[image] = x`
    /// @param source as long as the section
    public void put(Section to, double[] source, int image) {
        put(to, whole("put", to, source == null ? null : MemorySegment.ofArray(source)), to.dense(), image);
    }

    /// Returns core's view of the elements, whose PEs are members of the team that has allocated.
    public DoubleView view() {
        return view;
    }
}
