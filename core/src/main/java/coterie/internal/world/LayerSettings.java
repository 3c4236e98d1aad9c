// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.ThreadLevel;
import coterie.internal.collective.ComponentRegistry;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.layer.LayerAttributes;
import coterie.internal.layer.LayerDiscovery;
import coterie.internal.layer.LayerErrors;
import coterie.internal.memory.SelectionSettings;
import coterie.internal.schedule.PipelineParameters;
import coterie.internal.score.Diagnostic;
import coterie.layer.Field;
import coterie.layer.Layer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What people have set of the layers that serve collectives, the runtime's own and those that plug in.
public final class LayerSettings {
    private LayerSettings() {}

    /// The layers of a world, as they are set.
    record OfWorld(ComponentRegistry registry, Components components) {}

    /// Opens the layers of a world. PE 0 logs what of the settings can't be used.
    ///
    /// @throws IllegalArgumentException if the list can't be read; where tuning is strict, also for what can't be
    ///     used or has no effect
    /// @throws coterie.CoterieException if layers that plug in are at odds, or one that is named does not work
    static OfWorld open(int me, int size, ThreadLevel level, boolean isSimulated) {
        LayerDiscovery.Inventory plugins = plugins();
        ComponentRegistry registry = registry(plugins);
        Integer seconds = Setting.LAYER_OPEN_TIMEOUT_S.number();
        long patience = seconds == null ? Long.MAX_VALUE : seconds * 1_000_000_000L;
        Components components = plugins.isEmpty()
                ? Components.NONE
                : Components.open(
                        plugins,
                        registry,
                        (name, byDefault) -> new Variable(name, byDefault, "").found(),
                        new Components.LayerParameters(me, level, isSimulated, patience));
        boolean isOpen = false;
        try {
            List<String> remarks = remarks(registry, size);
            remarks.addAll(new UnknownSettings(plugins.layers()).remarks());
            for (Component component : components.list()) {
                if (component.refusal() == null) {
                    remarks.addAll(remarks(registry, component.layerAttributes(), size));
                }
            }
            judge(remarks, me);
            isOpen = true;
        } finally {
            if (!isOpen) {
                components.close();
            }
        }
        return new OfWorld(registry, components);
    }

    private static void judge(List<String> remarks, int me) {
        if (Setting.TUNE_STRICT.flag() && !remarks.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", remarks));
        }
        if (me == 0) {
            System.Logger logger = System.getLogger("coterie");
            remarks.forEach(remark -> logger.log(System.Logger.Level.WARNING, remark));
        }
    }

    /// The layers as they are set.
    public static ComponentRegistry registry() {
        return registry(plugins());
    }

    private static ComponentRegistry registry(LayerDiscovery.Inventory plugins) {
        Map<String, String> tunes = new HashMap<>();
        plugins.unusableLayer().forEach(each -> tunes.put(each.name(), "")); // people may name them, to be without them
        ComponentRegistry.names().forEach(layer -> tunes.put(layer, tune(layer).value()));
        Map<String, String> settings = new HashMap<>();
        for (Layer layer : plugins.layers()) {
            tunes.put(layer.name(), tune(layer).found().value());
            settings.put(layer.name(), tune(layer).nameAndOrigin());
        }
        try {
            return registry(tunes, settings);
        } catch (IllegalArgumentException e) {
            String unusable = plugins.unusableLayer().stream()
                    .map(each -> "; " + each + " can't be used: " + each.reason())
                    .collect(Collectors.joining());
            throw unusable.isEmpty() ? e : new IllegalArgumentException(e.getMessage() + unusable, e);
        }
    }

    /// What stands for each of [SelectionSettings#NAMES], to compare it with other PEs'.
    static int[] common() {
        Map<String, String> tunes = new TreeMap<>();
        plugins()
                .layers()
                .forEach(layer -> tunes.put(layer.name(), tune(layer).found().value()));
        tunes.values().removeIf(String::isEmpty);
        return SelectionSettings.NAMES.stream()
                .mapToInt(name -> name.equals(SelectionSettings.PLUGGED_TUNES)
                        ? tunes.hashCode()
                        : Setting.valueOf(name).value().hashCode())
                .toArray();
    }

    private static ComponentRegistry registry(Map<String, String> tunes, Map<String, String> settings) {
        Setting radix = Setting.TL_P2P_KN_RADIX;
        return ComponentRegistry.of(
                Setting.TLS.value(),
                "setting " + Setting.TLS.asVariable().nameAndOrigin(),
                tunes,
                pipelines(),
                ComponentRegistry.radices("setting " + radix.asVariable().nameAndOrigin(), radix.value()),
                new ComponentRegistry.DiagnosticHandler(Setting.TUNE_STRICT.flag(), settings));
    }

    private static Map<String, PipelineParameters> pipelines() {
        Map<String, PipelineParameters> pipelines = new HashMap<>();
        pipelines.put("p2p/allreduce/sra", pipelineParameters(Setting.TL_P2P_ALLREDUCE_SRA_PIPELINE));
        pipelines.put("hier/allreduce/rab", pipelineParameters(Setting.CL_HIER_ALLREDUCE_RAB_PIPELINE));
        pipelines.put("hier/allreduce/split_rail", pipelineParameters(Setting.CL_HIER_ALLREDUCE_SPLIT_RAIL_PIPELINE));
        pipelines.put("hier/bcast/2step", pipelineParameters(Setting.CL_HIER_BCAST_2STEP_PIPELINE));
        pipelines.put("hier/reduce/2step", pipelineParameters(Setting.CL_HIER_REDUCE_2STEP_PIPELINE));
        pipelines.values().removeIf(PipelineParameters.NONE::equals);
        return pipelines;
    }

    private static PipelineParameters pipelineParameters(Setting setting) {
        try {
            return PipelineParameters.parse(setting.value(), PipelineParameters.NONE);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "setting " + setting.name() + " (from " + setting.origin() + "): " + e.getMessage(), e);
        }
    }

    /// The layers that plug in.
    ///
    /// @throws coterie.CoterieException if they are at odds
    public static LayerDiscovery.Inventory plugins() {
        return LayerDiscovery.find(ComponentRegistry.scores());
    }

    /// All that can be set: of the runtime, then of each layer that plugs in.
    public static List<Variable> variables() {
        return variables(plugins().layers());
    }

    static List<Variable> variables(List<Layer> plugins) {
        List<Variable> all = new ArrayList<>();
        Arrays.stream(Setting.values()).map(Setting::asVariable).forEach(all::add);
        plugins.forEach(layer -> all.addAll(variables(layer)));
        return all;
    }

    private static List<Variable> variables(Layer layer) {
        List<Variable> all = new ArrayList<>();
        for (Field field : layer.fields()) {
            all.add(new Variable(LayerDiscovery.setting(layer, field.name()), field.byDefault(), field.meaning()));
        }
        all.add(tune(layer));
        return all;
    }

    /// Whether there may be a setting of this name, `COTERIE_…`: one of the runtime's, one of a layer that plugs
    /// in, or one of a layer that is not on the path of this program. Layers that plug in are looked for where the
    /// runtime has none.
    static boolean isSetting(String variable) {
        for (Setting each : Setting.values()) {
            if (each.variable().equals(variable)) {
                return true;
            }
        }
        if (!variable.startsWith(ConfigurationFile.PREFIX + "TL_")
                && !variable.startsWith(ConfigurationFile.PREFIX + "CL_")) {
            return false;
        }
        List<Layer> plugins = plugins().layers();
        return !isOfLayer(variable.substring(ConfigurationFile.PREFIX.length()), plugins)
                || variables(plugins).stream().anyMatch(each -> each.variable().equals(variable));
    }

    /// Whether a name such as `TL_P2P_MOST` begins as the settings of a layer that is here.
    static boolean isOfLayer(String name, List<Layer> plugins) {
        return Stream.concat(
                        ComponentRegistry.names().stream(), plugins.stream().map(Layer::name))
                .map(layer -> layer.toUpperCase(Locale.ROOT) + "_")
                .anyMatch(layer -> name.startsWith("TL_" + layer) || name.startsWith("CL_" + layer));
    }

    /// Why the file of settings can't be used, if so.
    public static Optional<String> fileProblem() {
        try {
            ConfigurationFile.entries();
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// What has the tuning string of one of the runtime's own layers.
    private static Setting tune(String layer) {
        return switch (layer) {
            case "self" -> Setting.TL_SELF_TUNE;
            case "mapped" -> Setting.TL_MAPPED_TUNE;
            case "p2p" -> Setting.TL_P2P_TUNE;
            case "hier" -> Setting.CL_HIER_TUNE;
            default -> throw new AssertionError(layer);
        };
    }

    private static Variable tune(Layer layer) {
        return new Variable(
                LayerDiscovery.setting(layer, LayerDiscovery.TUNE),
                "",
                "what the layer " + layer.name() + " serves and at which score, such as allreduce:0-4k:200");
    }

    /// What is to be said of the list of layers and of the tuning strings of the runtime's own layers, a line
    /// each.
    ///
    /// @param size PEs of the world
    public static List<String> remarks(ComponentRegistry registry, int size) {
        List<String> remarks = new ArrayList<>();
        registry.listFindings().forEach(diagnostic -> remarks.add(remark(Setting.TLS.asVariable(), diagnostic)));
        for (String layer : ComponentRegistry.names()) {
            Variable variable = tune(layer).asVariable();
            registry.diagnostics(layer, size).forEach(diagnostic -> remarks.add(remark(variable, diagnostic)));
        }
        return remarks;
    }

    private static List<String> remarks(ComponentRegistry registry, LayerAttributes layerAttributes, int size) {
        Variable variable = tune(layerAttributes.layer());
        return registry.diagnostics(layerAttributes, size).stream()
                .map(diagnostic -> remark(variable, diagnostic))
                .toList();
    }

    /// What is to be said of all settings that choose who serves collectives, where no world is open: of layers
    /// that plug in what they say of themselves, and of tokens for other sizes of teams, a line each.
    ///
    /// @param size members of a team of all PEs
    public static List<String> allRemarks(int size) {
        LayerDiscovery.Inventory plugins = plugins();
        ComponentRegistry registry = registry(plugins);
        List<String> remarks = remarks(registry, size);
        remarks.addAll(new UnknownSettings(plugins.layers()).remarks());
        plugins.unusableLayer().forEach(each -> remarks.add(each + " can't be used: " + each.reason()));
        for (String layer : ComponentRegistry.names()) {
            Variable variable = tune(layer).asVariable();
            registry.findingsOfOthers(layer, size).stream()
                    .map(diagnostic -> remark(variable, diagnostic))
                    .filter(remark -> !remarks.contains(remark))
                    .forEach(remarks::add);
        }
        for (Layer layer : plugins.layers()) {
            if (registry.admits(layer.name())) {
                remarks.addAll(asked(registry, layer, size));
            }
        }
        return remarks;
    }

    /// What a layer that plugs in says of itself without a world.
    private static List<String> asked(ComponentRegistry registry, Layer layer, int size) {
        List<String> remarks = new ArrayList<>();
        String which = "layer \"" + layer.name() + "\" (" + layer.getClass().getName() + ")";
        try {
            LayerAttributes layerAttributes =
                    LayerAttributes.of(layer, (name, byDefault) -> new Variable(name, byDefault, "").found());
            remarks.addAll(remarks(registry, layerAttributes, size));
            remarks.add(which + " is asked what it serves when a team is made, and so is not among the rows");
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            remarks.add(which + " does not work here, and so is not among the rows: " + LayerErrors.reason(e));
        }
        return remarks;
    }

    private static String remark(Variable variable, Diagnostic diagnostic) {
        return "setting " + variable.nameAndOrigin() + ", " + diagnostic;
    }
}
