// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import org.jspecify.annotations.Nullable;

/// An immutable list; the empty one is null.
final class ConsList<T> {
    final T first;
    final @Nullable ConsList<T> rest;

    ConsList(T first, @Nullable ConsList<T> rest) {
        this.first = first;
        this.rest = rest;
    }
}
