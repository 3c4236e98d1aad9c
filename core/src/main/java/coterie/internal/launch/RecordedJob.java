// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.List;
import java.util.Map;

/// What all PEs of a job do and wait for. Two that are equal, some time apart, show that nothing has moved
/// between.
///
/// @param host the name of the machine
/// @param words the values of the words that are waited for, as far as they can be read
public record RecordedJob(String name, String host, List<RecordedPe> pes, Map<RecordedWord, Long> words) {
    public RecordedJob {
        pes = List.copyOf(pes);
        words = Map.copyOf(words);
    }
}
