// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.FloatView;

/// A coarray of `float`s.
public final class FloatCoarray extends Coarray {
    private final FloatView view;

    FloatCoarray(Placement placement, FloatView view) {
        super(placement, view, 1);
        this.view = view;
    }

    @Override
    FloatCoarray at(Placement placement) {
        return new FloatCoarray(placement, view);
    }

    @Override
    public FloatCoarray in(ImageTeam team) {
        return (FloatCoarray) super.in(team);
    }

    @Override
    public FloatCoarray in(Sibling sibling) {
        return (FloatCoarray) super.in(sibling);
    }

    /// Returns an element of the caller's own: a plain load, of any thread.
    public float get(long index) {
        return view.get(index);
    }

    /// Stores an element of the caller's own: a plain store, of any thread.
    public void set(long index, float value) {
        view.set(index, value);
    }

    /// Loads an image's element.
    /// @counterpart `a(index)[image]`
    public float get(long index, int image) {
        return view.get(index, target("get", image));
    }

    /// Stores an image's element.
    public void put(long index, int image, float value) {
        view.put(index, value, target("put", image));
    }

    /// Returns core's view of the elements, whose PEs are members of the team that has allocated.
    public FloatView view() {
        return view;
    }
}
