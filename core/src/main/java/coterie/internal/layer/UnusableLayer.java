// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.CoterieException;

/// A layer that is declared and can't be used: it can't be loaded or made, or does not say what it is.
///
/// @param name its own, or that of its class where it does not say
/// @param provider its class, as it was declared
public record UnusableLayer(String name, String provider, Throwable cause) {

    /// For people: why.
    public String reason() {
        return LayerErrors.reason(cause);
    }

    /// The same as an exception, which names it.
    CoterieException refusal() {
        return new CoterieException(this + " can't be used: " + reason(), cause);
    }

    @Override
    public String toString() {
        return LayerDiscovery.describe(name, provider);
    }
}
