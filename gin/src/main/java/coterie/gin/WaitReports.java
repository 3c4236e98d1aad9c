// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import java.util.ArrayList;
import java.util.List;

/// What a wait that has reached its timeout tells: the value it has found, the value it wants, and where else the
/// signals may have gone.
final class WaitReports {
    private WaitReports() {}

    static String signal(GinContext context, String operation, int signal, long least, long mask) {
        return context.where(operation) + ": signal " + signal + " " + values(context.signalValue(signal), least, mask)
                + limited(elsewhere(context, signal));
    }

    /// Returns where else signals have come that a wait for one of them may be meant for.
    static List<String> elsewhere(GinContext context, int signal) {
        List<String> elsewhere = new ArrayList<>();
        DeviceCommunicator comm = context.comm;
        for (int index = 0; index < comm.layout().contexts; index++) {
            long value = comm.context(index).lookAtSignal(signal);
            if (index != context.index && value != 0) {
                elsewhere.add("signal " + signal + " is " + Long.toUnsignedString(value) + " on context " + index
                        + ", you wait on context " + context.index);
            }
        }
        for (int other = 0; other < comm.layout().namedSignals; other++) {
            long value = context.lookAtSignal(other);
            if (other != signal && value != 0) {
                elsewhere.add("signal " + other + " is " + Long.toUnsignedString(value) + " on this context");
            }
        }
        return elsewhere;
    }

    static String va(String where, Window window, long byteOffset, long value, long least, long mask) {
        return where + ": the VA signal at byte " + byteOffset + " of " + window + " " + values(value, least, mask);
    }

    static String counter(GinContext context, int counter, long value, long least, long mask) {
        return context.where("waitCounter") + ": counter " + counter + " " + values(value, least, mask);
    }

    private static String values(long value, long least, long mask) {
        String text = "is " + Long.toUnsignedString(value & mask) + " and has not reached "
                + Long.toUnsignedString(least & mask);
        long ahead = (value - least) & mask;
        boolean isAhead = ahead > mask >>> 1 && ahead != mask && Long.compareUnsigned(value & mask, least & mask) > 0;
        return isAhead
                ? text + ", since it is " + Long.toUnsignedString(ahead) + " ahead, half of the circle or more"
                : text;
    }

    /// At most four hints: a report is for people.
    private static String limited(List<String> elsewhere) {
        int shown = Math.min(elsewhere.size(), 4);
        String text = String.join("; ", elsewhere.subList(0, shown));
        return elsewhere.isEmpty() ? "" : "; " + text + (shown < elsewhere.size() ? "; …" : "");
    }
}
