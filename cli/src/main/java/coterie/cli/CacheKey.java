// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// What something in the user's cache folder depends on, as text: this Java, and files by path, size, time and inode.
/// It is the whole key that must be equal, so that equal hashes do no harm: a cryptographic hash would cost more
/// start-up time than everything else here.
final class CacheKey {
    private final StringBuilder text;

    /// @param format what is kept, and the version of its form
    CacheKey(String format) {
        text = new StringBuilder(512)
                .append(format)
                .append("\njava ")
                .append(System.getProperty("java.home"))
                .append(' ')
                .append(System.getProperty("java.vendor.version"))
                .append(' ')
                .append(System.getProperty("java.vm.version"));
    }

    CacheKey text(String name, String value) {
        text.append('\n').append(name).append(' ').append(value);
        return this;
    }

    /// @param entries jars, and folders with all that is in them
    CacheKey files(String name, List<Path> entries) throws IOException {
        text.append('\n').append(name);
        for (Path entry : entries) {
            append(entry);
        }
        return this;
    }

    private void append(Path entry) throws IOException {
        if (!Files.isDirectory(entry)) {
            if (Files.exists(entry)) {
                BasicFileAttributes file = Files.readAttributes(entry, BasicFileAttributes.class);
                text.append("\n ").append(entry).append(' ').append(file.size()).append(' ');
                text.append(file.lastModifiedTime().to(TimeUnit.NANOSECONDS)).append(' ');
                text.append(file.fileKey());
            }
            return;
        }
        try (Stream<Path> content = Files.list(entry)) {
            for (Path path : content.sorted().toList()) {
                append(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /// Returns the key with these bytes at its end.
    byte[] bytes(byte... last) {
        byte[] before = text.append('\n').toString().getBytes(UTF_8);
        byte[] key = Arrays.copyOf(before, before.length + last.length);
        System.arraycopy(last, 0, key, before.length, last.length);
        return key;
    }

    /// FNV-1a with 64 bits.
    static long hash(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : bytes) {
            hash = (hash ^ (each & 0xFF)) * 0x100000001b3L;
        }
        return hash;
    }
}
