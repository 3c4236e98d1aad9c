// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.layer.Layer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Names of environment variables, system properties and lines of the file that are meant as settings, and are
/// none.
///
/// Launchers, tests and programs have names of their own that begin as settings do, and layers that are not on the
/// path of this program have settings. So a name is told only if it is a letter or two away from that of a
/// setting, or begins as those of a layer that is here.
final class UnknownSettings {
    private static final String PROPERTIES = "coterie.";

    /// A name with fewer letters has one mistake at most.
    private static final int LONG = 6;

    private final List<Layer> plugins;
    private final List<Variable> known;

    UnknownSettings(List<Layer> plugins) {
        this.plugins = plugins;
        this.known = LayerSettings.variables(plugins);
    }

    /// What is to be said of the names that are set here, a line each.
    List<String> remarks() {
        return remarks(
                System.getProperties().stringPropertyNames(), System.getenv().keySet(), ConfigurationFile.entries());
    }

    /// The same for other places.
    ///
    /// @param file its lines by the names of settings, such as `TLS`
    List<String> remarks(
            Collection<String> properties, Collection<String> environment, Map<String, ConfigurationFile.Entry> file) {
        List<String> remarks = new ArrayList<>();
        for (String each : unknown(properties, PROPERTIES, Variable::property)) {
            remark("system property " + each, each.substring(PROPERTIES.length()), Variable::property)
                    .ifPresent(remarks::add);
        }
        for (String each : unknown(environment, ConfigurationFile.PREFIX, Variable::variable)) {
            remark("environment variable " + each, afterPrefix(each), Variable::variable)
                    .ifPresent(remarks::add);
        }
        for (String each : unknown(file.keySet(), "", Variable::name)) {
            ConfigurationFile.Entry entry = file.get(each);
            if (entry != null) {
                remark(entry.place() + ": " + ConfigurationFile.PREFIX + each, each, Variable::variable)
                        .ifPresent(remarks::add);
            }
        }
        return remarks;
    }

    private List<String> unknown(Collection<String> names, String prefix, Function<Variable, String> spelling) {
        return names.stream()
                .filter(each -> each.startsWith(prefix))
                .filter(each -> known.stream().map(spelling).noneMatch(each::equals))
                .sorted()
                .toList();
    }

    private Optional<String> remark(String which, String written, Function<Variable, String> spelling) {
        String name = written.toUpperCase(Locale.ROOT).replace('.', '_');
        Optional<String> nearest = nearest(name).map(spelling);
        if (nearest.isEmpty() && !LayerSettings.isOfLayer(name, plugins)) {
            return Optional.empty();
        }
        return Optional.of(which + " sets nothing: there is no such setting"
                + nearest.map(each -> "; the nearest is " + each).orElse("")
                + "; 'coterie info --config' lists them all");
    }

    /// "; the nearest is …" for a name as it would be in the environment, or nothing if none is near.
    String question(String variable) {
        return nearest(variable.startsWith(ConfigurationFile.PREFIX) ? afterPrefix(variable) : variable)
                .map(each -> "; the nearest is " + each.variable())
                .orElse("");
    }

    private static String afterPrefix(String variable) {
        return variable.substring(ConfigurationFile.PREFIX.length());
    }

    private Optional<Variable> nearest(String name) {
        int mistakes = name.length() < LONG ? 1 : 2;
        return SpellingSuggestion.of(name, known.stream().map(Variable::name).toList(), mistakes)
                .flatMap(nearest -> known.stream()
                        .filter(each -> each.name().equals(nearest))
                        .findFirst());
    }
}
