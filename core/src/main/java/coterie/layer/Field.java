// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.util.Objects;
import java.util.regex.Pattern;

/// Something that people can set of a layer. Answers to `ucc_config_field_t`.
///
/// @param name a letter, then letters, digits and `_`, all in upper case, such as `RADIX`; not `TUNE`, which every
///     layer has
/// @param byDefault the value where nothing sets it
/// @param meaning what it does, its unit and its range: a line for people
public record Field(String name, String byDefault, String meaning) {
    private static final Pattern SPELLING = Pattern.compile("[A-Z][A-Z0-9_]*");

    /// @throws IllegalArgumentException if the name is spelt differently, or is `TUNE`
    public Field {
        if (!SPELLING.matcher(name).matches() || name.equals("TUNE")) {
            throw new IllegalArgumentException("field \"" + name
                    + "\" is not a name: a letter, then letters, digits and _, all in upper case, and not TUNE");
        }
        Objects.requireNonNull(byDefault, "byDefault");
        Objects.requireNonNull(meaning, "meaning");
    }
}
