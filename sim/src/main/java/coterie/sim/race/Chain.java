// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import org.jspecify.annotations.Nullable;

/// An immutable list; the empty one is null.
final class Chain<T> {
    final T first;
    final @Nullable Chain<T> rest;

    Chain(T first, @Nullable Chain<T> rest) {
        this.first = first;
        this.rest = rest;
    }
}
