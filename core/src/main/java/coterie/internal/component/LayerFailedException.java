// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.CoterieException;
import coterie.internal.layer.Component;
import coterie.internal.layer.LayerErrors;
import coterie.internal.p2p.ToldCause;

/// A layer has failed in a collective on this PE.
final class LayerFailedException extends CoterieException implements ToldCause {
    private static final long serialVersionUID = 1L;

    private final String told;

    /// @param what it has failed in, such as `allreduce by ring on team "world"`
    LayerFailedException(Component component, String what, int pe, Throwable why) {
        super(component + " failed in " + what + ", PE " + pe + ": " + LayerErrors.reason(why), why);
        String message = String.valueOf(why.getMessage());
        this.told = "layer " + component.name() + ": "
                + (why instanceof CoterieException ? message : why.getClass().getSimpleName() + ": " + message);
    }

    @Override
    public String told() {
        return told;
    }
}
