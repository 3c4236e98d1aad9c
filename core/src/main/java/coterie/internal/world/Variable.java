// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.layer.SettingSources;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Something that can be set from outside. The system property `coterie.<name>` wins over the environment variable
/// `COTERIE_<NAME>`, which wins over the line `COTERIE_<NAME> = …` of the [ConfigurationFile], which wins over the
/// default.
///
/// @param name in upper case, such as `TL_P2P_TUNE`
/// @param meaning what it does, and its range
public record Variable(String name, String byDefault, String meaning) {

    /// The one that says which file there is, and so is not set there.
    private static final String FILE = "CONFIG_FILE";

    private static final String DEFAULT = "default";

    /// The system property's name.
    public String property() {
        return "coterie." + name.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /// The environment variable's name, and that of lines of the file.
    public String variable() {
        return ConfigurationFile.PREFIX + name;
    }

    /// The value in force, and where it comes from: "default", the property's or the variable's name, or the file
    /// and the line.
    ///
    /// @throws IllegalArgumentException if there is a file of settings that can't be read
    public SettingSources.Found found() {
        SettingSources.Found found = foundOutsideFile();
        ConfigurationFile.Entry entry =
                !found.origin().equals(DEFAULT) || name.equals(FILE) ? null : ConfigurationFile.of(name);
        return entry == null ? found : new SettingSources.Found(entry.value(), entry.place());
    }

    /// The same where there is no file.
    public SettingSources.Found foundOutsideFile() {
        String property = System.getProperty(property());
        if (property != null) {
            return new SettingSources.Found(property, property());
        }
        String environment = System.getenv(variable());
        return environment == null
                ? new SettingSources.Found(byDefault, DEFAULT)
                : new SettingSources.Found(environment, variable());
    }

    /// For messages: "TL_P2P_TUNE (from coterie.tl.p2p.tune)".
    String nameAndOrigin() {
        return name + " (from " + found().origin() + ")";
    }

    IllegalArgumentException unreadable(SettingSources.Found found, String allowed, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "setting " + name + ": \"" + found.value() + "\" (from " + found.origin() + ") is not " + allowed,
                cause);
    }
}
