// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.util.List;

/// A lane at one moment: operations of a PE that run one after the other.
///
/// @param name in the ids of its operations, such as `S` in `P0.S#3`
/// @param kind what the lane is
/// @param agent whether code of the program runs in it now, beside its operations
/// @param isOverflowed whether it has more operations than are listed
/// @param dropped how many more; 0 if that is not known
/// @param completed how many of its operations are over; the first pending one has this number
/// @param pending its operations that are not over, in order
/// @param history the latest ones that are over, for reports
/// @param isSteady whether it is known as a whole: a reader may have found parts of two moments of a lane that moves
public record LaneSnapshot(
        String name,
        Kind kind,
        Agent agent,
        boolean isOverflowed,
        long dropped,
        long completed,
        List<PendingOperation> pending,
        List<String> history,
        boolean isSteady) {
    /// What a lane is.
    public enum Kind {
        /// A stream, or operations of a kernel: it gets operations from hosts alone, and runs on the PE's device.
        DEVICE,
        /// A thread of the program: once its pending operation is over, it can do anything.
        HOST
    }

    /// Code that may do anything.
    public enum Agent {
        /// The lane waits in its first pending operation, or has none.
        NONE,
        /// The lane runs code of the program.
        ACTIVE,
        /// The lane runs code of the program, which asks again and again whether something has happened.
        POLLING
    }

    /// Makes one that is known as a whole.
    public LaneSnapshot(
            String name,
            Kind kind,
            Agent agent,
            boolean isOverflowed,
            long dropped,
            long completed,
            List<PendingOperation> pending,
            List<String> history) {
        this(name, kind, agent, isOverflowed, dropped, completed, pending, history, true);
    }

    public LaneSnapshot {
        pending = List.copyOf(pending);
        history = List.copyOf(history);
    }

    /// Makes a stream with nothing but these operations.
    public static LaneSnapshot stream(String name, PendingOperation... pending) {
        return new LaneSnapshot(name, Kind.DEVICE, Agent.NONE, false, 0, 0, List.of(pending), List.of());
    }

    /// Makes a thread that waits in an operation.
    public static LaneSnapshot host(String name, PendingOperation waiting) {
        return new LaneSnapshot(name, Kind.HOST, Agent.NONE, false, 0, 0, List.of(waiting), List.of());
    }

    /// Makes a thread that runs code of the program.
    public static LaneSnapshot agent(String name, Agent agent) {
        return new LaneSnapshot(name, Kind.HOST, agent, false, 0, 0, List.of(), List.of());
    }
}
