// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.CacheAssembly;
import coterie.internal.launch.JobSpec;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The start-up cache of a program, see [CacheAssembly], which its second run makes, and which later runs use. The
/// first run makes none: of a program that is being written, most versions run once.
///
/// It is in the user's cache folder, in `program-caches/<name>-<hash>-<n>/`:
///
/// ```
///  key            what it depends on: this Java, and all jars of the class path; as old as the last run
///  program.aot    the cache
///  vectors        there if a class uses the Vector API, or a run has reduced so much that it pays
///  refused        why no cache can be made
/// ```
///
/// A program with a jar that names others has none: the JVM of JDK 25 runs a class of its cache in place of one in a
/// jar that has changed, and the key has only the jars of the class path.
///
/// The folder keeps the [#KEPT] programs that ran last, and [#CACHES] caches of some 20 MB.
final class ProgramCache implements AutoCloseable {
    private static final int KEPT = 64;
    private static final int CACHES = 16;

    private static final String FORMAT = "coterie start-up cache 1";
    private static final String FOLDER = "program-caches";
    private static final String KEY = "key";
    private static final String CACHE = "program.aot";
    private static final String VECTORS = "vectors";
    private static final String REFUSED = "refused";

    private final Path place;
    private final JobSpec spec;
    private final @Nullable StagingDirectory staging;

    private ProgramCache(Path place, JobSpec spec, @Nullable StagingDirectory staging) {
        this.place = place;
        this.spec = spec;
        this.staging = staging;
    }

    /// Finds what is known of the program of a job that [CacheAssembly#fits].
    ///
    /// @param cacheFolder the user's
    static ProgramCache of(JobSpec spec, Path cacheFolder) throws IOException {
        Path programs = cacheFolder.resolve(FOLDER);
        List<Path> classPath = spec.program().wholeClassPath();
        String mainClass = spec.program().mainClass();
        byte[] key = new CacheKey(FORMAT)
                .text("class", mainClass)
                .files("class path", classPath)
                .bytes();
        // A manifest may have anything for a class.
        String name = mainClass.replaceAll("[^\\w.$-]", "_") + "-" + Long.toHexString(CacheKey.hash(key));
        for (int n = 0; ; n++) {
            Path place = programs.resolve(name + "-" + n);
            Path itsKey = place.resolve(KEY);
            if (!Files.exists(place)) {
                if (make(place, key)) {
                    return new ProgramCache(place, spec.withTrainingFiles(trainingFiles(place, null)), null);
                }
                n--; // another launcher was faster: look at what it has made
            } else if (Files.exists(itsKey) && Arrays.equals(Files.readAllBytes(itsKey), key)) {
                Files.setLastModifiedTime(itsKey, FileTime.from(Instant.now()));
                return known(place, spec);
            }
        }
    }

    private static JobSpec.TrainingFiles trainingFiles(Path place, @Nullable Path recording) {
        return new JobSpec.TrainingFiles(recording, place.resolve(VECTORS));
    }

    private static ProgramCache known(Path place, JobSpec spec) throws IOException {
        Path cache = place.resolve(CACHE);
        if (Files.exists(place.resolve(VECTORS))) {
            return new ProgramCache(place, spec, null);
        }
        JobSpec noting = spec.withTrainingFiles(trainingFiles(place, null));
        if (Files.exists(cache)) {
            return new ProgramCache(place, noting.withoutVectors().withStartupCache(cache), null);
        }
        // A recording takes longer: a job with a time limit could end at it.
        if (Files.exists(place.resolve(REFUSED)) || spec.timeout() != null) {
            return new ProgramCache(place, noting, null);
        }
        ProgramJars jars = ProgramJars.of(spec.program().classPath());
        if (jars.withOthers() != null) {
            Files.writeString(place.resolve(REFUSED), jars.withOthers() + " names other jars in its manifest\n");
            return new ProgramCache(place, noting, null);
        }
        if (jars.usesVectors()) {
            Files.writeString(place.resolve(VECTORS), "");
            return new ProgramCache(place, spec, null);
        }
        StagingDirectory staging = StagingDirectory.open(parent(place));
        Path recording = staging.folder().resolve("recording");
        return new ProgramCache(
                place, spec.withoutVectors().withTrainingFiles(trainingFiles(place, recording)), staging);
    }

    private static Path parent(Path place) {
        return Objects.requireNonNull(place.getParent(), "a place in the cache");
    }

    /// Returns whether this launcher has made the place.
    private static boolean make(Path place, byte[] key) throws IOException {
        Path programs = Files.createDirectories(parent(place));
        StagingDirectory.sweep(programs);
        try (StagingDirectory staging = StagingDirectory.open(programs)) {
            Files.write(staging.folder().resolve(KEY), key);
            Files.move(staging.folder(), place, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileSystemException e) {
            if (Files.exists(place)) {
                return false;
            }
            throw e;
        }
    }

    /// Returns the job, with what is known of its program.
    JobSpec spec() {
        return spec;
    }

    /// Returns whether a cache is to be made after the job has ended well.
    boolean isToBeMade() {
        JobSpec.TrainingFiles trainingFiles = spec.trainingFiles();
        return trainingFiles != null
                && trainingFiles.recording() != null
                && Files.exists(trainingFiles.recording())
                && !Files.exists(place.resolve(VECTORS));
    }

    /// Makes the cache of what the job has recorded.
    ///
    /// @return why there is none; empty if it is made
    String make() throws IOException {
        StagingDirectory made = Objects.requireNonNull(staging, "a recording");
        Path cache = made.folder().resolve(CACHE);
        String fault = CacheAssembly.assemble(spec, made.folder().resolve("recording"), cache);
        if (fault.isEmpty()) {
            Files.move(cache, place.resolve(CACHE), StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.writeString(place.resolve(REFUSED), fault + "\n");
        }
        prune(parent(place));
        return fault;
    }

    /// Removes the files of programs that have not run for longest.
    private static void prune(Path programs) throws IOException {
        int places = 0;
        int caches = 0;
        for (Path place : byLastRun(programs)) {
            places++;
            caches += Files.exists(place.resolve(CACHE)) ? 1 : 0;
            if (caches > CACHES) {
                Files.deleteIfExists(place.resolve(CACHE));
            }
            if (places > KEPT) {
                for (String file : List.of(CACHE, VECTORS, REFUSED, KEY)) {
                    Files.deleteIfExists(place.resolve(file));
                }
                Files.deleteIfExists(place);
            }
        }
    }

    /// Returns the places of all programs, latest run first.
    private static List<Path> byLastRun(Path programs) throws IOException {
        record Run(Path place, FileTime time) {}
        List<Run> runs = new ArrayList<>();
        try (Stream<Path> content = Files.list(programs)) {
            for (Path place : content.toList()) {
                Path key = place.resolve(KEY);
                if (Files.exists(key)) {
                    runs.add(new Run(place, Files.getLastModifiedTime(key)));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        runs.sort(Comparator.comparing(Run::time).reversed());
        return runs.stream().map(Run::place).toList();
    }

    /// Removes what killed launchers have left, and returns how many folders that were.
    static int sweep(Path cacheFolder) throws IOException {
        Path programs = cacheFolder.resolve(FOLDER);
        return Files.isDirectory(programs) ? StagingDirectory.sweep(programs) : 0;
    }

    /// Returns how many caches there are, and their bytes, for people.
    static String described(Path cacheFolder) throws IOException {
        Path programs = cacheFolder.resolve(FOLDER);
        if (!Files.isDirectory(programs)) {
            return "none";
        }
        int caches = 0;
        long bytes = 0;
        for (Path place : byLastRun(programs)) {
            File cache = place.resolve(CACHE).toFile();
            caches += cache.exists() ? 1 : 0;
            bytes += cache.length();
        }
        return caches + " in " + programs + ", " + (bytes >> 20) + " MiB";
    }

    /// Removes what the job has recorded.
    @Override
    public void close() throws IOException {
        if (staging != null) {
            staging.close();
        }
    }
}
