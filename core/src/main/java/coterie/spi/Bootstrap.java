// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.nio.file.Path;
import java.util.Optional;

/// How a PE learns its number and the place of its job's shared segment.
///
/// The runtime has three: PEs as processes of a launcher, PEs as threads of one JVM, and the single PE of a plain
/// `java` start. A bootstrap knows nothing of conduits, memory or teams.
public interface Bootstrap {

    /// Returns the number of the calling PE, in `[0, size())`.
    int pe();

    /// Returns the number of PEs of the job.
    int size();

    /// Returns the job's control segment, a file that every PE of this node can open while the job lives.
    Path segment();

    /// Returns one phrase for messages, such as "process 4711 of job hello".
    String description();

    /// Returns the network between the PEs; empty if they use the machine's own memory.
    default Optional<Network> network() {
        return Optional.empty();
    }
}
