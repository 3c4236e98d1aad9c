// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.util.ArrayList;
import java.util.List;

/// The captures that go on in the streams of a runtime.
final class OpenCaptures {
    private final StreamEngine engine;

    /// The engine's lock guards it.
    private final List<StreamGraph> graphs = new ArrayList<>();

    /// Whether there is one, for calls without the lock.
    private volatile boolean isAny;

    OpenCaptures(StreamEngine engine) {
        this.engine = engine;
    }

    /// The caller holds the lock.
    void add(StreamGraph graph) {
        graphs.add(graph);
        isAny = true;
    }

    /// The caller holds the lock.
    void remove(StreamGraph graph) {
        graphs.remove(graph);
        isAny = !graphs.isEmpty();
    }

    /// Ends all captures without a graph. The caller holds the lock.
    void dropAll() {
        List.copyOf(graphs).forEach(StreamGraph::drop);
    }

    /// Throws if a capture prohibits a call to this thread.
    void checkAllowed(String operation) {
        if (!isAny || engine.isWithin()) {
            return;
        }
        synchronized (engine) {
            for (StreamGraph each : graphs) {
                if (each.watches(Thread.currentThread())) {
                    throw new StreamException(
                            StreamError.PROHIBITED,
                            operation + " on PE " + engine.world().pe() + ": " + each.describeCapture()
                                    + ", in which allocations, frees and copies from the host are prohibited; call it"
                                    + " before the capture, or begin the capture with " + CaptureMode.RELAXED);
                }
            }
        }
    }

    /// Warns of a collective that is called while operations are captured: it is not part of the graph.
    void beforeCollective(String operation) {
        if (!isAny || engine.isWithin()) {
            return;
        }
        synchronized (engine) {
            for (StreamGraph each : graphs) {
                if (each.watches(Thread.currentThread()) && each.warnsFirst()) {
                    engine.warn("COLLECTIVE_DURING_CAPTURE: " + operation + " on PE "
                            + engine.world().pe() + " at " + RequestCache.callSite() + ": "
                            + each.describeCapture()
                            + ". The collective runs now and is not part of the graph, whose operations do not run"
                            + " yet; enqueue it to the stream, or call it outside the capture");
                }
            }
        }
    }
}
