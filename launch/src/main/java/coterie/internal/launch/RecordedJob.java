// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.List;
import java.util.Map;

/// What all PEs of a job do and wait for. Two that are equal, some time apart, show that nothing has moved
/// between.
///
/// @param host the name of the machine
/// @param words the values of the words that are waited for, as far as they can be read
/// @param elsewhere the values that the same words have on PEs that do not wait for them
public record RecordedJob(
        String name,
        String host,
        List<RecordedPe> pes,
        Map<RecordedWord, Long> words,
        Map<RecordedWord, Long> elsewhere) {
    public RecordedJob {
        pes = List.copyOf(pes);
        words = Map.copyOf(words);
        elsewhere = Map.copyOf(elsewhere);
    }

    /// Makes one of which no other PE's words are known.
    public RecordedJob(String name, String host, List<RecordedPe> pes, Map<RecordedWord, Long> words) {
        this(name, host, pes, words, Map.of());
    }
}
