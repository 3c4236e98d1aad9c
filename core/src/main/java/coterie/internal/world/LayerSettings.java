// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.ThreadLevel;
import coterie.internal.component.ComponentRegistry;
import coterie.internal.component.GroupLists;
import coterie.internal.component.ServedOperations;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.layer.LayerAttributes;
import coterie.internal.layer.LayerDiscovery;
import coterie.internal.layer.LayerErrors;
import coterie.internal.layer.SettingException;
import coterie.internal.layer.UnusableLayer;
import coterie.internal.memory.SelectionSettings;
import coterie.internal.schedule.PipelineParameters;
import coterie.internal.score.Diagnostic;
import coterie.internal.score.LayerList;
import coterie.layer.CollectiveLayer;
import coterie.layer.Field;
import coterie.layer.Layer;
import coterie.layer.TransportLayer;
import coterie.spi.PeJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The settings of the layers that serve collectives: the runtime's own layers, and those that plug in, which are
/// *components* once a world has opened them.
public final class LayerSettings {
    private static final List<Setting> HIER_LISTS = List.of(
            Setting.CL_HIER_TLS,
            Setting.CL_HIER_NODE_SBGP_TLS,
            Setting.CL_HIER_NODE_LEADERS_SBGP_TLS,
            Setting.CL_HIER_NET_SBGP_TLS,
            Setting.CL_HIER_FULL_SBGP_TLS);

    private LayerSettings() {}

    /// The layers of a world, according to the settings.
    record OfWorld(ComponentRegistry registry, Components components) {}

    /// Opens the layers of a world. PE 0 logs the settings that can't be used.
    ///
    /// @throws IllegalArgumentException if the list of layers can't be parsed; with strict tuning also if a
    ///     setting can't be used or has no effect
    /// @throws coterie.CoterieException if components conflict, or a component that the list names does not work
    ///
    /// @param isFlat whether the PEs of the world synchronize all-to-all
    static OfWorld open(PeJob job, ThreadLevel level, boolean isSimulated, boolean isFlat) {
        int me = job.pe();
        int size = job.size();
        LayerDiscovery.Inventory plugins = plugins();
        ComponentRegistry registry = registry(plugins);
        Integer seconds = Setting.LAYER_OPEN_TIMEOUT_S.number();
        long timeoutNanos = seconds == null ? Long.MAX_VALUE : seconds * 1_000_000_000L;
        Components components = plugins.isEmpty()
                ? Components.NONE
                : Components.open(
                        plugins,
                        registry,
                        (name, byDefault) -> new Variable(name, byDefault, "").found(),
                        new Components.LayerParameters(me, nodes(job), level, isSimulated, timeoutNanos));
        boolean isOpen = false;
        try {
            ServedOperations served =
                    new ServedOperations(registry, components, size, job::node, isDirect(job), isFlat);
            String list = Setting.TLS.asVariable().nameAndOrigin();
            List<String> errors = served.errors(list);
            if (!errors.isEmpty()) {
                throw new SettingException(String.join("\n", errors), null);
            }
            List<String> remarks = remarks(registry, size);
            remarks.addAll(served.remarks(list));
            remarks.addAll(new UnknownSettings(plugins.layers()).remarks());
            for (Component component : components.list()) {
                if (component.refusal() == null) {
                    remarks.addAll(remarks(registry, component.layerAttributes(), size));
                }
            }
            report(remarks, me);
            isOpen = true;
        } finally {
            if (!isOpen) {
                components.close();
            }
        }
        return new OfWorld(registry, components);
    }

    /// Returns whether PEs load and store each other's memory: those of one node, unless a test wants otherwise.
    private static boolean isDirect(PeJob job) {
        return Setting.LOAD_STORE.flag() && nodes(job).stream().distinct().count() == 1;
    }

    private static List<Integer> nodes(PeJob job) {
        return IntStream.range(0, job.size()).mapToObj(job::node).toList();
    }

    private static void report(List<String> remarks, int me) {
        if (Setting.TUNE_STRICT.flag() && !remarks.isEmpty()) {
            throw new SettingException(String.join("\n", remarks), null);
        }
        if (me == 0) {
            System.Logger logger = System.getLogger("coterie");
            remarks.forEach(remark -> logger.log(System.Logger.Level.WARNING, remark));
        }
    }

    /// Returns the layers according to the settings.
    public static ComponentRegistry registry() {
        return registry(plugins());
    }

    private static ComponentRegistry registry(LayerDiscovery.Inventory plugins) {
        Map<String, String> tunes = new HashMap<>();
        plugins.unusableLayer().forEach(each -> tunes.put(each.name(), "")); // the list may name them to exclude them
        ComponentRegistry.names().forEach(layer -> tunes.put(layer, tune(layer).value()));
        Map<String, String> settings = new HashMap<>();
        for (Layer layer : plugins.layers()) {
            tunes.put(layer.name(), tune(layer).found().value());
            settings.put(layer.name(), tune(layer).nameAndOrigin());
        }
        try {
            return registry(tunes, settings, groupLists(plugins));
        } catch (IllegalArgumentException e) {
            String unusable = plugins.unusableLayer().stream()
                    .map(each -> "; " + each + " can't be used: " + each.reason())
                    .collect(Collectors.joining());
            throw new SettingException(e.getMessage() + unusable, e);
        }
    }

    /// Returns a hash of each of [SelectionSettings#NAMES], to compare the settings of PEs.
    static int[] common() {
        Map<String, String> tunes = new TreeMap<>();
        plugins().layers().forEach(layer -> {
            tunes.put(layer.name(), tune(layer).found().value());
            groupLists(layer)
                    .forEach(list -> tunes.put(list.name(), list.found().value()));
        });
        tunes.values().removeIf(String::isEmpty);
        return SelectionSettings.NAMES.stream()
                .mapToInt(name -> name.equals(SelectionSettings.PLUGGED_TUNES)
                        ? tunes.hashCode()
                        : Setting.valueOf(name).value().hashCode())
                .toArray();
    }

    /// Returns which transport layers serve the groups of collective layers.
    ///
    /// @throws IllegalArgumentException if a list can't be parsed
    private static GroupLists groupLists(LayerDiscovery.Inventory plugins) {
        List<String> transports = new ArrayList<>(List.of("p2p"));
        plugins.layers().stream()
                .filter(TransportLayer.class::isInstance)
                .map(Layer::name)
                .forEach(transports::add);
        plugins.unusableLayer().stream().map(UnusableLayer::name).forEach(transports::add);
        List<Variable> variables =
                new ArrayList<>(HIER_LISTS.stream().map(Setting::asVariable).toList());
        plugins.layers().forEach(layer -> variables.addAll(groupLists(layer)));
        Map<String, LayerList> lists = new HashMap<>();
        for (Variable variable : variables) {
            String text = variable.found().value();
            if (!text.isEmpty()) {
                lists.put(variable.name(), LayerList.parse("setting " + variable.nameAndOrigin(), text, transports));
            }
        }
        return new GroupLists(lists);
    }

    /// Returns the settings of a layer with lists of the transport layers of its groups.
    private static List<Variable> groupLists(Layer layer) {
        if (!(layer instanceof CollectiveLayer collective)) {
            return List.of();
        }
        List<Variable> all = new ArrayList<>();
        String whole = GroupLists.name(layer.name(), "");
        all.add(new Variable(
                whole,
                "",
                "transport layers that may serve the groups of layer " + layer.name()
                        + ": all, a list such as p2p, or ^ and a list; empty: those of TLS"));
        Stream.concat(collective.levels().stream(), Stream.of("FULL"))
                .forEach(level -> all.add(new Variable(
                        GroupLists.name(layer.name(), level),
                        "",
                        "transport layers of level " + level + " of layer " + layer.name() + "; empty: those of "
                                + whole)));
        return all;
    }

    private static ComponentRegistry registry(
            Map<String, String> tunes, Map<String, String> settings, GroupLists groupLists) {
        Setting radix = Setting.TL_P2P_KN_RADIX;
        return new ComponentRegistry(
                Setting.TLS.value(),
                "setting " + Setting.TLS.asVariable().nameAndOrigin(),
                tunes,
                pipelines(),
                ComponentRegistry.radices("setting " + radix.asVariable().nameAndOrigin(), radix.value()),
                groupLists,
                new ComponentRegistry.DiagnosticHandler(
                        Setting.TUNE_STRICT.flag(), settings, Setting.COLL_TRACE.flag()));
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
            throw new SettingException(
                    "setting " + setting.name() + " (from " + setting.origin() + "): " + e.getMessage(), e);
        }
    }

    /// Finds the layers that plug in.
    ///
    /// @throws coterie.CoterieException if they conflict
    public static LayerDiscovery.Inventory plugins() {
        return LayerDiscovery.find(ComponentRegistry.scores());
    }

    /// Returns all settings: of the runtime, then of other modules on the path of this program, then of each layer
    /// that plugs in.
    public static List<Variable> variables() {
        List<Variable> all = new ArrayList<>(variables(List.of()));
        all.addAll(DeclaredSettings.all());
        plugins().layers().forEach(layer -> all.addAll(variables(layer)));
        return all;
    }

    /// Returns the settings of the runtime, then of layers.
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
        all.add(new Variable(
                LayerDiscovery.setting(layer, LayerDiscovery.LOG_LEVEL),
                "warning",
                "least level of the messages of layer " + layer.name()
                        + ": all, trace, debug, info, warning, error, off"));
        all.addAll(groupLists(layer));
        return all;
    }

    /// Returns whether a name, `COTERIE_…`, may be a setting: of the runtime, of a module or layer on the path of
    /// this program, or of one that is not: a file serves programs with different modules. A name that is none of
    /// the first, and differs from one of them by a slip, is none of the last either. Only names that are none of
    /// the runtime's need the discovery of modules.
    static boolean isSetting(String variable) {
        if (!variable.matches(ConfigurationFile.PREFIX + "[A-Z][A-Z0-9_]*")) {
            return false;
        }
        String name = variable.substring(ConfigurationFile.PREFIX.length());
        if (Setting.named(name) != null) {
            return true;
        }
        List<Layer> plugins = plugins().layers();
        if (!name.startsWith("TL_") && !name.startsWith("CL_")) {
            return DeclaredSettings.named(name) != null
                    || new UnknownSettings(plugins).question(variable).isEmpty();
        }
        return !isOfLayer(name, plugins)
                || variables(plugins).stream().anyMatch(each -> each.variable().equals(variable));
    }

    /// Returns whether a name such as `TL_P2P_MAX` begins like the settings of a layer on the path of this
    /// program.
    static boolean isOfLayer(String name, List<Layer> plugins) {
        return Stream.concat(
                        ComponentRegistry.names().stream(), plugins.stream().map(Layer::name))
                .map(layer -> layer.toUpperCase(Locale.ROOT) + "_")
                .anyMatch(layer -> name.startsWith("TL_" + layer) || name.startsWith("CL_" + layer));
    }

    /// Returns the error of the settings file, if it can't be read.
    public static Optional<String> fileProblem() {
        try {
            ConfigurationFile.entries();
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Returns the setting with the tuning string of one of the runtime's own layers.
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

    /// Returns the remarks on the list of layers and on the tuning strings of the runtime's own layers, a line
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

    /// Returns the remarks on all settings that select algorithms, a line each, for callers without a world. They
    /// include those on layers that plug in, and on tokens for other team sizes.
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
                remarks.addAll(remarksWithoutWorld(registry, layer, size));
            }
        }
        return remarks;
    }

    /// Asks a layer that plugs in what it can do.
    ///
    /// @throws RuntimeException if it does not work here
    public static LayerAttributes attributes(Layer layer) {
        return LayerAttributes.of(layer, (name, byDefault) -> new Variable(name, byDefault, "").found());
    }

    /// Returns the remarks on a layer that plugs in, from its attributes.
    private static List<String> remarksWithoutWorld(ComponentRegistry registry, Layer layer, int size) {
        List<String> remarks = new ArrayList<>();
        String which = "layer \"" + layer.name() + "\" (" + layer.getClass().getName() + ")";
        try {
            remarks.addAll(remarks(registry, attributes(layer), size));
            remarks.add(which + " reports its algorithms when a team opens it; the rows do not show them");
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            remarks.add(which + " does not work here, and the rows do not show it: " + LayerErrors.reason(e));
        }
        return remarks;
    }

    private static String remark(Variable variable, Diagnostic diagnostic) {
        return "setting " + variable.nameAndOrigin() + ", " + diagnostic;
    }
}
