// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/// A temporary folder, which its maker fills and then renames into place as a whole.
///
/// ```
///  tmp-<pid>-<random>.lock    locked while its maker lives: the kernel releases the lock, however the maker ends
///  tmp-<pid>-<random>/        the files being made
/// ```
///
/// A process that acquires the lock removes what a killed maker has left.
final class StagingDirectory implements AutoCloseable {
    private static final String PREFIX = "tmp-";
    private static final String LOCK = ".lock";

    private final Path folder;
    private final Path lockFile;
    private final FileChannel lockChannel;

    private StagingDirectory(Path folder, Path lockFile, FileChannel lockChannel) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.lockChannel = lockChannel;
    }

    /// Makes a new folder inside `parent`.
    static StagingDirectory open(Path parent) throws IOException {
        String name = PREFIX + ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        Path lockFile = parent.resolve(name + LOCK);
        while (true) {
            FileChannel channel = FileChannel.open(lockFile, CREATE, WRITE);
            channel.lock();
            // Another process may have swept between the two lines above, and have deleted the locked file.
            if (Files.exists(lockFile)) {
                Path folder = Files.createDirectory(parent.resolve(name));
                return new StagingDirectory(folder, lockFile, channel);
            }
            channel.close();
        }
    }

    /// Returns the folder to fill.
    Path folder() {
        return folder;
    }

    /// Removes what killed makers have left in `parent`. Returns how many folders it removed.
    static int sweep(Path parent) throws IOException {
        int swept = 0;
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(parent, PREFIX + "*" + LOCK)) {
            for (Path lockFile : locks) {
                swept += sweepOne(lockFile) ? 1 : 0;
            }
        }
        return swept;
    }

    private static boolean sweepOne(Path lockFile) throws IOException {
        try (FileChannel channel = FileChannel.open(lockFile, WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return false;
            }
            String name = lockFile.getFileName().toString();
            delete(lockFile.resolveSibling(name.substring(0, name.length() - LOCK.length())));
            Files.deleteIfExists(lockFile);
            return true;
        } catch (OverlappingFileLockException e) {
            return false; // another thread of this JVM holds the lock
        } catch (java.nio.file.NoSuchFileException e) {
            return false; // its maker has just removed it
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> content = Files.walk(folder)) {
            for (Path path : content.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /// Removes the folder if it has not been renamed.
    @Override
    public void close() throws IOException {
        delete(folder);
        Files.deleteIfExists(lockFile);
        lockChannel.close();
    }
}
