// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;
import coterie.spi.OperationRecord.Action;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Tells a log which operation of a stream a thread of the program waits for. Of several threads that wait, it
/// tells of one.
final class HostWaits {
    private final @Nullable OperationLog log;
    private final AtomicReference<@Nullable OperationLog> free;

    // The thread that has taken the log uses these.
    private final OperationRecord record = new OperationRecord();
    private long waits;

    HostWaits(@Nullable OperationLog log) {
        this.log = log;
        this.free = new AtomicReference<>(log);
    }

    /// A thread begins to wait for the first operations of a lane.
    ///
    /// @return for [#end]
    @Nullable
    OperationLog begin(OperationLane lane, long position, String operation) {
        LaneLog awaited = lane instanceof StreamLane stream ? stream.log() : null;
        OperationLog mine = awaited == null ? null : free.getAndSet(null);
        if (mine != null && awaited != null) {
            record.setAction(Action.AFTER);
            record.setObject(awaited.number());
            record.setValue(position);
            record.setLabel(mine.text(operation));
            mine.since(System.nanoTime());
            mine.issue(waits, record);
        }
        return mine;
    }

    /// The wait is over.
    ///
    /// @param mine from [#begin]
    void end(@Nullable OperationLog mine) {
        if (mine != null) {
            waits++;
            mine.complete(waits);
            free.set(mine);
        }
    }

    void close() {
        if (log != null) {
            log.close();
        }
    }
}
