// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.tree.CompilationUnitTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a program was compiled from beside its first source file.
///
/// @param root the folder in which packages begin
/// @param packages names of packages in which the compiler has looked for sources
/// @param files the sources that it has found and compiled
record OtherSources(Path root, Set<String> packages, List<Path> files) {
    /// The program is in one file.
    static final OtherSources NONE = new OtherSources(Path.of(""), Set.of(), List.of());

    private static final String SUFFIX = ".java";
    private static final String END = "";

    OtherSources {
        packages = Set.copyOf(packages);
        files = List.copyOf(files);
    }

    /// Returns the folder in which packages of the program's sources begin; null if the file's folders are not named
    /// as its package, so that it is alone.
    static @Nullable Path root(Path file, CompilationUnitTree unit) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        if (unit.getPackageName() != null) {
            String[] names = unit.getPackageName().toString().split("\\.", -1);
            for (int i = names.length - 1; i >= 0 && folder != null; i--) {
                Path name = folder.getFileName();
                folder = name != null && name.toString().equals(names[i]) ? folder.getParent() : null;
            }
        }
        return folder;
    }

    /// Returns names of root, packages and files, line by line, for [#read].
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(root.toAbsolutePath().toString());
        lines.addAll(new TreeSet<>(packages.stream().map(each -> "." + each).toList()));
        lines.add(END);
        files.stream().map(Path::toAbsolutePath).sorted().forEach(each -> lines.add(each.toString()));
        return lines;
    }

    /// Does the reverse of [#lines].
    static OtherSources read(List<String> lines) {
        int end = lines.indexOf(END);
        return new OtherSources(
                Path.of(lines.getFirst()),
                new TreeSet<>(lines.subList(1, end).stream()
                        .map(each -> each.substring(1))
                        .toList()),
                lines.subList(end + 1, lines.size()).stream().map(Path::of).toList());
    }

    /// Returns all that the compiler would see now: which sources the packages have, and the texts of those that it
    /// has compiled.
    byte[] content() throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (String name : new TreeSet<>(packages)) {
            Path folder = root.resolve(name.replace('.', '/'));
            content.writeBytes((name + ": " + sources(folder) + "\n").getBytes(UTF_8));
        }
        for (Path file : files.stream().sorted().toList()) {
            byte[] text = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
            content.writeBytes((file.toAbsolutePath() + " " + text.length + "\n").getBytes(UTF_8));
            content.writeBytes(text);
        }
        return content.toByteArray();
    }

    /// Returns whether a source is younger than a time.
    boolean hasChangedSince(FileTime time) throws IOException {
        for (Path file : files) {
            if (!Files.exists(file) || Files.getLastModifiedTime(file).compareTo(time) >= 0) {
                return true;
            }
        }
        return false;
    }

    private static List<String> sources(Path folder) throws IOException {
        if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(each -> each.getFileName().toString())
                    .filter(each -> each.endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
    }
}
