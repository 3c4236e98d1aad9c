// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A program in one source file, which the launcher compiles once and keeps.
///
/// The result is in the cache folder, in `programs/<name>-<hash>-<n>/`: the jar, the name of its main class, and
/// the key, which is the source and the identities of the JDK, the runtime and the class path. A launcher compares
/// the whole key, so that equal hashes do no harm: a cryptographic hash would cost more start-up time than
/// everything else here.
///
/// @param jar the compiled classes
/// @param mainClass binary name of the main class
record SourceProgram(Path jar, String mainClass) {
    private static final String FORMAT = "coterie program 1";

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
        String name = nameOf(source) + "-" + Long.toHexString(hash(key));
        for (int n = 0; ; n++) {
            Path place = programs.resolve(name + "-" + n);
            byte[] found = read(place.resolve("key"));
            if (found == null) {
                return make(place, key, SourceCompiler.compile(source, text, classPath, messages));
            }
            if (Arrays.equals(found, key)) {
                return at(place);
            }
        }
    }

    private static SourceProgram at(Path place) throws IOException {
        return new SourceProgram(place.resolve("program.jar"), Files.readString(place.resolve("main")));
    }

    private static SourceProgram make(Path place, byte[] key, SourceCompiler.Compiled compiled) throws IOException {
        Path programs = Files.createDirectories(place.getParent());
        StagingDirectory.sweep(programs);
        try (StagingDirectory stagingDirectory = StagingDirectory.open(programs)) {
            Path folder = stagingDirectory.folder();
            compiled.writeJar(folder.resolve("program.jar"));
            Files.writeString(folder.resolve("main"), compiled.mainClass());
            Files.write(folder.resolve("key"), key);
            try {
                Files.move(folder, place, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileSystemException e) {
                // Another launcher was faster; its result serves if it has the same key.
                if (!Arrays.equals(read(place.resolve("key")), key)) {
                    throw e;
                }
            }
            return at(place);
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
        StringBuilder header = new StringBuilder(512)
                .append(FORMAT)
                .append("\njava ")
                .append(System.getProperty("java.home"))
                .append(' ')
                .append(System.getProperty("java.vendor.version"))
                .append(' ')
                .append(System.getProperty("java.vm.version"))
                .append("\nfile ")
                .append(source.getFileName())
                .append("\nruntime");
        RuntimePath runtime = RuntimePath.own();
        for (Path entry : runtime.modulePath()) {
            appendIdentity(header, entry);
        }
        for (Path entry : runtime.classPath()) {
            appendIdentity(header, entry);
        }
        header.append("\nclass path");
        for (Path entry : classPath) {
            appendIdentity(header, entry);
        }
        byte[] before = header.append("\nsource\n").toString().getBytes(UTF_8);
        byte[] key = Arrays.copyOf(before, before.length + text.length);
        System.arraycopy(text, 0, key, before.length, text.length);
        return key;
    }

    /// Appends path, size, time and inode of a jar, or of each file in a folder.
    private static void appendIdentity(StringBuilder text, Path entry) throws IOException {
        if (!Files.isDirectory(entry)) {
            if (Files.exists(entry)) {
                BasicFileAttributes file = Files.readAttributes(entry, BasicFileAttributes.class);
                text.append("\n ").append(entry).append(' ').append(file.size()).append(' ');
                text.append(file.lastModifiedTime().to(java.util.concurrent.TimeUnit.NANOSECONDS))
                        .append(' ');
                text.append(file.fileKey());
            }
            return;
        }
        try (Stream<Path> content = Files.list(entry)) {
            for (Path path : content.sorted().toList()) {
                appendIdentity(text, path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// FNV-1a with 64 bits.
    private static long hash(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : bytes) {
            hash = (hash ^ (each & 0xFF)) * 0x100000001b3L;
        }
        return hash;
    }
}
