// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.internal.component.ComponentRegistry;
import coterie.internal.layer.LayerDiscovery;
import coterie.internal.layer.LayerErrors;
import coterie.internal.layer.SettingSources;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.Libc;
import coterie.internal.world.Accelerators;
import coterie.internal.world.Bootstraps;
import coterie.internal.world.ConduitProviders;
import coterie.internal.world.LayerSettings;
import coterie.internal.world.ProcessManager;
import coterie.internal.world.SpellingSuggestion;
import coterie.internal.world.Variable;
import coterie.internal.world.Worlds;
import coterie.layer.Attributes;
import coterie.layer.Layer;
import coterie.layer.TransportLayer;
import coterie.spi.Conduit;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeSet;

/// What the command-line tools print about this machine and the runtime on it.
public final class SystemInfo {
    private SystemInfo() {}

    /// A setting and its present value; [Variable] explains the terms.
    public record SettingInfo(
            String property, String variable, String value, String origin, String byDefault, String meaning) {}

    /// Returns all settings of the runtime, of layers and of other modules that plug in. If the settings file can't
    /// be used, the values are those without a file; see [#settingsFileProblem].
    public static List<SettingInfo> settings() {
        boolean isFileGood = settingsFileProblem().isEmpty();
        return LayerSettings.variables().stream()
                .map(each -> fact(each, isFileGood ? each.found() : each.foundOutsideFile()))
                .toList();
    }

    /// Returns the value in force of a setting of the runtime or of a module on the path of this program.
    ///
    /// @param name in upper case and without prefix, such as "LISTEN"
    /// @throws IllegalArgumentException if there is no such setting, or the settings file can't be read
    public static String setting(String name) {
        return Worlds.setting(name);
    }

    /// Returns why the settings file can't be used; empty if it can.
    public static Optional<String> settingsFileProblem() {
        return LayerSettings.fileProblem();
    }

    /// Returns the candidate that differs from `word` by the fewest mistakes; empty if no candidate is close
    /// enough.
    ///
    /// @param most the largest number of mistakes
    public static Optional<String> nearest(String word, List<String> candidates, int most) {
        return SpellingSuggestion.of(word, candidates, most);
    }

    /// Returns the warning for a process that another launcher, such as `mpirun`, has started as one of several;
    /// see [ProcessManager#warning].
    ///
    /// @param pes number of PEs of the job that this process starts
    public static Optional<String> otherLauncher(Map<String, String> environment, int pes) {
        return ProcessManager.warning(
                environment, pes, () -> "'coterie run' starts PEs itself; start a class of your program instead");
    }

    /// A bootstrap: a means by which a process finds its job that Coterie's launcher has not started on one
    /// machine.
    ///
    /// @param because why the process that asks is no PE of such a job, or that it is one
    public record BootstrapInfo(String name, String because) {}

    /// Returns the bootstraps that plug in, in the order in which a join asks them.
    public static List<BootstrapInfo> bootstraps() {
        List<BootstrapInfo> facts = new ArrayList<>();
        try {
            for (Bootstraps.Answer answer : Bootstraps.answers()) {
                String place = "choice " + (facts.size() + 1) + " of COTERIE_BOOTSTRAP=auto; ";
                facts.add(new BootstrapInfo(
                        answer.name(), place + answer.refusal().orElse("this process is a PE of its job")));
            }
        } catch (CoterieException | IllegalArgumentException e) {
            facts.add(new BootstrapInfo("of a provider", "not usable: " + e.getMessage()));
        }
        return facts;
    }

    private static SettingInfo fact(Variable variable, SettingSources.Found found) {
        return new SettingInfo(
                variable.property(),
                variable.variable(),
                found.value(),
                found.origin(),
                variable.byDefault(),
                variable.meaning());
    }

    /// A layer that serves collectives and plugs in.
    ///
    /// @param name its own name, or that of its class if the layer gives none
    /// @param description its kind, class and default score, or why it can't be used, for people
    public record LayerInfo(String name, String description) {}

    /// Returns the layers that plug in, by name, followed by those that can't be used.
    public static List<LayerInfo> layers() {
        LayerDiscovery.Inventory plugins = LayerSettings.plugins();
        List<LayerInfo> facts = new ArrayList<>();
        plugins.layers().forEach(layer -> facts.add(fact(layer)));
        plugins.unusableLayer()
                .forEach(each ->
                        facts.add(new LayerInfo(each.name(), "not usable: " + each.provider() + ": " + each.reason())));
        return facts;
    }

    private static LayerInfo fact(Layer layer) {
        return new LayerInfo(
                layer.name(),
                (layer instanceof TransportLayer ? "transport layer " : "collective layer ")
                        + layer.getClass().getName() + ", default score " + layer.defaultScore()
                        + "; what it offers depends on the team, see Team.explain");
    }

    /// Returns a line for each layer that can't be used, so that its settings are unknown.
    public static List<String> layerRemarks() {
        return LayerSettings.plugins().unusableLayer().stream()
                .map(each -> each + " is not usable: " + each.reason().replaceAll("\\R", " "))
                .toList();
    }

    /// The algorithms that users can select in a layer, for one collective.
    ///
    /// @param names the algorithms with their numbers, such as "0 inline, 1 share"; those of layers that plug in
    ///     with their descriptions, if they have any, such as "0 linear (each member sends to all others)"
    public record AlgorithmsInfo(String layer, String collective, String names) {}

    /// The algorithms of the runtime's own layers, then of those that plug in.
    public static List<AlgorithmsInfo> algorithms() {
        List<AlgorithmsInfo> facts = new ArrayList<>();
        for (String layer : ComponentRegistry.names()) {
            ComponentRegistry.algorithms(layer)
                    .forEach((type, names) -> facts.add(new AlgorithmsInfo(layer, type.label(), names)));
        }
        LayerSettings.plugins().layers().forEach(layer -> facts.addAll(algorithms(layer)));
        return facts;
    }

    /// The algorithms of a layer that plugs in, or why they are unknown.
    private static List<AlgorithmsInfo> algorithms(Layer layer) {
        try {
            Attributes can = LayerSettings.attributes(layer).attributes();
            return Arrays.stream(CollectiveType.values())
                    .filter(can.algorithms()::containsKey)
                    .map(type -> new AlgorithmsInfo(
                            layer.name(),
                            type.label(),
                            described(can, can.algorithms().getOrDefault(type, List.of()))))
                    .toList();
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            return List.of(new AlgorithmsInfo(
                    layer.name(), "all", "unknown, since the layer does not work here: " + LayerErrors.reason(e)));
        }
    }

    private static String described(Attributes attributes, List<String> names) {
        StringJoiner all = new StringJoiner(", ");
        for (int number = 0; number < names.size(); number++) {
            String description = attributes.descriptions().get(names.get(number));
            all.add(number + " " + names.get(number) + (description == null ? "" : " (" + description + ")"));
        }
        return all.toString();
    }

    /// Returns which algorithms serve the collectives of a team under the settings of this machine.
    ///
    /// @param nodes of the team's members
    /// @param isDirect whether the members load and store each other's memory
    public static List<Explanation> scores(List<Integer> nodes, boolean isDirect) {
        return LayerSettings.registry().explainAll(nodes, isDirect);
    }

    /// Returns a line for each problem with the settings that choose algorithms.
    public static List<String> scoreRemarks(int size) {
        return LayerSettings.allRemarks(size);
    }

    /// A conduit: a means to move bytes between PEs.
    ///
    /// @param usable whether PEs can use it on this machine
    /// @param because what it is, or why PEs can't use it and the remedy
    public record ConduitInfo(String name, boolean usable, String because) {}

    /// Returns all conduits that the runtime knows. It tries them, which takes some milliseconds.
    public static List<ConduitInfo> conduits() {
        List<ConduitInfo> facts = new ArrayList<>();
        facts.add(mapped());
        facts.addAll(pluggedConduits());
        for (String stage : SimulatorDiscovery.names()) {
            facts.add(new ConduitInfo(stage, true, "simulated: all PEs in one JVM, in an order that a seed gives"));
        }
        return facts;
    }

    /// The conduits that plug in, in the order in which the setting CONDUIT=auto tries them where the mapped
    /// conduit can't serve a job.
    private static List<ConduitInfo> pluggedConduits() {
        List<ConduitInfo> facts = new ArrayList<>();
        try {
            for (Conduit.Provider provider : ConduitProviders.all()) {
                String missing = provider.missing();
                String place = "choice " + (facts.size() + 2) + " of COTERIE_CONDUIT=auto; can "
                        + new TreeSet<>(provider.capabilities());
                String found = missing.isEmpty() ? provider.description() : "";
                facts.add(new ConduitInfo(
                        provider.name(),
                        missing.isEmpty(),
                        missing.isEmpty() ? place + (found.isEmpty() ? "" : "; " + found) : missing));
            }
        } catch (CoterieException e) {
            facts.add(new ConduitInfo("of a provider", false, String.valueOf(e.getMessage())));
        }
        return facts;
    }

    /// An accelerator: a face that works with devices, such as GPUs.
    ///
    /// @param usable whether programs can use it on this machine
    /// @param because what there is, or what is missing and the remedy
    public record AcceleratorInfo(String name, boolean usable, String because) {}

    /// Returns the accelerators that plug in. It starts their drivers, which may take some seconds.
    public static List<AcceleratorInfo> accelerators() {
        try {
            return Accelerators.answers().stream()
                    .map(each -> new AcceleratorInfo(each.name(), each.isUsable(), each.text()))
                    .toList();
        } catch (CoterieException | IllegalArgumentException e) {
            return List.of(new AcceleratorInfo("of a provider", false, String.valueOf(e.getMessage())));
        }
    }

    private static ConduitInfo mapped() {
        try {
            int descriptor = Libc.memfd("coterie-probe", 1);
            try {
                Path file = Path.of("/proc/self/fd/" + descriptor);
                return Files.isReadable(file) && Files.isWritable(file)
                        ? new ConduitInfo(
                                "mapped", true, "memory of this node, loaded and stored directly; choice 1 of auto")
                        : new ConduitInfo("mapped", false, "can't open " + file + "; mount /proc");
            } finally {
                Libc.close(descriptor);
            }
        } catch (RuntimeException e) {
            return new ConduitInfo("mapped", false, "no memory file can be made: " + e.getMessage());
        }
    }

    /// Returns which kernels compute reductions in PEs with these entries on their paths, if they run on this
    /// JVM's JDK.
    public static String reductions(List<Path> paths) {
        if (!VectorModule.isOn(paths)) {
            return "plain loops; coterie-vector is not on the PEs' path";
        }
        return VectorModule.isIn(Path.of(System.getProperty("java.home")))
                ? "vector instructions"
                : "plain loops; this JDK has no jdk.incubator.vector";
    }

    /// Returns the memory in bytes that jobs of this process may use: the machine's memory, or less if a cgroup
    /// limits it.
    public static long memoryBytes() {
        return Machine.memoryBytes();
    }

    /// Removes the control segments of launchers that ended in the microseconds between making the segment and
    /// unlinking it. Returns how many segments it has removed.
    public static int sweepSegments() throws IOException {
        int swept = 0;
        for (Path folder : List.of(Path.of("/dev/shm"), Path.of(System.getProperty("java.io.tmpdir")))) {
            for (Path leftover : leftovers(folder)) {
                swept += Files.deleteIfExists(leftover) ? 1 : 0;
            }
        }
        return swept;
    }

    private static List<Path> leftovers(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> segments = Files.newDirectoryStream(folder, JobSegment.NAME_PREFIX + "*")) {
                for (Path segment : segments) {
                    if (Files.isWritable(segment)
                            && isOfTheDead(segment.getFileName().toString())) {
                        found.add(segment);
                    }
                }
            }
        }
        return found;
    }

    /// Returns whether the process that made a segment has ended. After the prefix, the segment's name has the
    /// id of this process and a dash.
    private static boolean isOfTheDead(String name) {
        int from = JobSegment.NAME_PREFIX.length();
        int end = name.indexOf('-', from);
        try {
            return end > 0
                    && ProcessHandle.of(Long.parseLong(name, from, end, 10)).isEmpty();
        } catch (NumberFormatException e) {
            return false; // another program has made this file
        }
    }
}
