// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.DoubleView;

/// A coarray of `double`s.
public final class DoubleCoarray extends Coarray {
    private final DoubleView view;

    DoubleCoarray(Placement placement, DoubleView view) {
        super(placement, view, 1);
        this.view = view;
    }

    @Override
    DoubleCoarray at(Placement placement) {
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
        return view.get(index);
    }

    /// Stores an element of the caller's own: a plain store, of any thread.
    public void set(long index, double value) {
        view.set(index, value);
    }

    /// Loads an image's element.
    /// @counterpart `a(index)[image]`
    public double get(long index, int image) {
        return view.get(index, target("get", image));
    }

    /// Stores an image's element.
    public void put(long index, int image, double value) {
        view.put(index, value, target("put", image));
    }

    /// Returns core's view of the elements, whose PEs are members of the team that has allocated.
    public DoubleView view() {
        return view;
    }
}
