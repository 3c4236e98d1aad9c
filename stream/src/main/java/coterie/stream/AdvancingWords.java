// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.SymmetricMemory;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;

/// The words that graphs of a runtime advance. The engine's lock guards it.
///
/// A word keeps its sum when its graphs are closed, since the word keeps its value; it goes with its memory.
final class AdvancingWords {
    private final Map<SymmetricMemory, Map<Long, AdvancingWord>> words = new WeakHashMap<>();

    /// Returns the word of a graph that advances it.
    ///
    /// @param pes whose word the graph waits for or stores
    /// @param graph for messages
    /// @throws IllegalArgumentException if graphs before it have none of these PEs: how often those are launched
    ///     then says nothing of how often the other side of this graph's words is
    AdvancingWord join(GraphWord word, BitSet pes, String where, String graph) {
        Map<Long, AdvancingWord> ofMemory = words.computeIfAbsent(word.memory(), _ -> new HashMap<>());
        AdvancingWord known = ofMemory.computeIfAbsent(word.byteOffset(), _ -> new AdvancingWord(pes, graph));
        if (!known.isShared(pes)) {
            throw new IllegalArgumentException(where + "the word at byte " + word.byteOffset() + " of " + word.memory()
                    + " is advanced by the graph of " + known.graph() + " on the PEs " + known.pes()
                    + ", and by that of " + graph + " on the PEs " + pes
                    + "; graphs that share a word advance it together, and have a PE in common: take a word for each");
        }
        known.join(pes);
        return known;
    }
}
