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

/// A folder to make something in that is then renamed into place, as a whole.
///
/// ```
///  tmp-<pid>-<random>.lock    locked while its maker lives: the kernel lets go of it, however the maker ends
///  tmp-<pid>-<random>/        what is being made
/// ```
///
/// What a killed maker leaves is swept by whoever can take the lock.
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

    /// Opens a fresh one inside `parent`.
    static StagingDirectory open(Path parent) throws IOException {
        String name = PREFIX + ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        Path lockFile = parent.resolve(name + LOCK);
        while (true) {
            FileChannel channel = FileChannel.open(lockFile, CREATE, WRITE);
            channel.lock();
            // A sweeper may have come between the two lines above, and have deleted what we have locked.
            if (Files.exists(lockFile)) {
                Path folder = Files.createDirectory(parent.resolve(name));
                return new StagingDirectory(folder, lockFile, channel);
            }
            channel.close();
        }
    }

    /// Where to make it.
    Path folder() {
        return folder;
    }

    /// Removes what killed makers have left in `parent`. Returns how many there were.
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
            return false; // another thread of ours is at work there
        } catch (java.nio.file.NoSuchFileException e) {
            return false; // its maker was quicker
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

    /// Removes what has not been renamed into place.
    @Override
    public void close() throws IOException {
        delete(folder);
        Files.deleteIfExists(lockFile);
        lockChannel.close();
    }
}
