// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.WaitTimeoutException;
import coterie.stream.KernelGroup;
import java.util.function.Supplier;

/// The waits for signals and counters: words of the caller that go up on a circle.
final class SignalWaits {
    private static final long ALL_BITS = -1;

    private SignalWaits() {}

    static long awaitSignal(Gin gin, String operation, int signal, long least, long mask) {
        GinContext context = gin.context();
        DeviceCommunicator comm = context.comm;
        long word = comm.layout().signal(context.index, signal);
        long offset = context.signals.offset(signal);
        if (gin.group() == null) {
            try {
                long value = attempt(gin, context.words, word, offset, least, mask);
                if (RollingComparison.isAtMost(least, value, mask)) {
                    return value;
                }
            } catch (WaitTimeoutException e) {
                throw Wait.expired(WaitReports.signal(context, operation, signal, least, mask), gin.timeout());
            }
        }
        return waitWord(
                gin,
                context.words,
                word,
                offset,
                least,
                mask,
                () -> WaitReports.signal(context, operation, signal, least, mask));
    }

    /// Waits for a word of the caller without an allocation, and returns whether it meets or passes a number: if not,
    /// [#waitWord] goes on.
    ///
    /// @throws WaitTimeoutException at the timeout
    static boolean hasMet(Gin gin, IntegerView words, long word, long offset, long least, long mask) {
        return gin.group() == null
                && RollingComparison.isAtMost(least, attempt(gin, words, word, offset, least, mask), mask);
    }

    /// Waits for a word of the caller without an allocation, and returns its value, counted from the offset: if it
    /// does not meet or pass the number, [#waitWord] goes on. That is so where waits are short ones, one after the
    /// other, and for words so large that they may wrap.
    private static long attempt(Gin gin, IntegerView words, long word, long offset, long least, long mask) {
        long awaited = least + offset;
        if (mask != ALL_BITS || awaited < 0 || gin.communicator().isDistributed()) {
            long raw = GinContext.raw(words, word);
            awaited = raw + RollingComparison.distance(least, raw - offset, mask);
            if (RollingComparison.isAtMost(least, raw - offset, mask)
                    || mayWrap(raw, awaited)
                    || gin.communicator().isDistributed()) {
                return raw - offset;
            }
        }
        try {
            return words.waitUntil(word, Comparison.GE, awaited, gin.timeout()) - offset;
        } catch (WaitTimeoutException e) {
            long value = GinContext.raw(words, word) - offset;
            if (RollingComparison.isAtMost(least, value, mask)) {
                return value;
            }
            throw e;
        }
    }

    /// Returns whether a word could go past a number and past 2^64: then to be greater does not tell.
    static boolean mayWrap(long raw, long awaited) {
        return (raw | awaited) < 0;
    }

    /// Waits until a word of the caller meets or passes a number, and returns its value, counted from the offset.
    static long waitWord(
            Gin gin, IntegerView words, long word, long offset, long least, long mask, Supplier<String> report) {
        KernelGroup group = gin.group();
        if (gin.communicator().isDistributed()) {
            gin.once(() -> gin.context().hint(OptFlag.DEFAULT));
        }
        long raw = GinContext.raw(words, word);
        if (group == null && RollingComparison.isAtMost(least, raw - offset, mask)) {
            return raw - offset;
        }
        Wait.Word wait = new Wait.Word(gin, words, word, offset, least, mask, raw, report);
        wait.run();
        return group == null ? wait.value() : gin.broadcast(() -> GinContext.raw(words, word) - offset);
    }

    /// Throws if ranks have sent more to a signal than has come.
    static void checkDelivered(GinContext context, int signal, long raw) {
        DeviceCommunicator comm = context.comm;
        long sent = 0;
        for (int rank = 0; rank < comm.size(); rank++) {
            sent += comm.words().get(comm.layout().sent(comm.rank(), context.index, signal), rank);
        }
        if (sent != raw) {
            throw new GinException(
                    GinError.RESET_RACE,
                    context.where("resetSignal") + ": reset of signal " + signal + " with " + (sent - raw)
                            + " undelivered; wait for all signals before the reset");
        }
    }
}
