// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Runs all PEs of a job in one JVM: decides which PE runs when, and simulates the network between them. The
/// runtime finds a simulator by the name of its [Provider].
///
/// The PEs' threads are virtual and share one carrier thread. A PE takes part in a run between [#enter] and
/// [#leave]; one PE executes at a time. Each run begins with [#enter] on all PEs.
public interface Simulator extends AutoCloseable {
    /// Makes simulators; a service.
    interface Provider {
        /// Returns the name for `--conduit`, such as "sim".
        String name();

        /// Opens a simulator.
        ///
        /// @param size number of PEs
        /// @param script settings of all runs, `key=value` separated by commas
        /// @throws IllegalArgumentException if the script is invalid; the message states what is allowed
        Simulator open(int size, String script, Host host);
    }

    /// The services of the JVM that runs a simulator.
    interface Host {
        /// Returns `byteSize` zeroed bytes at a multiple of 1 GiB, which take pages when a PE touches them and
        /// last as long as the JVM.
        MemorySegment memory(long byteSize);

        /// Returns why PEs can't touch that many more bytes of [#memory] each: one phrase with figures. Empty if
        /// they can.
        Optional<String> refusal(long byteSize);

        /// Returns the number of a PE's node.
        int node(int pe);

        /// Records that the simulator has killed a PE for good, so that the others see the failure.
        ///
        /// @param why one phrase
        void killed(int pe, String why);

        /// Prints text of the simulator for the user.
        ///
        /// @param text one or more lines, the last one without an end of line
        void print(String text);

        /// Returns what each PE does or waits for according to its status page, one line per PE.
        String activities();
    }

    /// Returns the network between a PE and the others.
    Network network(int pe);

    /// Enters the calling PE into a run. Returns after all PEs have entered, when it is this PE's turn. The thread
    /// of the last PE to enter begins the run.
    ///
    /// @param script settings of this run, which override the simulator's; the same on all PEs
    void enter(int pe, String script);

    /// Removes the calling PE from the run; the others go on.
    ///
    /// @param thrown the exception that ended its program, if one did
    void leave(int pe, Optional<Throwable> thrown);

    /// Returns a script that replays the latest run: its seed and its decisions.
    String story();

    /// Returns whether the calling thread belongs to a run that is over or abandoned: callers ignore what it
    /// throws.
    boolean hasTerminated();

    @Override
    void close();
}
