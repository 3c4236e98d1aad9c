// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.Comparison;
import coterie.spi.OperationRecord.Action;
import java.util.List;

/// A lane of a PE as a reader has found it.
///
/// @param number among the lanes of its PE
/// @param isHost whether it is a thread of the program
/// @param queue the hardware queue that it shares, or -1
/// @param isDispatched whether its queue goes on at the start of an operation
/// @param slots of the device; 0 for any number
/// @param issued operations that it has got so far
/// @param completed operations that are over
/// @param sinceNanos the clock of processes when the last one was over
/// @param pending what is known of those that are not over: the first ones, in order, without a gap
/// @param history what the latest ones were that are over, as far as it is known, in order
public record RecordedLane(
        int number,
        String name,
        boolean isHost,
        int queue,
        boolean isDispatched,
        int slots,
        long issued,
        long completed,
        long sinceNanos,
        List<Operation> pending,
        List<String> history) {
    /// An operation, with its texts.
    ///
    /// @param object the text of a team or of the PEs that may write an awaited word, or empty
    /// @param lane the lane that it waits for, or the threads of the device
    /// @param signature the text of the collective, or of the allocation that awaited words are in; or empty
    public record Operation(
            Action action,
            Comparison comparison,
            boolean isUnsigned,
            int width,
            boolean needsSlot,
            boolean isStarted,
            int pe,
            long offset,
            String object,
            int lane,
            long value,
            long length,
            String label,
            String signature,
            String site,
            long order) {}

    public RecordedLane {
        pending = List.copyOf(pending);
        history = List.copyOf(history);
    }
}
