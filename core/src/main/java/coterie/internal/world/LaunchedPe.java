// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.spi.Network;
import java.nio.file.Path;
import java.util.Optional;

/// A PE of a job with a control segment: one that a launcher has started, or that plays in a simulator.
public interface LaunchedPe {
    /// The exit code of a PE that signal 9 has ended.
    int KILLED = 128 + 9;

    /// Returns the number of the PE, in `[0, size())`.
    int pe();

    /// Returns the number of PEs of the job.
    int size();

    /// Returns the job's control segment, a file that every PE of this node can open while the job lives.
    Path segment();

    /// Returns one phrase for messages, such as "process 4711 of job hello".
    String description();

    /// Returns whether the launcher is an agent of a launcher with PEs on several hosts. The segment then has the
    /// status page of the PE and not its job, which a bootstrap finds.
    default boolean isAcrossHosts() {
        return false;
    }

    /// Makes this PE fail as signal 9 would. Returns only if the PE is no process of its own; then the caller ends
    /// its thread.
    default void fail() {
        Runtime.getRuntime().halt(KILLED);
    }

    /// Returns the simulated network between the PEs; empty if there is none.
    default Optional<Network> network() {
        return Optional.empty();
    }
}
