// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.collective.Explanation;
import coterie.internal.collective.ComponentRegistry;
import coterie.internal.layer.LayerDiscovery;
import coterie.internal.layer.SettingSources;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.Libc;
import coterie.internal.world.ConduitProviders;
import coterie.internal.world.LayerSettings;
import coterie.internal.world.SpellingSuggestion;
import coterie.internal.world.Variable;
import coterie.layer.Layer;
import coterie.layer.TransportLayer;
import coterie.spi.Conduit;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// What the tools say about this machine and the runtime on it.
public final class SystemInfo {
    private SystemInfo() {}

    /// A setting and its value in force here; see `Setting` for the words.
    public record SettingInfo(
            String property, String variable, String value, String origin, String byDefault, String meaning) {}

    /// All settings, those of layers that plug in among them. Where the file of settings can't be used, they are
    /// as if there was none; see [#settingsFileProblem].
    public static List<SettingInfo> settings() {
        boolean isFileGood = settingsFileProblem().isEmpty();
        return LayerSettings.variables().stream()
                .map(each -> fact(each, isFileGood ? each.found() : each.foundOutsideFile()))
                .toList();
    }

    /// Why the file of settings can't be used, if so.
    public static Optional<String> settingsFileProblem() {
        return LayerSettings.fileProblem();
    }

    /// The candidate that needs the fewest mistakes to become the word.
    ///
    /// @param most mistakes
    public static Optional<String> nearest(String word, List<String> candidates, int most) {
        return SpellingSuggestion.of(word, candidates, most);
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
    /// @param name its own, or that of its class where it does not say
    /// @param description for people: its kind, class and default score, or why it can't be used
    public record LayerInfo(String name, String description) {}

    /// The layers that plug in, by name; then those that can't be used.
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
                        + "; says what it serves when a team is made, see Team.explain");
    }

    /// Returns a line for each layer that can't be used, so that its settings are unknown.
    public static List<String> layerRemarks() {
        return LayerSettings.plugins().unusableLayer().stream()
                .map(each -> each + " is not usable: " + each.reason().replaceAll("\\R", " "))
                .toList();
    }

    /// What can be asked for of one of the runtime's own layers.
    ///
    /// @param names the algorithms with their numbers, such as "0 inline, 1 share"
    public record AlgorithmsInfo(String layer, String collective, String names) {}

    /// The algorithms of the runtime's own layers.
    public static List<AlgorithmsInfo> algorithms() {
        List<AlgorithmsInfo> facts = new ArrayList<>();
        for (String layer : ComponentRegistry.names()) {
            ComponentRegistry.algorithms(layer)
                    .forEach((type, names) -> facts.add(new AlgorithmsInfo(layer, type.label(), names)));
        }
        return facts;
    }

    /// Returns which algorithms serve the collectives of a team under the settings of this machine.
    ///
    /// @param nodes of the team's members
    /// @param isDirect whether they load and store each other's memory
    public static List<Explanation> scores(List<Integer> nodes, boolean isDirect) {
        return LayerSettings.registry().explainAll(nodes, isDirect);
    }

    /// Returns a line for each problem with the settings that choose algorithms.
    public static List<String> scoreRemarks(int size) {
        return LayerSettings.allRemarks(size);
    }

    /// A way of moving bytes between PEs.
    ///
    /// @param usable whether it can be used here
    /// @param because why, or why not and how to mend it
    public record ConduitInfo(String name, boolean usable, String because) {}

    /// All conduits that the runtime knows. Tries them, so that it takes some milliseconds.
    public static List<ConduitInfo> conduits() {
        List<ConduitInfo> facts = new ArrayList<>();
        facts.add(mapped());
        facts.addAll(pluggedConduits());
        for (String stage : SimulatorDiscovery.names()) {
            facts.add(new ConduitInfo(stage, true, "simulated: all PEs in one JVM, in an order that a seed gives"));
        }
        return facts;
    }

    /// The conduits that plug in, in the order in which the setting CONDUIT=auto tries them where the mapped conduit
    /// can't serve a job.
    private static List<ConduitInfo> pluggedConduits() {
        List<ConduitInfo> facts = new ArrayList<>();
        try {
            for (Conduit.Provider provider : ConduitProviders.all()) {
                String missing = provider.missing();
                String place = "choice " + (facts.size() + 2) + " of COTERIE_CONDUIT=auto; can "
                        + new TreeSet<>(provider.capabilities());
                facts.add(new ConduitInfo(provider.name(), missing.isEmpty(), missing.isEmpty() ? place : missing));
            }
        } catch (CoterieException e) {
            facts.add(new ConduitInfo("of a provider", false, String.valueOf(e.getMessage())));
        }
        return facts;
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

    /// What reductions are made of in PEs with these entries on their paths, where they run on this JVM's JDK.
    public static String reductions(List<Path> paths) {
        if (!VectorModule.isOn(paths)) {
            return "plain loops; coterie-vector is not on the PEs' path";
        }
        return VectorModule.isIn(Path.of(System.getProperty("java.home")))
                ? "vector instructions"
                : "plain loops; this JDK has no jdk.incubator.vector";
    }

    /// Memory that jobs of this process may use, in bytes: what is installed, or less where a cgroup limits it.
    public static long memoryBytes() {
        return Machine.memoryBytes();
    }

    /// Removes the control segments of launchers that were killed in the microseconds between making and
    /// unlinking them. Returns how many there were.
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

    /// The name goes on with the process id of its maker and a dash.
    private static boolean isOfTheDead(String name) {
        int from = JobSegment.NAME_PREFIX.length();
        int end = name.indexOf('-', from);
        try {
            return end > 0
                    && ProcessHandle.of(Long.parseLong(name, from, end, 10)).isEmpty();
        } catch (NumberFormatException e) {
            return false; // none of ours
        }
    }
}
