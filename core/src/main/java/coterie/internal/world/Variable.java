// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.layer.SettingException;
import coterie.internal.layer.SettingSources;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A setting: a value from outside the program. The system property `coterie.<name>` has precedence over the
/// environment variable `COTERIE_<NAME>`, which has precedence over the line `COTERIE_<NAME> = …` of the
/// [ConfigurationFile], which has precedence over the default. A setting of a join ([JoinSettings]) has precedence
/// over all of them.
///
/// @param name in upper case, such as `TL_P2P_TUNE`
/// @param meaning its effect and its range
public record Variable(String name, String byDefault, String meaning) {

    /// The setting that names the file; the file itself can't set it.
    private static final String FILE = "CONFIG_FILE";

    private static final String DEFAULT = "default";

    /// Returns the name of the system property.
    public String property() {
        return "coterie." + name.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /// Returns the name of the environment variable, which lines of the file have too.
    public String variable() {
        return ConfigurationFile.PREFIX + name;
    }

    /// Returns the current value and its origin: "default", "the join", the name of the property or of the
    /// variable, or the file and the line.
    ///
    /// @throws IllegalArgumentException if the settings file exists and can't be read
    public SettingSources.Found found() {
        SettingSources.Found found = foundOutsideFile();
        ConfigurationFile.Entry entry =
                !found.origin().equals(DEFAULT) || name.equals(FILE) ? null : ConfigurationFile.of(name);
        return entry == null ? found : new SettingSources.Found(entry.value(), entry.place());
    }

    /// Returns the value and its origin as [#found], without the file.
    public SettingSources.Found foundOutsideFile() {
        SettingSources.Found given = JoinSettings.of(name);
        if (given != null) {
            return given;
        }
        String property = System.getProperty(property());
        if (property != null) {
            return new SettingSources.Found(property, property());
        }
        String environment = System.getenv(variable());
        return environment == null
                ? new SettingSources.Found(byDefault, DEFAULT)
                : new SettingSources.Found(environment, variable());
    }

    /// Returns name and origin for messages: "TL_P2P_TUNE (from coterie.tl.p2p.tune)".
    String nameAndOrigin() {
        return name + " (from " + found().origin() + ")";
    }

    SettingException unreadable(SettingSources.Found found, String allowed, @Nullable Throwable cause) {
        return new SettingException(
                "setting " + name + ": \"" + found.value() + "\" (from " + found.origin() + ") is not " + allowed,
                cause);
    }
}
