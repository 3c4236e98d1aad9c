// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A program in a source file, which the launcher compiles once and keeps, with what it needs of other source files.
///
/// The result is in the cache folder, in `programs/<name>-<hash>-<n>/`: the jar, the name of its main class, and
/// the key, which is the source and the identities of the JDK, the runtime and the class path; then which other
/// sources the compiler has seen, and their texts. A launcher compares the whole key and the texts, so that equal
/// hashes do no harm: a cryptographic hash would cost more start-up time than everything else here.
///
/// @param jar the compiled classes
/// @param mainClass binary name of the main class
record SourceProgram(Path jar, String mainClass) {
    private static final String FORMAT = "coterie program 3";
    private static final String KEY = "key";
    private static final String OTHERS = "others";
    private static final String CONTENT = "content";

    /// Finds the compiled form of `source`, or compiles it.
    ///
    /// @param cache the user's cache folder
    /// @param classPath jars and folders that the program is compiled against
    /// @param messages the stream for messages of the compiler
    /// @throws CannotRunException if it does not compile, or has no main method
    static SourceProgram of(Path source, List<Path> classPath, Path cache, PrintStream messages) throws IOException {
        byte[] text = Files.readAllBytes(source);
        byte[] key = key(source, text, classPath);
        Path programs = cache.resolve("programs");
        String name = nameOf(source) + "-" + Long.toHexString(CacheKey.hash(key));
        SourceCompiler.Compiled compiled = null;
        FileTime begin = FileTime.from(Instant.now());
        for (int n = 0; ; n++) {
            Path place = programs.resolve(name + "-" + n);
            if (Files.exists(place)) {
                if (isOf(key, place)) {
                    return at(place);
                }
                continue;
            }
            if (compiled == null) {
                compiled = SourceCompiler.compile(source, text, classPath, messages);
            }
            if (make(place, key, compiled, begin) || isOf(key, place)) { // another launcher may have been faster
                return at(place);
            }
        }
    }

    /// Returns whether a folder has what the compiler would make now.
    private static boolean isOf(byte[] key, Path place) throws IOException {
        if (!Arrays.equals(read(place.resolve(KEY)), key)) {
            return false;
        }
        byte[] content = read(place.resolve(CONTENT));
        return content != null
                && Arrays.equals(
                        content,
                        OtherSources.read(Files.readAllLines(place.resolve(OTHERS)))
                                .content());
    }

    private static SourceProgram at(Path place) throws IOException {
        return new SourceProgram(place.resolve("program.jar"), Files.readString(place.resolve("main")));
    }

    /// Returns whether it has made the folder; not if it is there already.
    ///
    /// @param begin when the compiler had read no source
    private static boolean make(Path place, byte[] key, SourceCompiler.Compiled compiled, FileTime begin) {
        Path programs = Objects.requireNonNull(place.getParent(), "a place in the cache");
        try {
            Files.createDirectories(programs);
            StagingDirectory.sweep(programs);
            try (StagingDirectory stagingDirectory = StagingDirectory.open(programs)) {
                Path folder = stagingDirectory.folder();
                compiled.writeJar(folder.resolve("program.jar"));
                Files.writeString(folder.resolve("main"), compiled.mainClass());
                Files.write(folder.resolve(OTHERS), compiled.others().lines());
                OtherSources others = compiled.others();
                // That of no sources, if the compiler may have read others.
                byte[] content = others.hasChangedSince(begin) ? new byte[] {0} : others.content();
                Files.write(folder.resolve(CONTENT), content);
                Files.write(folder.resolve(KEY), key);
                return isMoved(folder, place);
            }
        } catch (IOException e) {
            throw new CannotRunException(
                    ExitCode.INTERNAL,
                    "can't keep the compiled program in " + programs + ": "
                            + (e instanceof FileSystemException ? e.toString() : e.getMessage())
                            + "; free some space or give access there, or set XDG_CACHE_HOME to another folder");
        }
    }

    private static boolean isMoved(Path folder, Path place) throws IOException {
        try {
            Files.move(folder, place, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileSystemException e) {
            if (Files.exists(place)) {
                return false;
            }
            throw e;
        }
    }

    private static byte @Nullable [] read(Path file) throws IOException {
        // Cheaper than an exception for each new program.
        return Files.exists(file) ? Files.readAllBytes(file) : null;
    }

    private static String nameOf(Path source) {
        String file = source.getFileName().toString();
        int dot = file.lastIndexOf('.');
        return dot > 0 ? file.substring(0, dot) : file;
    }

    private static byte[] key(Path source, byte[] text, List<Path> classPath) throws IOException {
        RuntimePath runtime = RuntimePath.own();
        return new CacheKey(FORMAT)
                .text("file", source.toAbsolutePath().normalize().toString())
                .files("runtime", runtime.modulePath())
                .files("", runtime.classPath())
                .files("class path", classPath)
                .bytes(text);
    }
}
