// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/// What the lanes of all PEs of a job wait for at one moment.
///
/// @param job its name, for reports
/// @param host the name of the machine; empty if unknown
/// @param time when it was taken
/// @param pes all PEs of the job, ordered by number
/// @param words the values of words that pending operations wait for, as far as they are known
/// @param stalledNanos for how long nothing has moved; 0 if nothing has begun
public record Snapshot(
        String job, String host, Instant time, List<PeSnapshot> pes, Map<Word, Long> words, long stalledNanos) {
    /// Makes one of an unknown machine, taken now.
    public Snapshot(String job, List<PeSnapshot> pes, Map<Word, Long> words, long stalledNanos) {
        this(job, "", Instant.now(), pes, words, stalledNanos);
    }

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
