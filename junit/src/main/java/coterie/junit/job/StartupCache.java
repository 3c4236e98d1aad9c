// SPDX-License-Identifier: Apache-2.0
package coterie.junit.job;

import coterie.World;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.junit.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;

/// An ahead-of-time cache of the classes that workers load as they start. It halves the processor time of the start of
/// a worker that is a process.
///
/// JDK 25 compares no class paths: it runs a class of the cache in place of another one of its name. So the jars of the
/// cache come first on the class path, and what else a run has, folders among it, comes behind them. The file's name
/// has the JVM's version and the path, size and time of each jar in it.
///
/// @param jars those that the cache is for, in the order of the class path that made it; not empty
/// @param file that holds the cache, or will
public record StartupCache(List<Path> jars, Path file) {
    /// Names the folder of the caches; without it there is none.
    private static final String FOLDER = "coterie.junit.startupCaches";

    /// One class of each jar that every worker uses.
    private static final List<Class<?>> USED = List.of(
            World.class,
            Job.class,
            Worker.class,
            BeforeEach.class,
            AnnotationSupport.class,
            AssertionFailedError.class);

    /// For a JVM that makes a cache as it ends, on a busy machine.
    private static final Duration TRAINING = Duration.ofMinutes(2);

    /// Starts a PE's JVM, that of PE 0 so that it leaves a cache.
    private static final String RECORDING =
            "if [ \"$COTERIE_PE\" = 0 ]; then export JAVA_TOOL_OPTIONS=\"-XX:AOTCacheOutput=$0\"; fi; exec \"$@\"";

    /// Looked for once, at the first start that asks.
    private static final class OfRun {
        static final Optional<StartupCache> CACHE = find();
    }

    public StartupCache {
        jars = List.copyOf(jars);
    }

    /// The cache that this run asks for, made if it is not there; empty if the run asks for none, if a class that
    /// workers use is in no jar, or if this JVM makes none, which is printed.
    public static Optional<StartupCache> ofRun() {
        return OfRun.CACHE;
    }

    private static Optional<StartupCache> find() {
        String folder = System.getProperty(FOLDER, "");
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        List<@Nullable Path> jars = new ArrayList<>();
        USED.forEach(each -> jars.add(location(each)));
        TrainingRun.assertJ().ifPresent(each -> jars.add(location(each)));
        return in(Path.of(folder), jars).filter(StartupCache::isMade);
    }

    /// The cache for these jars; empty if one of them is none.
    static Optional<StartupCache> in(Path folder, List<@Nullable Path> jars) {
        List<Path> all = new ArrayList<>();
        for (Path jar : jars) {
            if (jar == null || !Files.isRegularFile(jar)) {
                return Optional.empty();
            }
            if (!all.contains(jar)) {
                all.add(jar);
            }
        }
        return Optional.of(new StartupCache(all, folder.toAbsolutePath().resolve("workers-" + key(all) + ".aot")));
    }

    private static @Nullable Path location(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return source == null || source.getLocation() == null
                    ? null
                    : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(type + " is at " + source.getLocation() + ", which is no address", e);
        }
    }

    private static String key(List<Path> jars) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(System.getProperty("java.vm.version", "").getBytes(StandardCharsets.UTF_8));
            for (Path jar : jars) {
                String line = jar + " " + Files.size(jar) + " " + Files.getLastModifiedTime(jar) + "\n";
                digest.update(line.getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java has SHA-256", e);
        } catch (IOException e) {
            throw new UncheckedIOException("start-up cache of workers: " + jars + " can't be read", e);
        }
    }

    /// The same entries, with the jars of the cache in front.
    public List<Path> classPath(List<Path> entries) {
        return Stream.concat(jars.stream(), entries.stream().filter(entry -> !jars.contains(entry)))
                .toList();
    }

    /// Whether the file is there; makes it otherwise.
    private boolean isMade() {
        if (Files.exists(file)) {
            return true;
        }
        try {
            make();
            return true;
        } catch (IOException reason) {
            System.err.println("coterie-junit: workers start without a start-up cache: " + reason.getMessage());
            return false;
        }
    }

    /// Runs a job whose PE 0 leaves the cache as it ends. Its class path has the jars alone, since the JVM refuses
    /// folders here. Runs of JUnit side by side may do so at once: a cache is there whole, or not at all.
    void make() throws IOException {
        Path folder = Objects.requireNonNull(file.getParent());
        Files.createDirectories(folder);
        Path made = Files.createTempFile(folder, "workers", ".aot");
        Collection<String> lines = new ConcurrentLinkedQueue<>();
        JobSpec.Program program = new JobSpec.Program(TrainingRun.class.getName(), null, jars, List.of(), List.of());
        JobSpec spec = JobSpec.of("training", 2, program)
                .withWrapper(List.of("sh", "-c", RECORDING, made.toString()))
                .withTimeout(TRAINING)
                .withInput(JobSpec.Input.NONE)
                .withOutput(new JobSpec.Output.Lines((pe, standardError, line) -> lines.add(pe + " " + line)));
        try (Job job = Job.start(spec)) {
            int exitCode = job.await();
            if (exitCode != 0 || Files.size(made) == 0) {
                throw new IOException("the training job ended with exit code " + exitCode + ": " + lines);
            }
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
            Files.deleteIfExists(Path.of(made + ".config")); // there if the JVM could not make the cache of it
        }
    }
}
