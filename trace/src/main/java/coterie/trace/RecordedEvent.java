// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import coterie.Comparison;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;

/// An operation that a PE has recorded; see [TraceLayout] for the fields.
///
/// @param beginNanos by the clock of processes
/// @param endNanos 0 if it had not ended when its PE or the job did
/// @param label what it is
/// @param site the line of the program; empty if it is not known
/// @param peer the PE that it concerns, or −1
/// @param members the text of a collective's team, or empty
record RecordedEvent(
        int pe,
        int lane,
        long beginNanos,
        long endNanos,
        EventKind kind,
        Comparison comparison,
        int flags,
        String label,
        String site,
        int peer,
        long place,
        long value,
        long bytes,
        long extra,
        String members) {
    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    boolean isOpen() {
        return endNanos == 0;
    }

    long nanos() {
        return endNanos - beginNanos;
    }

    /// Returns the same operation with an end.
    RecordedEvent endingAt(long nanos) {
        return new RecordedEvent(
                pe,
                lane,
                beginNanos,
                Math.max(beginNanos, nanos),
                kind,
                comparison,
                flags,
                label,
                site,
                peer,
                place,
                value,
                bytes,
                extra,
                members);
    }

    /// Returns whether it waits for other PEs.
    boolean isWait() {
        return switch (kind) {
            case WAIT, COLLECTIVE, REQUEST -> true;
            case LOCK -> !has(TraceLayout.UNLOCKS);
            default -> false;
        };
    }

    /// Returns whether it changes words that others may wait for.
    boolean isUpdate() {
        return kind == EventKind.ATOMIC || kind == EventKind.PUT_SIGNAL || kind == EventKind.PUT;
    }

    /// Returns what it is in full, for people: operands included.
    String text() {
        return switch (kind) {
            case WAIT ->
                label + ": word 0x" + Long.toHexString(place) + " " + comparison + " " + value
                        + (has(TraceLayout.OF_SET) ? " (" + bytes + " bytes of words)" : "");
            case PUT, GET -> label + ": " + bytes + " B, PE " + peer + " at 0x" + Long.toHexString(place);
            case PUT_SIGNAL ->
                label + ": " + bytes + " B, PE " + peer + ", then word 0x" + Long.toHexString(place)
                        + (has(TraceLayout.SETS) ? " = " : " += ") + value;
            case ATOMIC -> label + ": PE " + peer + ", word 0x" + Long.toHexString(place) + ", operand " + value;
            case COLLECTIVE ->
                label + " #" + value + (has(TraceLayout.OF_LANE) ? "" : " of team \"" + teamName() + "\"");
            case LOCK -> label + ": lock 0x" + Long.toHexString(place);
            default -> label;
        };
    }

    String teamName() {
        return members.substring(0, Math.max(0, members.lastIndexOf('=')));
    }
}
