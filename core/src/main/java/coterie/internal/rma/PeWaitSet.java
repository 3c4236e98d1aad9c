// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.Comparison;
import coterie.WaitSet;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.WaitingRoom;
import coterie.internal.wait.WordSet;
import java.time.Duration;
import java.util.BitSet;

/// A set of words of this PE: it checks arguments, and waits in the waiting room.
public final class PeWaitSet implements WaitSet {
    private final PeIntegerView view;
    private final WordSet words;
    private final int size;
    private final long timeoutNanos;

    PeWaitSet(PeIntegerView view, WordSet words, int size, long timeoutNanos) {
        this.view = view;
        this.words = words;
        this.size = size;
        this.timeoutNanos = timeoutNanos;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public WaitSet withSkipped(BitSet skipped) {
        if (skipped == null) {
            throw ArgumentErrors.missing("withSkipped", view.context, "skipped");
        }
        return new PeWaitSet(view, words.skipping(skipped), size, timeoutNanos);
    }

    @Override
    public WaitSet withTimeout(Duration timeout) {
        if (timeout == null) {
            throw ArgumentErrors.missing("withTimeout", view.context, "timeout");
        }
        long nanos = WaitingRoom.timeoutNanos("timeout of a wait set", view.context.me, timeout);
        return new PeWaitSet(view, words.copy(), size, nanos);
    }

    @Override
    public void waitAll(Comparison comparison, long operand) {
        with("waitAll", comparison, operand);
        awaitAll(comparison, operand);
        view.checkNotFreed("waitAll");
    }

    @Override
    public void waitAll(Comparison comparison, long[] operands) {
        with("waitAll", comparison, operands);
        awaitAll(comparison, 0);
        view.checkNotFreed("waitAll");
    }

    @Override
    public int waitAny(Comparison comparison, long operand) {
        with("waitAny", comparison, operand);
        int found = awaitAny(comparison, operand);
        view.checkNotFreed("waitAny");
        return found;
    }

    @Override
    public int waitAny(Comparison comparison, long[] operands) {
        with("waitAny", comparison, operands);
        int found = awaitAny(comparison, 0);
        view.checkNotFreed("waitAny");
        return found;
    }

    @Override
    public int waitSome(Comparison comparison, long operand, int[] found) {
        with("waitSome", comparison, operand);
        return awaitSome("waitSome", comparison, operand, found);
    }

    @Override
    public int waitSome(Comparison comparison, long[] operands, int[] found) {
        with("waitSome", comparison, operands);
        return awaitSome("waitSome", comparison, 0, found);
    }

    @Override
    public boolean testAll(Comparison comparison, long operand) {
        with("testAll", comparison, operand);
        return found(words.all(comparison));
    }

    @Override
    public boolean testAll(Comparison comparison, long[] operands) {
        with("testAll", comparison, operands);
        return found(words.all(comparison));
    }

    @Override
    public int testAny(Comparison comparison, long operand) {
        with("testAny", comparison, operand);
        return found(words.any(comparison), 0);
    }

    @Override
    public int testAny(Comparison comparison, long[] operands) {
        with("testAny", comparison, operands);
        return found(words.any(comparison), 0);
    }

    @Override
    public int testSome(Comparison comparison, long operand, int[] found) {
        with("testSome", comparison, operand);
        checkRoom("testSome", found);
        return found(words.some(comparison, found), 1);
    }

    @Override
    public int testSome(Comparison comparison, long[] operands, int[] found) {
        with("testSome", comparison, operands);
        checkRoom("testSome", found);
        return found(words.some(comparison, found), 1);
    }

    private boolean found(boolean holds) {
        if (!holds) {
            view.missed();
        }
        return holds;
    }

    private void awaitAll(Comparison comparison, long operand) {
        begin("waitAll", comparison, operand);
        try {
            view.context.room.awaitAll(words, comparison, timeoutNanos);
        } finally {
            end(-1);
        }
    }

    private int awaitAny(Comparison comparison, long operand) {
        begin("waitAny", comparison, operand);
        int found = -1;
        try {
            found = view.context.room.awaitAny(words, comparison, timeoutNanos);
        } finally {
            end(found);
        }
        return found;
    }

    /// Tells a traced job of a wait.
    private void begin(String operation, Comparison comparison, long operand) {
        if (Tracing.ON) {
            long bytes = (long) size * view.type().byteSize();
            long place = size == 0 ? 0 : words.offsetOf(0);
            view.context.counters.tracer.enter(
                    EventKind.WAIT, operation, view.context.me, place, bytes, comparison, operand);
        }
    }

    /// @param found the number of the word that has ended the wait, or −1
    private void end(int found) {
        if (Tracing.ON) {
            long offset = found < 0 ? -1 : (long) found * view.type().byteSize();
            view.context.counters.tracer.leave(offset, TraceLayout.OF_SET);
        }
    }

    /// @param least result of a test that has found a word
    private int found(int result, int least) {
        found(result >= least);
        return result;
    }

    private int awaitSome(String operation, Comparison comparison, long operand, int[] found) {
        checkRoom(operation, found);
        begin(operation, comparison, operand);
        int count = 0;
        try {
            count = view.context.room.awaitSome(words, comparison, found, timeoutNanos);
        } finally {
            end(count == 0 ? -1 : found[0]);
        }
        view.checkNotFreed(operation);
        return count;
    }

    private void with(String operation, Comparison comparison, long operand) {
        view.checkUsable(operation);
        view.checkComparison(operation, comparison);
        view.polled();
        words.operand(operand);
    }

    private void with(String operation, Comparison comparison, long[] operands) {
        view.checkUsable(operation);
        view.checkComparison(operation, comparison);
        view.polled();
        if (operands == null) {
            throw ArgumentErrors.missing(operation, view.context, "operands");
        }
        if (operands.length < size) {
            throw new IllegalArgumentException(operation + " on PE " + view.context.me + ": " + operands.length
                    + " operands for a set of " + size + "; allowed are " + size + " and more");
        }
        words.operands(operands);
    }

    private void checkRoom(String operation, int[] found) {
        if (found == null) {
            throw ArgumentErrors.missing(operation, view.context, "found");
        }
        if (found.length < size) {
            throw new IllegalArgumentException(operation + " on PE " + view.context.me
                    + ": the array for the found indices has length " + found.length + ", the set has " + size
                    + " words; allowed are lengths of " + size + " and more");
        }
    }

    @Override
    public String toString() {
        return "set of " + size + " of the " + view;
    }
}
