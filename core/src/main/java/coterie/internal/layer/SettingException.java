// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import org.jspecify.annotations.Nullable;

/// A setting has a value that is not allowed. The user can correct it, and the message has all that the user
/// needs for that: a program that ends with this exception prints no stack.
public final class SettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public SettingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
