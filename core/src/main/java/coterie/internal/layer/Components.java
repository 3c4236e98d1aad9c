// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.CoterieException;
import coterie.ThreadLevel;
import coterie.layer.Attributes;
import coterie.layer.Layer;
import coterie.layer.LayerLibrary;
import coterie.layer.TransportLayer;
import coterie.layer.WorldParameters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// The layers that plug in and may serve in a world of this PE, by class: the same on all PEs, whether they work
/// there or not.
public final class Components {
    /// Where there are none.
    public static final Components NONE = new Components(List.of(), Long.MAX_VALUE);

    /// So many have a bit each.
    private static final int MOST = Long.SIZE - 1;

    private static final System.Logger LOGGER = System.getLogger("coterie");

    private final List<Component> list;
    private final long patienceNanos;

    private Components(List<Component> list, long patienceNanos) {
        this.list = list;
        this.patienceNanos = patienceNanos;
    }

    /// What a world wants of layers.
    ///
    /// @param me the PE
    /// @param nodes of all PEs
    /// @param level of the PE's threads
    /// @param isSimulated whether its network is
    /// @param openTimeoutNanos how long a layer may take to open a team
    public record LayerParameters(
            int me, List<Integer> nodes, ThreadLevel level, boolean isSimulated, long openTimeoutNanos) {
        WorldParameters world() {
            return new WorldParameters(me, nodes, level);
        }
    }

    /// Whom people want.
    public interface LayerFilter {
        /// Whether a layer may serve teams or groups, and so is opened.
        boolean opens(String layer);

        /// Whether it was asked for by its name, so that it is an error if it does not work.
        boolean asksFor(String layer);
    }

    /// Opens layers.
    ///
    /// @param settingSources of the values of their fields
    /// @throws CoterieException if one was asked for by its name, and does not work
    /// @throws IllegalArgumentException if people have set a field of one to what can't be
    public static Components open(
            LayerDiscovery.Inventory plugins,
            LayerFilter layerFilter,
            SettingSources settingSources,
            LayerParameters layerParameters) {
        List<Component> opened = new ArrayList<>();
        try {
            for (UnusableLayer each : plugins.unusableLayer()) {
                if (layerFilter.opens(each.name())) {
                    opened.add(unusable(each, layerFilter.asksFor(each.name()), layerParameters));
                }
            }
            for (Layer layer : plugins.layers()) {
                if (layerFilter.opens(layer.name())) {
                    opened.add(open(layer, layerFilter.asksFor(layer.name()), settingSources, layerParameters));
                }
            }
            if (opened.size() > MOST) {
                throw new CoterieException("joining on PE " + layerParameters.me + ": " + opened.size()
                        + " layers are on the path, and at most " + MOST + " can be used; select layers with the "
                        + "setting TLS");
            }
        } catch (Throwable e) {
            opened.forEach(each -> quietly(each.toString(), each::close));
            throw e;
        }
        opened.sort(Comparator.comparing(Component::provider));
        return opened.isEmpty() ? NONE : new Components(List.copyOf(opened), layerParameters.openTimeoutNanos);
    }

    private static Component unusable(UnusableLayer unusableLayer, boolean isNamed, LayerParameters layerParameters) {
        if (isNamed) {
            throw new CoterieException(
                    "joining on PE " + layerParameters.me + ": "
                            + unusableLayer.refusal().getMessage() + "; the setting TLS names it",
                    unusableLayer.cause());
        }
        Component component = Component.unusable(unusableLayer);
        report(component, layerParameters);
        return component;
    }

    private static Component open(
            Layer layer, boolean isNamed, SettingSources settingSources, LayerParameters layerParameters) {
        boolean isOutOfPlace = layerParameters.isSimulated && layer instanceof TransportLayer;
        try {
            if (isOutOfPlace) {
                throw new CoterieException("a simulation models the network itself and can't use transport layers");
            }
            FieldValues values = new FieldValues(layer, settingSources, layerParameters.world());
            values.logger(); // refuses a level that is none, whether the layer logs or not
            LayerLibrary library = layer.open(values);
            return open(layer, Objects.requireNonNull(library, "its library is null"), isNamed, layerParameters);
        } catch (SettingException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            CoterieException why = new CoterieException(
                    LayerDiscovery.describe(layer) + " does not work on PE " + layerParameters.me + ": "
                            + LayerErrors.reason(e),
                    e);
            if (isNamed) {
                throw why;
            }
            Component component = Component.refused(layer, why);
            if (isOutOfPlace) {
                component.isReported(); // and is never told: no user expects it there
            } else {
                report(component, layerParameters);
            }
            return component;
        }
    }

    /// All PEs have the same layers as a rule, so that one says it; teams tell where that is otherwise.
    private static void report(Component refused, LayerParameters layerParameters) {
        if (layerParameters.me == 0 && refused.isReported()) {
            LOGGER.log(System.Logger.Level.WARNING, String.valueOf(refused.whyNot(1)));
        }
    }

    private static Component open(Layer layer, LayerLibrary library, boolean isNamed, LayerParameters layerParameters) {
        try {
            Attributes attributes = Objects.requireNonNull(library.attributes(), "its attributes are null");
            if (attributes.threadLevel().compareTo(layerParameters.level) < 0) {
                throw new CoterieException("it supports thread level " + attributes.threadLevel()
                        + " at most, but the world was joined at " + layerParameters.level);
            }
            return Component.open(layer, library, attributes, isNamed);
        } catch (Throwable e) {
            quietly(LayerDiscovery.describe(layer), library::close);
            throw e;
        }
    }

    /// All, whether they work or not.
    public List<Component> list() {
        return list;
    }

    public boolean isEmpty() {
        return list.isEmpty();
    }

    /// How long one may take to open a team.
    public long openTimeoutNanos() {
        return patienceNanos;
    }

    /// Closes all; what they throw is told, since the world ends all the same.
    public void close() {
        for (Component each : list) {
            quietly(each.toString(), each::close);
        }
    }

    /// Has a layer let go of something, and logs what it throws.
    public static void quietly(String owner, Runnable closing) {
        try {
            closing.run();
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            LOGGER.log(System.Logger.Level.WARNING, owner + " failed to close", e);
        }
    }
}
