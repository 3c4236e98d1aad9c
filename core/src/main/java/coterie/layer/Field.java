// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.util.Objects;
import java.util.regex.Pattern;

/// A setting of a layer, or of another module that plugs in.
/// @counterpart `ucc_config_field_t`, `UCC_CONFIG_TYPE_UINT` and the other types
/// @param name a letter, then letters, digits and `_`, all in upper case, such as `RADIX`; not `TUNE` or
///     `LOG_LEVEL`, which every layer has, nor `TLS` or a name that ends with `_TLS`, which collective layers have
/// @param byDefault the value unless the user sets another
/// @param meaning one line for the user: effect, unit and range
public record Field(String name, String byDefault, String meaning) {
    private static final Pattern SPELLING = Pattern.compile("[A-Z][A-Z0-9_]*");

    /// @throws IllegalArgumentException if the name is spelt differently, or reserved
    public Field {
        Objects.requireNonNull(name, "Field: name is null");
        Objects.requireNonNull(byDefault, "Field: byDefault is null");
        Objects.requireNonNull(meaning, "Field: meaning is null");
        if (!SPELLING.matcher(name).matches()
                || name.equals("TUNE")
                || name.equals("LOG_LEVEL")
                || name.equals("TLS")
                || name.endsWith("_TLS")) {
            throw new IllegalArgumentException("field \"" + name
                    + "\" is not a valid name: use a letter, then letters, digits and _, all in upper case; not TUNE,"
                    + " LOG_LEVEL, TLS, or a name that ends with _TLS");
        }
    }
}
