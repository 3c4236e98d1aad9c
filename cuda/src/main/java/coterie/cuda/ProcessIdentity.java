// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Tells whether two PEs of a node share a process: its number, the time of its start, and the space in which
/// numbers of processes are counted, which differs between containers.
final class ProcessIdentity {
    private ProcessIdentity() {}

    /// Returns a number that processes of one node have alone.
    static long current() {
        ProcessHandle process = ProcessHandle.current();
        String space;
        try {
            space = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException e) {
            space = ""; // without /proc there are no containers to tell apart
        }
        long start = process.info()
                .startInstant()
                .map(instant -> instant.toEpochMilli())
                .orElse(0L);
        return process.pid() << 32 ^ Objects.hash(start, space);
    }
}
