// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.layer.SettingSources;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The settings that a join of a [coterie.spi.HostedPe] gives. They come before those of the process, which has
/// one environment for many jobs, and hold in the calls that the join makes.
final class JoinSettings {
    private static final ScopedValue<Map<String, String>> GIVEN = ScopedValue.newInstance();

    /// The origin of such a setting in messages.
    private static final String ORIGIN = "the join";

    private JoinSettings() {}

    /// Returns a call that reads these settings, before those of the process.
    static ScopedValue.Carrier where(Map<String, String> settings) {
        return ScopedValue.where(GIVEN, settings);
    }

    /// Returns the settings of the join whose call this is; empty in other calls.
    static Map<String, String> current() {
        return GIVEN.isBound() ? GIVEN.get() : Map.of();
    }

    /// Returns a setting of the join whose call this is, or null.
    static SettingSources.@Nullable Found of(String name) {
        String value = current().get(name);
        return value == null ? null : new SettingSources.Found(value, ORIGIN);
    }

    /// Throws if a name is no setting of the runtime, or of a module or layer on the path of this program.
    static void check(Map<String, String> settings) {
        if (settings.isEmpty()) {
            return;
        }
        var known = LayerSettings.variables().stream().map(Variable::name).collect(Collectors.toSet());
        for (String name : settings.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("join: there is no setting \"" + name + "\""
                        + new UnknownSettings(LayerSettings.plugins().layers()).question(name)
                        + "; 'coterie info --config' lists them all, and a join takes their names without COTERIE_");
            }
        }
    }
}
