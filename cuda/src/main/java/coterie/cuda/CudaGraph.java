// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.cuda.driver.DriverFunction;

/// Work of the device that a [CudaStream] has captured, for any number of launches. [CudaStream#endCapture] makes
/// it.
/// @counterpart `cudaGraph_t`, `cudaGraphExec_t`
public final class CudaGraph implements AutoCloseable {
    private final DeviceContext context;
    private final long graph;
    private final long executable;
    private volatile boolean isClosed;

    /// @param graph of the driver, which this object owns from now on
    CudaGraph(DeviceContext context, long graph) {
        this.context = context;
        this.graph = graph;
        boolean isDone = false;
        try {
            this.executable = context.created(
                    "endCapture", result -> context.driver.call(DriverFunction.GRAPH_INSTANTIATE, result, graph, 0));
            isDone = true;
        } finally {
            if (!isDone) {
                context.driver.call(DriverFunction.GRAPH_DESTROY, graph);
            }
        }
    }

    /// Returns the driver's graph, for a launch by a device's Cuda.
    long handle(String operation, DeviceContext asked) {
        if (!asked.equals(context)) {
            throw asked.foreign(operation, "the graph");
        }
        if (isClosed) {
            throw new IllegalStateException(context.prefix(operation) + "the graph is closed");
        }
        return executable;
    }

    /// Ends the graph; launches that are pending still run. A second close does nothing.
    /// @counterpart `cudaGraphDestroy`
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            if (context.canRelease()) {
                context.check("close of a graph", context.driver.call(DriverFunction.GRAPH_EXEC_DESTROY, executable));
                context.check("close of a graph", context.driver.call(DriverFunction.GRAPH_DESTROY, graph));
            }
        }
    }

    @Override
    public String toString() {
        return "CUDA graph" + (isClosed ? ", closed" : "");
    }
}
