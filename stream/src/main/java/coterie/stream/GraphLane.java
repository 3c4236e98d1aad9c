// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.spi.OperationLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a graph has captured from one stream.
final class GraphLane extends OperationLane {
    private final StreamGraph graph;
    private final StreamLane source;
    private final List<StreamOperation> operations = new ArrayList<>();

    /// Operations of the launch under way that are over; only the thread that runs the hook writes it.
    private volatile int cursor;

    GraphLane(StreamGraph graph, int slot, StreamLane source) {
        super(slot, source.name);
        this.graph = graph;
        this.source = source;
    }

    StreamGraph graph() {
        return graph;
    }

    StreamLane source() {
        return source;
    }

    void append(StreamOperation operation) {
        operations.add(operation);
    }

    /// Counts the collectives that a launch runs.
    void countCollectives(OperationLog log) {
        for (int i = 0; i < operations.size(); i++) {
            if (operations.get(i).object instanceof CachedRequest request) {
                request.nameFor(log);
                log.nextCollective(request.teamText());
            }
        }
    }

    @Override
    long position() {
        return operations.size();
    }

    @Override
    long completed() {
        return cursor;
    }

    @Override
    @Nullable
    OperationFailure failureBefore(long position) {
        return null; // a failure ends the launch
    }

    @Override
    long observed() {
        return 0;
    }

    /// Lets the values of a word go on from launch to launch, and returns whether an operation has one.
    boolean advance(GraphWord word, long perLaunch) {
        boolean isAny = false;
        for (StreamOperation operation : operations) {
            if (word.isIn(operation)) {
                operation.perLaunch = perLaunch;
                isAny = true;
            }
        }
        return isAny;
    }

    /// Makes the operations run anew.
    ///
    /// @param launches that have begun before
    void rewind(long launches) {
        cursor = 0;
        for (int i = 0; i < operations.size(); i++) {
            StreamOperation operation = operations.get(i);
            operation.rewind();
            if (launches > 0 && operation.perLaunch != 0) {
                GraphWord.advance(operation);
            }
        }
    }

    /// Runs operations as far as possible, and returns whether one is over.
    ///
    /// @param stream that has launched the graph
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    boolean advance(StreamLane stream) {
        int first = cursor;
        while (cursor < operations.size()) {
            StreamOperation operation = operations.get(cursor);
            boolean isOver;
            try {
                isOver = operation.type.step().poll(operation, stream);
            } catch (Throwable e) {
                throw new UpstreamFailure(this, new OperationFailure(cursor, operation.toString(), e));
            }
            if (!isOver) {
                break;
            }
            cursor = cursor + 1;
        }
        return cursor > first;
    }

    boolean isOver() {
        return cursor == operations.size();
    }
}
