// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import coterie.internal.posix.Libc;
import coterie.internal.posix.Uninterruptibly;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The file of a control segment: how it is made, reserved and mapped.
///
/// The file is in `/dev/shm` and unlinked as it is opened. If `/dev/shm` has no room for the pages that every job
/// uses, or is not there, the file is a memfd. A memfd needs no file system, but costs a launcher the JVM's
/// foreign-call machinery, a third of its start-up; so it is the second choice.
///
/// Pages are reserved by writing zeros: a file system that is full refuses a write with an error, and a store into
/// mapped memory with a signal that ends the JVM.
final class SegmentFile {
    static final Path SHM = Path.of("/dev/shm");

    private static final int ZEROS = 1 << 16;
    private static final Set<OpenOption> UNLINKED = Set.of(READ, WRITE, CREATE_NEW, DELETE_ON_CLOSE);
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final FileChannel channel;

    /// How processes open the file, while this one has it open.
    final Path path;

    private SegmentFile(FileChannel channel, String name) throws IOException {
        this.channel = channel;
        this.path = descriptorOf(name);
    }

    /// Bytes of a file that are in use from the start.
    record Range(long offset, long length) {}

    /// Makes a file and reserves the pages of some ranges.
    ///
    /// @param name unlike that of any other file
    /// @throws IOException if there is no memory for them; the message says what was tried, and the remedy
    static SegmentFile create(String name, List<Range> reserved) throws IOException {
        String refusals = SHM + " is not writable";
        if (Files.isWritable(SHM)) {
            SegmentFile file = new SegmentFile(FileChannel.open(SHM.resolve(name), UNLINKED, OWNER_ONLY), name);
            Optional<String> refusal = reserve(file.path, reserved);
            if (refusal.isEmpty()) {
                return file;
            }
            file.close();
            refusals = refusal.get();
        }
        SegmentFile file = new SegmentFile(memoryFile(name), name);
        Optional<String> refusal = reserve(file.path, reserved);
        if (refusal.isEmpty()) {
            return file;
        }
        file.close();
        throw new IOException(refusals + "; and in a memory file: " + refusal.get());
    }

    private static FileChannel memoryFile(String name) throws IOException {
        int descriptor = Libc.memfd(name, 0);
        try {
            return FileChannel.open(Path.of("/proc/self/fd/" + descriptor), READ, WRITE);
        } finally {
            Libc.close(descriptor);
        }
    }

    /// Maps the file, which grows to `byteSize`, until an arena is closed. Returns the address.
    long map(long byteSize, Arena until) throws IOException {
        return map(channel, byteSize, until);
    }

    /// Maps a file of at least so many bytes that another process has made. Returns the address.
    ///
    /// @param least bytes; a smaller file is not mapped
    /// @return the address, or 0 if the file is smaller
    static long mapAll(Path path, long least) throws IOException {
        return Uninterruptibly.call(() -> {
            try (FileChannel channel = FileChannel.open(path, READ, WRITE)) {
                long bytes = channel.size();
                return bytes < least ? 0L : map(channel, bytes, Arena.global());
            }
        });
    }

    private static long map(FileChannel channel, long bytes, Arena until) throws IOException {
        return channel.map(MapMode.READ_WRITE, 0, bytes, until).address();
    }

    /// Reserves the pages of ranges that are unused, by writing zeros there. The file grows as far as needed.
    ///
    /// @return nothing, or why it can't be: one phrase with figures and the remedy
    static Optional<String> reserve(Path path, List<Range> ranges) {
        // Not a file channel, which an interrupt of the caller would close.
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            byte[] zeros = new byte[ZEROS];
            for (Range range : ranges) {
                file.seek(range.offset);
                for (long left = range.length; left > 0; left -= zeros.length) {
                    file.write(zeros, 0, (int) Math.min(zeros.length, left));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            long needed = ranges.stream().mapToLong(Range::length).sum();
            return Optional.of(
                    needed + " bytes of the job's control segment" + fileSystem(path) + ": " + e.getMessage());
        }
    }

    /// Names the file system and its free bytes, for a refusal.
    private static String fileSystem(Path path) {
        try {
            return leadsTo(path, SHM + "/")
                    ? " in " + SHM + ", which has " + Files.getFileStore(SHM).getUsableSpace()
                            + " bytes free (remove files from it, or enlarge it: mount -o remount,size=1g " + SHM + ")"
                    : "";
        } catch (IOException e) {
            return " in " + SHM;
        }
    }

    /// Returns how other processes open what this process has open under a name that is gone.
    private static Path descriptorOf(String name) throws IOException {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : open) {
                if (leadsTo(descriptor, name)) {
                    return path(ProcessHandle.current().pid(), descriptor(descriptor));
                }
            }
        }
        throw new IOException("no descriptor of " + name + " in /proc/self/fd; is /proc mounted?");
    }

    /// Returns the number of this process's descriptor.
    long descriptor() {
        return descriptor(path);
    }

    private static long descriptor(Path path) {
        return Long.parseLong(path.getFileName().toString());
    }

    /// Returns how processes open what one of them has open.
    static Path path(long pid, long descriptor) {
        return Path.of("/proc/" + pid + "/fd/" + descriptor);
    }

    /// Returns whether a `/proc/<pid>/fd` entry is a file whose name contains `name`.
    static boolean leadsTo(Path descriptor, String name) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains(name);
        } catch (IOException | RuntimeException e) {
            return false; // closed between listing and reading, or not ours to read
        }
    }

    /// Lets the file go; what is mapped stays mapped.
    void close() throws IOException {
        channel.close();
    }
}
