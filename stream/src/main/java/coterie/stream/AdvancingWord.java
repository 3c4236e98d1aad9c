// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.util.BitSet;

/// How far launches of graphs have advanced a word, on one PE. All graphs of a runtime that advance the word share it,
/// so that they may be launched in turns.
///
/// A launch of any of them adds [#sum] to the captured values, and then what it advances the word by to the sum.
final class AdvancingWord {
    /// The PEs whose word the first graph waits for or stores, and those of all graphs after it.
    private final BitSet pes;

    /// Of the first graph, for messages.
    private final String graph;

    /// Only the thread that runs the hook writes it.
    private volatile long sum;

    AdvancingWord(BitSet pes, String graph) {
        this.pes = (BitSet) pes.clone();
        this.graph = graph;
    }

    long sum() {
        return sum;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    void add(long perLaunch) {
        sum += perLaunch;
    }

    /// Returns whether a graph that waits for or stores the words of some PEs has one in common with those before it.
    boolean isShared(BitSet others) {
        return pes.intersects(others);
    }

    void join(BitSet others) {
        pes.or(others);
    }

    /// Returns the PEs, for messages.
    String pes() {
        return pes.toString();
    }

    /// Returns the first graph, for messages.
    String graph() {
        return graph;
    }
}
