// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.WaitTimeoutException;
import coterie.spi.FaceSupport;
import coterie.stream.KernelGroup;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A wait of a program: core's waits, one after the other, until the wait holds or its timeout has come.
///
/// In a kernel, and if the communicator's agent could fail, each of core's waits is short, so that the failure
/// of the kernel or of the agent ends it. A timeout of centuries is none.
abstract class Wait {
    /// Longer than a wait that goes well takes, shorter than a person waits.
    private static final long SLICE_NANOS = 50_000_000;

    private final DeviceCommunicator comm;
    private final @Nullable KernelGroup group;
    private final Duration timeout;
    private final long begin;

    Wait(Gin gin) {
        this.comm = gin.communicator();
        this.group = gin.group();
        this.timeout = gin.timeout();
        this.begin = now();
    }

    /// Returns the time by the clock of the world's waits.
    final long now() {
        return FaceSupport.of(comm.world()).nanoTime();
    }

    /// Waits for at most so long. Returns whether the wait holds.
    abstract boolean attempt(Duration atMost);

    /// Returns what the caller has waited for, and what there is instead.
    abstract String report();

    /// Waits until the wait holds.
    ///
    /// @throws WaitTimeoutException at the timeout
    /// @throws GinException with [GinError#FAILED]
    final void run() {
        if (group == null) {
            while (!step()) {
                // each step waits
            }
        } else {
            group.awaitOne(this::step);
        }
    }

    private boolean step() {
        comm.checkAlive();
        if (isEndless()) {
            return attempt(timeout);
        }
        long left = nanos(timeout) - (now() - begin);
        if (left <= 0) {
            throw expired(report(), timeout);
        }
        boolean isSliced = group != null || comm.isDistributed();
        return attempt(Duration.ofNanos(isSliced ? Math.min(left, SLICE_NANOS) : left));
    }

    static WaitTimeoutException expired(String report, Duration timeout) {
        return new WaitTimeoutException(report + "; the timeout of " + timeout.toMillis() + " ms has passed");
    }

    /// Returns whether the wait has no timeout, and nothing but its end or a failed PE can end it.
    final boolean isEndless() {
        return group == null && nanos(timeout) == Long.MAX_VALUE;
    }

    /// Returns a duration in nanoseconds; one of centuries counts as the longest.
    static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException e) {
            return duration.isNegative() ? 0 : Long.MAX_VALUE;
        }
    }

    /// Waits until a word of the caller has gone up to a number, on the circle of so many bits.
    static final class Word extends Wait {
        private final IntegerView words;
        private final long index;
        private final long offset;
        private final long least;
        private final long mask;
        private final Supplier<String> report;
        private long raw;

        /// @param words unsigned
        /// @param offset of the word's number 0
        /// @param raw the word's latest value
        Word(
                Gin gin,
                IntegerView words,
                long index,
                long offset,
                long least,
                long mask,
                long raw,
                Supplier<String> report) {
            super(gin);
            this.words = words;
            this.index = index;
            this.offset = offset;
            this.least = least;
            this.mask = mask;
            this.raw = raw;
            this.report = report;
        }

        @Override
        boolean attempt(Duration atMost) {
            if (RollingComparison.isAtMost(least, raw - offset, mask)) {
                return true;
            }
            long distance = RollingComparison.distance(least, raw - offset, mask);
            long awaited = raw + distance;
            boolean mayWrap = SignalWaits.mayWrap(raw, awaited);
            Comparison comparison = mayWrap ? Comparison.NE : Comparison.GE;
            long operand = mayWrap ? raw : awaited;
            try {
                raw = isEndless()
                        ? words.waitUntil(index, comparison, operand)
                        : words.waitUntil(index, comparison, operand, atMost);
            } catch (WaitTimeoutException e) {
                return false; // the next step finds the timeout
            }
            return RollingComparison.isAtMost(least, raw - offset, mask);
        }

        /// Returns the word's value, counted from the offset, all bits.
        long value() {
            return raw - offset;
        }

        @Override
        String report() {
            return report.get();
        }
    }

    /// Waits until something that a hook of this PE brings about.
    static final class Progress extends Wait {
        private final DeviceCommunicator comm;
        private final GinContext context;
        private final BooleanSupplier condition;
        private final Supplier<String> report;

        Progress(Gin gin, BooleanSupplier condition, Supplier<String> report) {
            super(gin);
            this.comm = gin.communicator();
            this.context = gin.context();
            this.condition = condition;
            this.report = report;
        }

        @Override
        boolean attempt(Duration atMost) {
            if (isEndless()) {
                context.awaitNext(); // the waiting room then knows for which peer it waits
                return condition.getAsBoolean();
            }
            long end = now() + atMost.toNanos();
            comm.world().progressUntil(() -> condition.getAsBoolean() || now() - end >= 0);
            return condition.getAsBoolean();
        }

        @Override
        String report() {
            return report.get();
        }
    }
}
