// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.CoterieException;
import coterie.layer.CollectiveLayer;
import coterie.layer.Layer;
import coterie.layer.TransportLayer;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The layers that plug in, as this JVM finds them.
public final class LayerDiscovery {
    /// The fields that every layer has.
    public static final String TUNE = "TUNE";

    /// The level of its messages.
    public static final String LOG_LEVEL = "LOG_LEVEL";

    private static final Pattern LEVEL = Pattern.compile("[A-Z][A-Z0-9_]*");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");

    private LayerDiscovery() {}

    /// What there is.
    ///
    /// @param layers that can be used, by name
    /// @param unusableLayer that can't, by class
    public record Inventory(List<Layer> layers, List<UnusableLayer> unusableLayer) {
        public boolean isEmpty() {
            return layers.isEmpty() && unusableLayer.isEmpty();
        }
    }

    /// All that are there; made anew each time, since each world has its own.
    ///
    /// @param taken names and scores of the runtime's own layers
    /// @throws CoterieException if two layers have one name or one default score, or one has no usable name
    public static Inventory find(Map<String, Set<Integer>> taken) {
        ClassLoader loader = loader();
        Inventory transports = LayerProviders.find(TransportLayer.class, loader);
        Inventory collectives = LayerProviders.find(CollectiveLayer.class, loader);
        List<Layer> layers = sorted(transports.layers, collectives.layers, Layer::name);
        check(layers, taken);
        return new Inventory(
                layers, sorted(transports.unusableLayer, collectives.unusableLayer, UnusableLayer::provider));
    }

    private static <T> List<T> sorted(List<T> some, List<T> others, Function<T, String> key) {
        return Stream.concat(some.stream(), others.stream())
                .sorted(Comparator.comparing(key))
                .toList();
    }

    /// By which the program's classes are found, or the runtime's where a thread has none.
    private static ClassLoader loader() {
        ClassLoader programs = Thread.currentThread().getContextClassLoader();
        return programs == null ? LayerDiscovery.class.getClassLoader() : programs;
    }

    static void check(List<Layer> layers, Map<String, Set<Integer>> taken) {
        Map<String, String> names = new TreeMap<>();
        Map<Integer, String> scores = new TreeMap<>();
        taken.forEach((name, its) -> {
            names.put(name, "the runtime's own");
            its.forEach(score -> scores.put(score, name));
        });
        for (Layer layer : layers) {
            String what = describe(layer) + ": ";
            if (!NAME.matcher(layer.name()).matches()) {
                throw new CoterieException(
                        what + "its name is invalid; allowed: a letter, then letters, digits and _, all in lower case");
            }
            String namesake = names.put(layer.name(), layer.getClass().getName());
            if (namesake != null) {
                throw new CoterieException(what + "another layer has the same name: " + namesake
                        + "; remove one of the two from the class path or the module path");
            }
            int score = layer.defaultScore();
            if (score < 1 || score == Integer.MAX_VALUE) {
                throw new CoterieException(what + "default score " + score + " is outside [1, 2^31 - 2]");
            }
            String rival = scores.put(score, layer.name());
            if (rival != null) {
                throw new CoterieException(what + "its default score " + score + " is also that of layer \"" + rival
                        + "\"; default scores must be distinct");
            }
        }
    }

    /// Refuses names of levels that settings can't spell.
    static void checkLevels(List<String> levels) {
        for (String level : levels) {
            if (!LEVEL.matcher(level).matches() || level.equals("FULL") || Collections.frequency(levels, level) > 1) {
                throw new IllegalArgumentException("level \"" + level + "\" is not a valid name: use a letter, then "
                        + "letters, digits and _, all in upper case, each name once; not FULL");
            }
        }
    }

    /// For people: its name and its class.
    static String describe(Layer layer) {
        return describe(layer.name(), layer.getClass().getName());
    }

    static String describe(String name, String provider) {
        return name.equals(provider) ? "layer " + provider : "layer \"" + name + "\" (" + provider + ")";
    }

    /// The name of its logger, such as `coterie.tl.sockets`.
    static String logger(Layer layer) {
        return "coterie." + (layer instanceof TransportLayer ? "tl." : "cl.") + layer.name();
    }

    /// The setting of a field, such as `TL_SOCKETS_TUNE`.
    public static String setting(Layer layer, String field) {
        String kind = switch (layer) {
            case TransportLayer _ -> "TL_";
            case CollectiveLayer _ -> "CL_";
        };
        return kind + layer.name().toUpperCase(Locale.ROOT) + "_" + field;
    }
}
