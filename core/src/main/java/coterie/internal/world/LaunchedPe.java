// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.spi.Network;
import java.nio.file.Path;
import java.util.Optional;

/// A PE of a job with a control segment: one that a launcher has started, or that plays in a simulator.
public interface LaunchedPe {

    /// Returns the number of the PE, in `[0, size())`.
    int pe();

    /// Returns the number of PEs of the job.
    int size();

    /// Returns the job's control segment, a file that every PE of this node can open while the job lives.
    Path segment();

    /// Returns one phrase for messages, such as "process 4711 of job hello".
    String description();

    /// Returns the simulated network between the PEs; empty if there is none.
    default Optional<Network> network() {
        return Optional.empty();
    }
}
