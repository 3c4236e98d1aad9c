// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.World;
import coterie.internal.launch.JobSpec.Input;
import coterie.internal.launch.JobSpec.Output;
import coterie.internal.launch.JobSpec.Program;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// A launcher as a program of its own, so that a test can see what it writes and how it ends, and can kill it.
///
/// Arguments are `option=value`, then `--`, the main class and its arguments. With `commands=true` it reads
/// commands: `signal N`, `input PE TEXT`, `end PE`, `close`.
final class Launching {
    /// The property with the start-up cache of the PEs of the tests' class path; without it they have none.
    static final String PE_CACHE = "coterie.launching.peCache";

    private Launching() {}

    public static void main(String[] args) {
        int split = Arrays.asList(args).indexOf("--");
        List<String> words = List.of(args).subList(split + 1, args.length);
        String modules = "";
        for (String option : List.of(args).subList(0, split)) {
            modules = option.startsWith("modules=") ? option.substring("modules=".length()) : modules;
        }
        JobSpec spec = JobSpec.of("test", 2, program(words, SearchPath.parse(modules)));
        spec = spec.withHeapBytes(1 << 20).withJvmOptions(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
        String cache = System.getProperty(PE_CACHE);
        if (cache != null && modules.isEmpty()) {
            spec = spec.withStartupCache(Path.of(cache));
        }
        boolean commands = false;
        for (String option : List.of(args).subList(0, split)) {
            String value = option.substring(option.indexOf('=') + 1);
            switch (option.substring(0, option.indexOf('='))) {
                case "pes" -> spec = withPes(spec, Integer.parseInt(value));
                case "nodes" -> spec = spec.withNodes(NodeAssignment.parse(value, PeMode.THREADS.maxPes()));
                case "mode" -> spec = withMode(spec, PeMode.valueOf(value));
                case "stage" -> spec = onStage(spec, value, "");
                case "kill" -> spec = onStage(spec, "turns", "kill=" + value);
                case "onFailure" -> spec = spec.withOnFailure(OnFailure.valueOf(value));
                case "input" -> spec = spec.withInput(Input.valueOf(value));
                case "binding" -> spec = spec.withBinding(CpuBinding.valueOf(value));
                case "timeoutMillis" -> spec = spec.withTimeout(Duration.ofMillis(Long.parseLong(value)));
                case "graceMillis" -> spec = spec.withGrace(Duration.ofMillis(Long.parseLong(value)));
                case "folder" -> spec = spec.withOutput(new Output.Folder(Path.of(value)));
                case "output" -> spec = spec.withOutput(output(value));
                case "debugPort" -> spec = spec.withDebugPort(Integer.parseInt(value));
                case "commands" -> commands = true;
                case "modules" -> {}
                default -> throw new IllegalArgumentException(option);
            }
        }
        try (Job job = Job.start(spec)) {
            if (commands) {
                Thread reader = new Thread(() -> obey(job), "commands");
                reader.setDaemon(true);
                reader.start();
            }
            int code = job.await();
            job.story().ifPresent(story -> System.out.println("story " + story));
            System.exit(code);
        }
    }

    /// A class of the tests, or `module/class` with a module path.
    private static Program program(List<String> words, List<Path> modules) {
        String main = words.getFirst();
        List<String> arguments = words.subList(1, words.size());
        int slash = main.indexOf('/');
        return slash < 0
                ? new Program(main, null, classPath(), List.of(), arguments)
                : new Program(main.substring(slash + 1), main.substring(0, slash), List.of(), modules, arguments);
    }

    private static JobSpec withPes(JobSpec spec, int pes) {
        return JobSpec.of(spec.name(), pes, spec.program())
                .withStartupCache(spec.startupCache())
                .withHeapBytes(spec.heapBytes())
                .withJvmOptions(spec.jvmOptions());
    }

    private static JobSpec withMode(JobSpec spec, PeMode mode) {
        return mode == PeMode.SIMULATED ? onStage(spec, "turns", "") : spec.withMode(mode);
    }

    private static JobSpec onStage(JobSpec spec, String name, String script) {
        return spec.withSimulator(
                new JobSpec.SimulatorSpec(name, script, JobSpec.SimulatorSpec.RunScope.WHOLE_PROGRAM));
    }

    private static Output output(String value) {
        return switch (value) {
            case "tagged" -> new Output.Console(true);
            case "lines" ->
                new Output.Lines((pe, standardError, line) -> {
                    synchronized (Launching.class) {
                        System.out.println(pe + (standardError ? " err " : " out ") + line);
                    }
                });
            default -> throw new IllegalArgumentException(value);
        };
    }

    private static void obey(Job job) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ", 3);
                switch (words[0]) {
                    case "signal" -> job.signal(Integer.parseInt(words[1]));
                    case "input" -> {
                        OutputStream input = job.inputOf(Integer.parseInt(words[1]));
                        input.write(words[2].concat("\n").getBytes(StandardCharsets.UTF_8));
                        input.flush();
                    }
                    case "end" -> job.inputOf(Integer.parseInt(words[1])).close();
                    case "close" -> job.close();
                    default -> throw new IllegalArgumentException(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Where the runtime and the tests are, without the test framework.
    static List<Path> classPath() {
        return Stream.of(World.class, Job.class, Launching.class)
                .map(type -> Path.of(
                        type.getProtectionDomain().getCodeSource().getLocation().getPath()))
                .toList();
    }

    static String classPathText() {
        return String.join(
                File.pathSeparator, classPath().stream().map(Path::toString).toList());
    }
}
