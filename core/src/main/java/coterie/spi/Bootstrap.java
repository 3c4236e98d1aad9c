// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.nio.file.Path;
import java.util.Optional;

/// How a PE learns who it is and where its job's shared segment lies.
///
/// The runtime has three: PEs as processes of a launcher, PEs as threads of one JVM, and the lone PE of a plain
/// `java` start. A bootstrap knows nothing of conduits, memory or teams.
public interface Bootstrap {

    /// My number, in `[0, size())`.
    int pe();

    /// How many PEs the job has.
    int size();

    /// The job's control segment, a file that every PE of this node can open while the job lives.
    Path segment();

    /// One phrase for messages, such as "process 4711 of job hello".
    String description();

    /// What lies between the PEs, or nothing where it is the machine's own memory.
    default Optional<Network> network() {
        return Optional.empty();
    }
}
