// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import org.jspecify.annotations.Nullable;

/// People have set a field of a layer to what it can't be: unlike a failure of the layer, that is theirs to mend.
final class FieldValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    FieldValueException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
