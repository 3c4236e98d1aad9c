// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.driver.DriverFunction;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/// The two words by which a stream of the driver and its lane, a stream of the host, take turns: operation `n`
/// of the lane runs between the store of `n` to START by the one and the store of `n` to DONE by the other.
///
/// ```
///  driver's stream   … kernel │ write START n │ wait DONE ≥ n                  │ kernel …
///  lane                         wait START ≥ n │ operations of Coterie │ DONE = n
/// ```
///
/// If the lane fails, DONE becomes the largest number, so that the device waits for nothing more.
final class LaneWords {
    static final long START = 0;
    static final long DONE = 64;

    /// Where the driver writes an `int` that a caller of the stream reads at once.
    static final long ANSWER = 96;

    private static final VarHandle WORD = JAVA_LONG.varHandle();

    /// Polls between two questions whether the device still works.
    private static final int HEALTH_POLLS = 64;

    final WordPool.Line line;

    private final DeviceContext context;
    private final long stream;

    // Only the thread that runs the lane uses these.
    private long started;
    private long finished;
    private int polls;

    /// Both objects are passed to the lane for each operation, so that an operation makes none.
    final BooleanSupplier hasStarted = this::hasStarted;

    final Runnable finish = this::finish;

    LaneWords(DeviceContext context, WordPool.Line line, long stream) {
        this.context = context;
        this.line = line;
        this.stream = stream;
    }

    private boolean hasStarted() {
        MemorySegment words = line.host();
        if ((long) WORD.getAcquire(words, START) > started) {
            started++;
            return true;
        }
        if (++polls % HEALTH_POLLS == 0) {
            checkHealth();
        }
        return false;
    }

    /// Throws if the device is lost: then it never comes to START, and the lane must not wait for it.
    private void checkHealth() {
        context.checkNotLost("an operation of a stream");
        boolean mayAsk = context.captures.get() == 0 && !Thread.currentThread().isVirtual();
        if (mayAsk && context.driver.call(DriverFunction.CTX_SET_CURRENT, context.handle) == DeviceContext.SUCCESS) {
            context.isOver("an operation of a stream", context.driver.call(DriverFunction.STREAM_QUERY, stream));
        }
    }

    private void finish() {
        finished++;
        WORD.setRelease(line.host(), DONE, finished);
    }

    /// Lets the device wait for nothing more: any number from 0 on is at most this one.
    void poison() {
        WORD.setRelease(line.host(), DONE, Long.MAX_VALUE);
    }

    /// Returns the number of the last operation of the lane that is over.
    long done() {
        return (long) WORD.getAcquire(line.host(), DONE);
    }

    long startPointer() {
        return line.device() + START;
    }

    long donePointer() {
        return line.device() + DONE;
    }

    long answerAddress() {
        return line.host().address() + ANSWER;
    }

    int answer() {
        return line.host().get(JAVA_INT, ANSWER);
    }
}
