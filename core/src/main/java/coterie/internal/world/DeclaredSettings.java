// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import coterie.layer.Field;
import coterie.spi.SettingsProvider;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The settings that conduits, bootstraps and faces on the path of this program declare, see [SettingsProvider].
///
/// Each query looks for the providers again: programs of one JVM may have different ones.
final class DeclaredSettings {
    private static final String FAILED = "settings of modules that plug in: ";

    private DeclaredSettings() {}

    /// Returns all of them, in the order of the providers' names.
    ///
    /// @throws CoterieException if a provider can't be loaded, or declares what it may not
    static Collection<Variable> all() {
        Map<String, SettingsProvider> providers = new TreeMap<>();
        ClassLoader own = DeclaredSettings.class.getClassLoader();
        ClassLoader programs = Thread.currentThread().getContextClassLoader();
        find(providers, programs == null ? own : programs);
        if (programs != null && !programs.equals(own)) {
            find(providers, own);
        }
        Map<String, Variable> variables = new LinkedHashMap<>();
        providers.forEach((provider, each) -> declare(variables, provider, each.settings()));
        return variables.values();
    }

    /// Returns the setting of a name, or null.
    static @Nullable Variable named(String name) {
        for (Variable each : all()) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    private static void find(Map<String, SettingsProvider> providers, ClassLoader loader) {
        try {
            ServiceLoader.load(SettingsProvider.class, loader)
                    .forEach(each -> providers.putIfAbsent(each.getClass().getName(), each));
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new CoterieException(
                    FAILED + "one can't be loaded; mend it, or remove it from the class path or the module path: "
                            + e.getMessage(),
                    e);
        }
    }

    private static void declare(Map<String, Variable> variables, String provider, List<Field> settings) {
        for (Field each : settings) {
            String name = each.name();
            if (Setting.named(name) != null || name.startsWith("TL_") || name.startsWith("CL_")) {
                throw new CoterieException(FAILED + provider + " declares " + name
                        + ", which is a setting of the runtime or the name of a layer's; rename it");
            }
            if (variables.put(name, new Variable(name, each.byDefault(), each.meaning())) != null) {
                throw new CoterieException(
                        FAILED + provider + " declares " + name + ", which is declared already; rename it");
            }
        }
    }
}
