// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.collective.Explanation;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.Json;
import coterie.internal.launch.SystemInfo;
import coterie.spi.Accelerator;
import coterie.spi.Conduit;
import coterie.spi.SettingsProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/// `coterie info`: prints lines of `key : value`, or JSON. The keys do not change between versions.
final class InfoCommand {
    private static final String FILE = "coterie.config.file";

    private static final List<String> PLUG_INS =
            List.of(Conduit.Provider.class.getName(), Accelerator.class.getName(), SettingsProvider.class.getName());

    private final CommandEnvironment commandEnvironment;

    InfoCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run(ParsedArguments arguments) throws IOException {
        Thread.currentThread().setContextClassLoader(loader(ProgramFinder.classPath(arguments)));
        if (arguments.has(Option.SCORES)) {
            return scores(arguments);
        }
        // Goes on: names and defaults help to repair the file.
        SystemInfo.settingsFileProblem().ifPresent(this::print);
        if (arguments.has(Option.CONFIG)) {
            return config(arguments);
        }
        Map<String, Object> facts = facts();
        if (arguments.has(Option.JSON)) {
            facts.put("conduits", conduits());
            facts.put("accelerators", accelerators());
            facts.put("bootstraps", bootstraps());
            facts.put("layers", layers());
            facts.put("algorithms", algorithms());
            facts.put("settings", settings());
            commandEnvironment.out().println(Json.of(facts));
        } else {
            facts.forEach(this::line);
            for (SystemInfo.ConduitInfo conduit : SystemInfo.conduits()) {
                line("conduit " + conduit.name(), (conduit.usable() ? "usable: " : "not usable: ") + conduit.because());
            }
            for (SystemInfo.AcceleratorInfo accelerator : SystemInfo.accelerators()) {
                line(
                        "accelerator " + accelerator.name(),
                        (accelerator.usable() ? "usable: " : "not usable: ") + accelerator.because());
            }
            for (SystemInfo.BootstrapInfo bootstrap : SystemInfo.bootstraps()) {
                line("bootstrap " + bootstrap.name(), bootstrap.because());
            }
            for (SystemInfo.LayerInfo layer : SystemInfo.layers()) {
                line("layer " + layer.name(), layer.description());
            }
            for (SystemInfo.AlgorithmsInfo has : SystemInfo.algorithms()) {
                line("algorithms " + has.layer() + " " + has.collective(), has.names());
            }
            for (SystemInfo.SettingInfo setting : SystemInfo.settings()) {
                line("setting " + setting.property(), described(setting));
            }
        }
        return ExitCode.SUCCESS.code();
    }

    /// Returns a class loader that finds the layers and conduits on a class path, and the conduits, accelerators and
    /// settings of modules that only PEs have on theirs.
    static ClassLoader loader(List<Path> classPath) throws IOException {
        List<URL> entries = new ArrayList<>();
        for (Path entry : classPath) {
            entries.add(entry.toUri().toURL());
        }
        for (Path entry : RuntimePath.own().modulePath()) {
            if (hasPlugIns(entry)) {
                entries.add(entry.toUri().toURL());
            }
        }
        return new URLClassLoader(entries.toArray(URL[]::new), InfoCommand.class.getClassLoader());
    }

    private static boolean hasPlugIns(Path entry) throws IOException {
        if (!Files.isRegularFile(entry)) {
            return false;
        }
        try (JarFile jar = new JarFile(entry.toFile())) {
            return PLUG_INS.stream().anyMatch(service -> jar.getEntry("META-INF/services/" + service) != null);
        }
    }

    /// Prints all settings as a settings file.
    private int config(ParsedArguments arguments) {
        if (arguments.has(Option.JSON)) {
            commandEnvironment.out().println(Json.of(settings()));
            return ExitCode.SUCCESS.code();
        }
        List<SystemInfo.SettingInfo> settings = SystemInfo.settings().stream()
                .filter(setting -> !setting.property().equals(FILE)) // a file can't name itself
                .toList();
        for (SystemInfo.SettingInfo setting : settings) {
            boolean isDefault = setting.origin().equals("default");
            commandEnvironment.out().println("# " + setting.meaning());
            if (!isDefault) {
                commandEnvironment.out().println("# from " + setting.origin() + "; default: " + setting.byDefault());
            }
            commandEnvironment.out().println((isDefault ? "# " : "") + setting.variable() + " = " + setting.value());
            commandEnvironment.out().println();
        }
        SystemInfo.layerRemarks().forEach(remark -> commandEnvironment.out().println("# " + remark));
        return ExitCode.SUCCESS.code();
    }

    private int scores(ParsedArguments arguments) {
        List<Integer> nodes = new JobOptions(arguments, commandEnvironment.environment(), 2).layout();
        boolean isOneNode = nodes.stream().distinct().count() == 1;
        SystemInfo.scoreRemarks(nodes.size()).forEach(this::print);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (boolean isDirect : isOneNode ? new boolean[] {true, false} : new boolean[] {false}) {
            SystemInfo.scores(nodes, isDirect).forEach(each -> rows.add(row(each, isDirect)));
        }
        if (arguments.has(Option.JSON)) {
            commandEnvironment.out().println(Json.of(rows));
        } else {
            commandEnvironment
                    .out()
                    .println("members,memory,collective,from_bytes,to_bytes,layer,algorithm,score,fallbacks");
            rows.forEach(row -> commandEnvironment
                    .out()
                    .println(row.values().stream().map(String::valueOf).collect(Collectors.joining(","))));
        }
        return ExitCode.SUCCESS.code();
    }

    private static Map<String, Object> row(Explanation served, boolean isDirect) {
        Explanation.Candidate first = served.candidates().getFirst();
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("members", served.teamSize());
        row.put("memory", isDirect ? "direct" : "conduit");
        row.put("collective", served.collective().label());
        row.put("from_bytes", served.from());
        row.put("to_bytes", served.to() == Long.MAX_VALUE ? "inf" : served.to());
        row.put("layer", first.component());
        row.put("algorithm", first.algorithm());
        row.put("score", first.score() == Integer.MAX_VALUE ? "inf" : first.score());
        row.put(
                "fallbacks",
                served.candidates().stream()
                        .skip(1)
                        .map(Explanation.Candidate::toString)
                        .collect(Collectors.joining(" > ")));
        return row;
    }

    private void print(String remark) {
        commandEnvironment.err().println("coterie info: " + remark);
    }

    private void line(String key, Object value) {
        commandEnvironment.out().println(String.format("%-24s : %s", key, value));
    }

    private Map<String, Object> facts() throws IOException {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("version", Version.number());
        facts.put("runtime", RuntimePath.core().toString());
        facts.put("java", System.getProperty("java.runtime.version"));
        facts.put("java vendor", System.getProperty("java.vendor"));
        facts.put("java home", System.getProperty("java.home"));
        facts.put(
                "system",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        facts.put("processors", Runtime.getRuntime().availableProcessors());
        facts.put("memory bytes", SystemInfo.memoryBytes());
        facts.put("default heap bytes", JobSpec.defaultHeapBytes(1));
        facts.put(
                "cache folder",
                CacheFolder.open(commandEnvironment.environment()).toString());
        facts.put("start-up cache", System.getProperty(RunCommand.STARTUP_CACHE, "none"));
        RuntimePath runtime = RuntimePath.own();
        List<Path> paths = new ArrayList<>(runtime.modulePath());
        paths.addAll(runtime.classPath());
        facts.put("reductions", SystemInfo.reductions(paths));
        return facts;
    }

    private static String described(SystemInfo.SettingInfo setting) {
        String value = setting.value().isEmpty() ? "(empty)" : setting.value();
        return value + " from " + setting.origin() + "; " + setting.meaning() + "; also " + setting.variable();
    }

    private static List<Object> conduits() {
        List<Object> rows = new ArrayList<>();
        for (SystemInfo.ConduitInfo conduit : SystemInfo.conduits()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", conduit.name());
            row.put("usable", conduit.usable());
            row.put("because", conduit.because());
            rows.add(row);
        }
        return rows;
    }

    private static List<Object> accelerators() {
        List<Object> rows = new ArrayList<>();
        for (SystemInfo.AcceleratorInfo accelerator : SystemInfo.accelerators()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", accelerator.name());
            row.put("usable", accelerator.usable());
            row.put("because", accelerator.because());
            rows.add(row);
        }
        return rows;
    }

    private static List<Object> bootstraps() {
        List<Object> rows = new ArrayList<>();
        for (SystemInfo.BootstrapInfo bootstrap : SystemInfo.bootstraps()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", bootstrap.name());
            row.put("because", bootstrap.because());
            rows.add(row);
        }
        return rows;
    }

    private static List<Object> layers() {
        List<Object> rows = new ArrayList<>();
        for (SystemInfo.LayerInfo layer : SystemInfo.layers()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("name", layer.name());
            row.put("description", layer.description());
            rows.add(row);
        }
        return rows;
    }

    private static List<Object> algorithms() {
        List<Object> rows = new ArrayList<>();
        for (SystemInfo.AlgorithmsInfo has : SystemInfo.algorithms()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("layer", has.layer());
            row.put("collective", has.collective());
            row.put("names", has.names());
            rows.add(row);
        }
        return rows;
    }

    private static List<Object> settings() {
        List<Object> rows = new ArrayList<>();
        for (SystemInfo.SettingInfo setting : SystemInfo.settings()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("property", setting.property());
            row.put("variable", setting.variable());
            row.put("value", setting.value());
            row.put("origin", setting.origin());
            row.put("default", setting.byDefault());
            row.put("meaning", setting.meaning());
            rows.add(row);
        }
        return rows;
    }
}
