// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import java.nio.file.Path;

/// Whether the PEs of this JVM are traced. It is a constant, so that the JIT compiler leaves nothing of a hook in
/// the code of operations that are not traced.
public final class Tracing {
    /// The system property with the folder for the files of the PEs; the launcher of a traced job sets it.
    public static final String FOLDER = "coterie.trace";

    /// The system property with the number of events that a PE keeps.
    public static final String EVENTS = "coterie.trace.events";

    /// Whether operations are recorded.
    public static final boolean ON = !System.getProperty(FOLDER, "").isEmpty();

    private Tracing() {}

    /// Opens the tracer of a PE in the folder that the launcher has set.
    public static PeTracer open(int pe, int pes) {
        Path folder = Path.of(System.getProperty(FOLDER, ""));
        return PeTracer.open(folder, pe, pes, Long.getLong(EVENTS, PeTracer.DEFAULT_EVENTS));
    }

    /// Returns when an operation begins; 0 if it is not recorded.
    public static long begin(PeTracer tracer) {
        return ON ? tracer.begin() : 0;
    }
}
