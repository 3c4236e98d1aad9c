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

/// Finds misspelt settings among environment variables, system properties and lines of the settings file.
///
/// Launchers, tests and programs have names of their own with the prefix of settings, and so do layers and other
/// modules that are not on the path of this program. So this class reports a name only if it differs from a setting
/// in one or two letters, or begins like the settings of a layer on the path.
final class UnknownSettings {
    private static final String PROPERTIES = "coterie.";

    /// The length from which a name may differ from a setting in two letters; a shorter name may differ in one.
    private static final int LONG = 6;

    private final List<Layer> plugins;
    private final List<Variable> known;
    private boolean hasDeclared;

    UnknownSettings(List<Layer> plugins) {
        this.plugins = plugins;
        this.known = new ArrayList<>(LayerSettings.variables(plugins));
    }

    /// Returns the remarks on the names that are set in this process and its file, a line each.
    List<String> remarks() {
        return remarks(
                System.getProperties().stringPropertyNames(), System.getenv().keySet(), ConfigurationFile.entries());
    }

    /// Returns the remarks on some names, a line each.
    ///
    /// @param file the lines of the file by the names of settings, such as `TLS`
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
        List<String> unknown = names.stream()
                .filter(each -> each.startsWith(prefix) && !JobEnvironment.isName(each))
                .filter(each -> isUnknown(each, spelling))
                .sorted()
                .toList();
        if (unknown.isEmpty() || hasDeclared) {
            return unknown;
        }
        addDeclared();
        return unknown.stream().filter(each -> isUnknown(each, spelling)).toList();
    }

    private boolean isUnknown(String name, Function<Variable, String> spelling) {
        return known.stream().map(spelling).noneMatch(name::equals);
    }

    /// Adds what modules on the path declare: not before a name asks for it, since most joins meet none.
    private void addDeclared() {
        if (!hasDeclared) {
            hasDeclared = true;
            known.addAll(DeclaredSettings.all());
        }
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

    /// Returns "; the nearest is …" for the name of an environment variable, or an empty string.
    String question(String variable) {
        addDeclared();
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
