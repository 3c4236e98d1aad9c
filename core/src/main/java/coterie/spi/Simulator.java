// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Where all PEs of a job play in one JVM, by rules of the stage's own: which of them runs when, and what lies
/// between them. A stage is found by the name of its [Provider].
///
/// The PEs' threads are virtual, and all on one carrier. A PE is on the stage between [#enter] and [#leave]: one
/// at a time runs there. The stage is entered again and again, once for each performance.
public interface Simulator extends AutoCloseable {
    /// Makes stages; a service.
    interface Provider {
        /// What `--conduit` calls it, such as "sim".
        String name();

        /// Opens a stage.
        ///
        /// @param size PEs
        /// @param script settings that all performances have, `key=value` with commas between
        /// @throws IllegalArgumentException if the script can't be read; the message says what is allowed
        Simulator open(int size, String script, Host host);
    }

    /// Who has opened a stage.
    interface Host {
        /// Memory of so many bytes at a multiple of 1 GiB, zeroed, of which pages are taken when they are touched;
        /// it lasts as long as the JVM.
        MemorySegment memory(long byteSize);

        /// Why so many bytes more of that memory can't be touched by each PE, if so: one phrase with figures.
        Optional<String> refusal(long byteSize);

        /// Number of the node of a PE.
        int node(int pe);

        /// A PE has been killed by the stage, and will not come back. The host notes it for the others.
        ///
        /// @param why one phrase
        void killed(int pe, String why);

        /// Tells the job's user something that no PE has printed.
        ///
        /// @param text one or more lines, without an end of line behind the last
        void print(String text);

        /// What each PE does or waits for, a line for each, as their status pages say.
        String doings();
    }

    /// What lies between a PE and the others.
    Network network(int pe);

    /// Brings the calling PE on, and returns when it is its turn: after all have come. The last one's thread
    /// begins the performance.
    ///
    /// @param script settings of this performance, which win over the stage's; the same on all PEs
    void enter(int pe, String script);

    /// The calling PE goes off; the others play on.
    ///
    /// @param thrown what its program has ended with, if not well
    void leave(int pe, Optional<Throwable> thrown);

    /// How to have the latest performance again: its seed and what it has decided, in the form of a script.
    String story();

    /// Whether the calling thread is one of a performance that is over or was given up: whatever it throws is of
    /// no interest.
    boolean hasTerminated();

    @Override
    void close();
}
