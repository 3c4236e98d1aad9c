// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Operations that run one after the other: a stream, or a part of a graph. Its position is the number of
/// operations enqueued so far; the runtime's lock guards it.
abstract class OperationLane {
    /// No lane of the records.
    static final int UNRECORDED = -1;

    /// Of this lane in clocks.
    final int slot;

    final String name;

    /// What happens before the next operation, beside the earlier ones of this lane.
    final OrderClock clock = new OrderClock();

    private volatile @Nullable Consumer<? super Throwable> failureListener;

    OperationLane(int slot, String name) {
        this.slot = slot;
        this.name = name;
    }

    /// Sets what gets the cause of the first failure, also if that has been before.
    final void onFailure(Consumer<? super Throwable> consumer) {
        failureListener = consumer;
        OperationFailure first = failureBefore(Long.MAX_VALUE);
        if (first != null) {
            consumer.accept(first.cause());
        }
    }

    /// Notes the first failure, which [#failureBefore] returns from now on.
    final void notifyFailure(Throwable cause) {
        Consumer<? super Throwable> listener = failureListener;
        if (listener != null) {
            listener.accept(cause);
        }
    }

    /// Returns the number of operations enqueued so far.
    abstract long position();

    /// Returns the number of operations that are over: complete, failed or skipped.
    abstract long completed();

    /// Returns the failure of an operation before a position, or null.
    abstract @Nullable OperationFailure failureBefore(long position);

    /// Returns how many operations the program has seen complete; what it enqueues later is after them.
    abstract long observed();

    /// Returns its number in the records, or [#UNRECORDED].
    abstract int recordedLane();

    /// Returns the number in the records of an operation.
    long recordedPosition(long position) {
        return position;
    }

    /// Returns the name of an operation: the stream's and the operation's number.
    final String id(long position) {
        return name + "#" + position;
    }
}
