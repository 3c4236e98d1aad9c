// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.trace.CallSite;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A wait that has lasted so long that it may be stuck, for the flight recorder. Unlike a [WaitEvent] it does not
/// need the end of the wait, which may never come.
@Name("coterie.Stall")
@Label("Stall")
@Category("Coterie")
@Description("A PE has been waiting for two seconds, and still waits")
@StackTrace
final class StallEvent extends Event {
    @Label("PE")
    int pe;

    @Label("Operation")
    String operation = "";

    @Label("At")
    @Description("The line of the program, with the method of a face that it has called there")
    String at = "";

    @Label("Awaited")
    @Description("What was waited for, in the words of a face, or as the program has named it")
    String awaited = "";

    @Label("Waits for PE")
    int waitedFor;

    @Label("Waited so Far")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    private StallEvent() {}

    /// Records the wait if a recording is on. To be called only where the flight recorder runs, see [WaitEvent#emit].
    static void emit(int pe, OperationKind kind, String awaited, int waitedFor, long waitedNanos) {
        StallEvent event = new StallEvent();
        if (!event.isEnabled()) {
            return; // to find the line takes a microsecond
        }
        event.pe = pe;
        event.operation = kind.label();
        event.at = CallSite.findCall();
        event.awaited = awaited;
        event.waitedFor = waitedFor;
        event.waited = waitedNanos;
        event.commit();
    }
}
