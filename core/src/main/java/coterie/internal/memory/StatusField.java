// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

/// The words of a PE's status page, in their order there: one table for writers, readers and the documentation.
/// Each is a 64-bit word at `8 * ordinal()`. The texts of a wait are at the end of the page, see [StatusLabel].
public enum StatusField {
    STATE("a PeState, by ordinal"),
    PID("process id; 0 before the PE has started"),
    EXIT_CODE("exit code, 128 + n for signal n; valid in states ENDED and FAILED"),
    ENDED_AT("System.nanoTime() when the PE ended; 0 before"),
    ENDED_ORDER("how many PEs had ended or left a world with failures when the PE did, itself included; 0 before"),
    NTH_END("of page n: 1 + the PE whose end has the order n + 1; 0 before"),
    WORLDS("how many worlds this PE has joined"),
    NODE("number of the node that the PE is taken to be on"),
    NEXT_SEQUENCE("sequence number that the common teams begin with in the next world; -1 if the PE can't join another,"
            + " since it has closed its world without the others"),
    NEXT_TEAM_ID("serial number of the next team id that the PE gives out"),
    OTHER_SETTINGS("a bit for each of CommonSettings that the first PE of the world has otherwise"),
    WAIT_KIND("an OperationKind, by ordinal; NONE while the PE does not wait for long"),
    WAIT_SINCE("System.nanoTime() when the wait began"),
    WAIT_SEQUENCE("the collective's sequence number"),
    WAIT_PE("world number of the PE that is waited for; -1 where that is unknown"),
    WAIT_OFFSET("offset of the awaited word in symmetric memory; -1 for a collective"),
    WAIT_ALLOCATION("offset of the allocation that the awaited word is in; -1 unless the text of the wait is its name"),
    WAIT_COMPARISON("a Comparison, by ordinal"),
    WAIT_OPERAND("what the awaited word is compared with"),
    WAIT_TYPE("the awaited word's WordType, by ordinal"),
    WAIT_IS_WORK("1 if work of this PE is waited for, which goes on whatever else it waits for; 0 otherwise"),
    WAIT_WORDS("how many words from the awaited one on may end the wait, any of them; 0 if not all have one operand"),
    WAIT_WRITERS("a bit for each world number of the PEs that may write the awaited word; 0 where that is unknown"),
    WAIT_PES("a bit for each world number of the PEs whose code can end the wait; 0 where that is unknown"),
    WAIT_ENDS("System.nanoTime() when the wait ends at the latest; 0 if it has no deadline"),
    WAIT_ROUNDS("how often all waiting threads of the PE have polled since it joined; see PollRounds"),
    MOVES("how often work of the PE has moved while its threads waited, since it joined"),
    OWN_CODE("while the PE waits for long: bits of the code of the program that its waits call; see OwnCode"),
    OWN_CODE_TELLS("how often the PE has found out what OWN_CODE says"),
    POLLS("how often the PE has looked for something without waiting, since it joined; in steps"),
    OTHER_THREADS("while the PE waits for long: how many threads of its program live beside the waiting one"),
    HEAP_FILE("1 + the file descriptor of the heap in the PE's process; 0 if it has none"),
    PUTS("puts, of any size, since the PE joined"),
    PUT_BYTES("bytes put"),
    GETS("gets, of any size"),
    GET_BYTES("bytes got"),
    ATOMICS("atomic operations"),
    COLLECTIVES("rounds of collectives, allocations included"),
    MESSAGES("lines told to others in those rounds"),
    WAITS("waits that were not satisfied at once"),
    HEAP_USED("bytes of symmetric memory allocated");

    /// The [#NEXT_SEQUENCE] of a PE that has closed, or is closing, its world without the others.
    public static final long CLOSED_ALONE = -1;

    private final String meaning;

    StatusField(String meaning) {
        this.meaning = meaning;
    }

    /// What the word holds, for people.
    public String meaning() {
        return meaning;
    }

    long offset() {
        return 8L * ordinal();
    }
}
