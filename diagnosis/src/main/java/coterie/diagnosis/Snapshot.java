// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.util.List;
import java.util.Map;

/// What the lanes of all PEs of a job wait for at one moment.
///
/// @param job its name, for reports
/// @param pes all PEs of the job, ordered by number
/// @param words the values of words that pending operations wait for, as far as they are known
/// @param stalledNanos for how long nothing has moved; 0 if nothing has begun
public record Snapshot(String job, List<PeSnapshot> pes, Map<Word, Long> words, long stalledNanos) {
    public Snapshot {
        pes = List.copyOf(pes);
        words = Map.copyOf(words);
        for (int pe = 0; pe < pes.size(); pe++) {
            if (pes.get(pe).pe() != pe) {
                throw new IllegalArgumentException("Snapshot: PE " + pes.get(pe).pe() + " has the place of PE " + pe);
            }
        }
    }
}
