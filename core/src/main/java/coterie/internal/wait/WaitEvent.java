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

/// A wait that lasted long, for the flight recorder.
@Name("coterie.Wait")
@Label("Wait")
@Category("Coterie")
@Description("A PE waited for another longer than the threshold")
@StackTrace
final class WaitEvent extends Event {
    @Label("PE")
    int pe;

    @Label("Operation")
    String operation = "";

    @Label("At")
    @Description("The line of the program, with the method of a face that it has called there")
    String at = "";

    @Label("Awaited")
    @Description("What was waited for, in the words of a face, as the program has named it, or by its allocation")
    String awaited = "";

    @Label("Waited for PE")
    int waitedFor;

    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    private WaitEvent() {}

    /// Records the wait if a recording is on. To be called only where the flight recorder runs already: loading
    /// this class starts it, which takes half a second of processor time.
    static void emit(int pe, OperationKind kind, String awaited, int waitedFor, long waitedNanos) {
        WaitEvent event = new WaitEvent();
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
