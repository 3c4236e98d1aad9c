// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

/// Why an operation that is stuck does not go on.
///
/// @param kind what it waits for
/// @param operation the id of the operation that would have to be over, or to start; empty if there is none
/// @param text for people
public record Blocker(Kind kind, String operation, String text) {
    /// What an operation waits for.
    public enum Kind {
        /// the one before in its lane
        ORDER,
        /// an operation of another lane of its PE
        EVENT,
        /// a member of a team
        COLLECTIVE,
        /// an update of a word
        SIGNAL,
        /// code of a PE
        PE,
        /// a queue of the device
        QUEUE,
        /// a slot of the device
        SLOT,
        /// threads of the device, for a block of a kernel
        THREADS,
        /// something that no pending operation does
        NOBODY
    }
}
