// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What other users of the machine could open of a process, beside what its parents have open: where it listens, its
/// segments of System V, its files in
/// memory and in the folder for temporary files, open or mapped, and the files that it has made in a folder.
///
/// ```
///  tcp 127.0.0.1:40123          a listener; every user of the machine reaches it
///  udp …                        a socket that is bound
///  unix …                       a listener whose file others than the owner can open, or that has no file
///  sysv 1660                    a segment that the process has made or attached last, with its mode in octal
///  file rw-rw---- /dev/shm/x    a file that others than the owner can open
/// ```
public final class Openings {
    private static final String TCP_LISTENS = "0A";
    private static final int PERMISSIONS = 2;
    private static final int CREATOR = 4;
    private static final int OF_OTHERS = 077;

    private Openings() {}

    /// Returns a line for each opening of a process of this user; none if it has none.
    ///
    /// @param pid process id, of this user
    /// @throws IOException if the process has ended
    public static List<String> of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        Set<String> sockets = sockets(pid);
        sockets.removeAll(inherited(pid));
        List<String> found = new ArrayList<>();
        for (String protocol : List.of("tcp", "tcp6", "udp", "udp6")) {
            for (List<String> fields : table(process.resolve("net/" + protocol))) {
                boolean isOpen = protocol.startsWith("udp") || fields.get(3).equals(TCP_LISTENS);
                if (isOpen && sockets.contains(fields.get(9))) {
                    found.add(protocol + " " + address(fields.get(1)));
                }
            }
        }
        for (List<String> fields : table(process.resolve("net/unix"))) {
            boolean isListening = (Integer.parseInt(fields.get(3), 16) & 0x10000) != 0;
            String path = fields.size() > 7 ? fields.get(7) : "";
            if (isListening && sockets.contains(fields.get(6)) && !isGuarded(path)) {
                found.add("unix " + path);
            }
        }
        for (List<String> fields : table(Path.of("/proc/sysvipc/shm"))) {
            if (fields.get(CREATOR).equals(Long.toString(pid))
                    && (Integer.parseInt(fields.get(PERMISSIONS), 8) & OF_OTHERS) != 0) {
                found.add("sysv " + fields.get(PERMISSIONS));
            }
        }
        addFiles(process.resolve("fd"), found);
        for (String file : mapped(process.resolve("maps"))) {
            fileOf(file, Path.of(file)).filter(line -> !found.contains(line)).ifPresent(found::add);
        }
        return found;
    }

    private static Set<String> sockets(long pid) throws IOException {
        return targets(Path.of("/proc", Long.toString(pid), "fd")).stream()
                .filter(target -> target.startsWith("socket:["))
                .map(target -> target.substring("socket:[".length(), target.length() - 1))
                .collect(Collectors.toCollection(HashSet::new));
    }

    /// Returns the sockets of the processes that have started a process, as far as they can be read: MPICH's launcher
    /// leaves its own listener open in the processes that it starts.
    private static Set<String> inherited(long pid) throws IOException {
        Set<String> inherited = new HashSet<>();
        Optional<ProcessHandle> parent = ProcessHandle.of(pid).flatMap(ProcessHandle::parent);
        while (parent.isPresent()) {
            try {
                inherited.addAll(sockets(parent.get().pid()));
            } catch (AccessDeniedException e) {
                return inherited; // such as the first process of the machine: it has left none open
            }
            parent = parent.get().parent();
        }
        return inherited;
    }

    /// Whether the file of a socket lets none but its owner connect. The JVM binds the socket for its tools, such as
    /// jcmd, to a name of its own, and then sets the mode and renames it.
    private static boolean isGuarded(String socket) throws IOException {
        Path file = Path.of(socket.replaceFirst("(/\\.java_pid[0-9]+)\\.tmp$", "$1"));
        try {
            return socket.startsWith("/")
                    && PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                            .endsWith("------");
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /// Returns a line for each file in a folder that others could read or write, and each folder that they could write
    /// to, if they can enter the folders that it is in. The folder itself counts as one that they enter.
    public static List<String> under(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> children = Files.list(folder)) {
            for (Path each : (Iterable<Path>) children::iterator) {
                addReachable(each, found);
            }
        }
        return found;
    }

    private static void addReachable(Path path, List<String> found) throws IOException {
        try {
            boolean isFolder = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
            String others = mode.substring(3);
            if (!Files.isSymbolicLink(path) && (others.contains("w") || (others.contains("r") && !isFolder))) {
                found.add("file " + mode + " " + path);
            }
            if (isFolder && others.contains("x")) {
                found.addAll(under(path));
            }
        } catch (NoSuchFileException e) {
            // was deleted meanwhile: others can't open it any more
        }
    }

    /// Returns the files that a process has mapped, without those that have no name any more.
    private static Set<String> mapped(Path maps) throws IOException {
        return Files.readAllLines(maps).stream()
                .map(line -> line.strip().split(" +", 6))
                .filter(fields -> fields.length == 6 && fields[5].startsWith("/") && !fields[5].endsWith(" (deleted)"))
                .map(fields -> fields[5])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Returns the lines of a table of the kernel, without its head.
    private static List<List<String>> table(Path file) throws IOException {
        try {
            return Files.readAllLines(file).stream()
                    .skip(1)
                    .map(line -> List.of(line.strip().split(" +", -1)))
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of(); // a kernel without this protocol
        }
    }

    /// Returns an address of the kernel's table: the bytes of each word of IPv4 are in the order of the processor.
    private static String address(String text) {
        String[] parts = text.split(":", -1);
        int port = Integer.parseInt(parts[1], 16);
        if (parts[0].length() > 8) {
            return "[" + parts[0] + "]:" + port;
        }
        long word = Long.parseLong(parts[0], 16);
        return (word & 0xFF) + "." + (word >> 8 & 0xFF) + "." + (word >> 16 & 0xFF) + "." + (word >> 24) + ":" + port;
    }

    private static List<String> targets(Path descriptors) throws IOException {
        List<String> targets = new ArrayList<>();
        try (Stream<Path> open = Files.list(descriptors)) {
            for (Path each : (Iterable<Path>) open::iterator) {
                try {
                    targets.add(Files.readSymbolicLink(each).toString());
                } catch (NoSuchFileException e) {
                    targets.add(""); // closed meanwhile, as the descriptor of the folder itself
                }
            }
        }
        return targets;
    }

    private static void addFiles(Path descriptors, List<String> found) throws IOException {
        try (Stream<Path> open = Files.list(descriptors)) {
            for (Path each : (Iterable<Path>) open::iterator) {
                fileOf(each).ifPresent(found::add);
            }
        }
    }

    private static Optional<String> fileOf(Path descriptor) throws IOException {
        try {
            return fileOf(Files.readSymbolicLink(descriptor).toString(), descriptor);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /// Returns a file that others may open; empty if they may not, or it was closed meanwhile. A memfd has no name, and
    /// the kernel opens the way to it by its process to the same user alone.
    private static Optional<String> fileOf(String target, Path descriptor) throws IOException {
        try {
            boolean isShared = target.startsWith("/dev/shm/")
                    || (target.contains("coterie-") && !target.endsWith(".jar")); // all may read the program
            if (isShared && !target.startsWith("/memfd:") && Files.isRegularFile(descriptor)) {
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(descriptor));
                return mode.endsWith("------") ? Optional.empty() : Optional.of("file " + mode + " " + target);
            }
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
