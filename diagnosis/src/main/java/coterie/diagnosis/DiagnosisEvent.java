// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/// A diagnosis, for the flight recorder of the process that has made it.
@Name("coterie.Diagnosis")
@Label("Diagnosis")
@Category("Coterie")
@Description("Why a job is stuck")
@StackTrace(false)
final class DiagnosisEvent extends Event {
    @Label("Job")
    String job = "";

    @Label("Verdict")
    String verdict = "";

    @Label("Stuck PEs")
    String stuckPes = "";

    @Label("Stuck Streams")
    @Description("The lanes of the stuck operations: streams, groups of kernels, threads of the program")
    String streams = "";

    @Label("Cycle")
    @Description("Ids of operations, each of which waits for the next one, and the last one for the first")
    String chain = "";

    @Label("Without Move")
    @Timespan(Timespan.NANOSECONDS)
    long stalled;

    @Label("Report")
    String text = "";

    private DiagnosisEvent() {}

    /// Records a diagnosis if a recording is on. To be called only where the flight recorder runs already: loading
    /// this class starts it, which takes half a second of processor time.
    static void emit(Diagnosis diagnosis) {
        DiagnosisEvent event = new DiagnosisEvent();
        event.job = diagnosis.job();
        event.verdict = diagnosis.verdict().name();
        event.stuckPes = distinct(diagnosis, StuckOperation::pe);
        event.streams = distinct(diagnosis, each -> "P" + each.pe() + "." + each.lane());
        event.chain = diagnosis.cycle().stream().map(Diagnosis.Link::operation).collect(Collectors.joining(" → "));
        event.stalled = diagnosis.stalledNanos();
        event.text = diagnosis.text();
        event.commit();
    }

    private static String distinct(Diagnosis diagnosis, Function<StuckOperation, Object> part) {
        return diagnosis.stuck().stream()
                .map(part)
                .distinct()
                .map(Objects::toString)
                .collect(Collectors.joining(", "));
    }
}
