// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Prints the memory that this process shares with others while two PEs use UCX, and the mode of each piece.
final class SegmentsProgram {
    private static final int PERMISSIONS = 2;
    private static final int CREATOR = 4;

    private SegmentsProgram() {}

    public static void main(String[] args) throws IOException {
        try (TwoPes pes = new TwoPes()) {
            System.out.println("words " + pes.wordOfZero());
            for (String line : Files.readAllLines(Path.of("/proc/sysvipc/shm"))) {
                List<String> fields = List.of(line.strip().split(" +", -1));
                if (fields.get(CREATOR)
                        .equals(Long.toString(ProcessHandle.current().pid()))) {
                    System.out.println("sysv mode " + fields.get(PERMISSIONS));
                }
            }
            try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
                open.forEach(SegmentsProgram::printShared);
            }
        }
    }

    private static void printShared(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            if (target.startsWith("/dev/shm")) {
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(descriptor);
                boolean isOpen = mode.stream().anyMatch(each -> !each.name().startsWith("OWNER"));
                System.out.println("file " + (isOpen ? "open to others " : "of its owner ") + mode);
            }
        } catch (IOException e) {
            System.out.println("closed meanwhile: the folder's own descriptor");
        }
    }
}
