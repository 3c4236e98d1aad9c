// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The collectives of one object, one after the other in whatever streams, each by the first engine that serves it.
final class CollectiveSequence {
    private final DeviceContext context;
    private final List<CollectiveEngine> engines;

    /// What the latest collective is before.
    private final CudaEvent latest;

    private @Nullable CudaStream latestStream;

    CollectiveSequence(Cuda cuda, List<CollectiveEngine> engines) {
        this.context = cuda.context();
        this.engines = engines;
        this.latest = cuda.createUntimedEvent();
    }

    void enqueue(DeviceCall call) {
        CollectiveEngine engine = engines.stream()
                .filter(each -> each.serves(call))
                .findFirst()
                .orElseThrow(); // the host serves all calls
        enqueue(engine, call.stream(), call.operation(), () -> engine.enqueue(call));
    }

    void enqueue(DeviceExchange exchange) {
        CollectiveEngine engine = engines.stream()
                .filter(CollectiveEngine::servesExchanges)
                .findFirst()
                .orElseThrow(); // the host serves them
        enqueue(engine, exchange.stream(), exchange.operation(), () -> engine.exchange(exchange));
    }

    private void enqueue(CollectiveEngine engine, CudaStream stream, String operation, Runnable call) {
        if (!stream.core.isCaptured()) {
            enqueue(stream, call);
            return;
        }
        if (!engine.isCapturable()) {
            stream.core.refuseCapture(operation);
        }
        call.run(); // the graph's launches have the order in which the program launches them
    }

    /// Lets a stream wait for the latest collective, if that is in another one, before operations of its own.
    void enqueue(CudaStream stream, Runnable operations) {
        if (latestStream != null && latestStream != stream) {
            stream.waitEvent(latest);
        }
        operations.run();
        stream.record(latest);
        latestStream = stream;
    }

    /// Waits for the latest collective, for the last time.
    void end() {
        try {
            if (!context.isLost() && !context.releases.isWorldClosed()) {
                latest.await();
            }
        } finally {
            latest.close();
        }
    }
}
