// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.Comparison;
import coterie.internal.record.RecordedAllocation;
import org.jspecify.annotations.Nullable;

/// What a thread of a PE waits for, as the status page has it.
///
/// @param kind what ends the wait
/// @param label for people, such as "barrier #5 of team row"
/// @param team the name of the team whose collective it is; empty for another wait
/// @param sinceNanos of the clock of processes
/// @param awaitedPe the PE that it waits for now, or −1
/// @param word that it waits for; null unless the kind is WORD
/// @param words how many words from that one on may end it, any of them; 0 if that is not known
/// @param wordName what the word is, as a face or the program has named it; empty if it has no name
/// @param allocation that the words are in; null if they have a name, and while it is not known
/// @param comparison of the word
/// @param operand what the word is compared with
/// @param writers a bit for each PE that may write the word; 0 for all
/// @param helpers a bit for each PE whose program can end the wait, which is of the kind PES; 0 for all others
/// @param endsNanos when it ends at the latest, by the clock of processes; 0 if it has no deadline
/// @param site the line of the program; empty while it is not known
public record RecordedWait(
        Kind kind,
        String label,
        String team,
        long sinceNanos,
        int awaitedPe,
        @Nullable RecordedWord word,
        long words,
        String wordName,
        @Nullable RecordedAllocation allocation,
        Comparison comparison,
        long operand,
        long writers,
        long helpers,
        long endsNanos,
        String site) {
    /// What ends a wait.
    public enum Kind {
        /// another value of a word
        WORD,
        /// a call of the awaited PE's program
        PE,
        /// calls of some other PE's program
        PES,
        /// a transfer
        TRANSFER,
        /// a condition of the program, or a task of a layer
        CONDITION
    }
}
