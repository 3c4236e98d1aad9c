// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.CoterieException;
import coterie.DeadlockException;
import coterie.PeFailedException;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reports to a waiter, after the failure epoch has moved, which PEs have ended, how, and whether that ends the
/// wait.
///
/// A failure ends each wait with unknown writers that is under way, on all threads, or else the next such wait;
/// later waits may go on among the living. A wait therefore notes at its beginning how many failures have been
/// reported, and ends with an exception after more.
final class FailureReporter {
    private final PeJob job;
    private final int me;

    /// Failed PEs that waits with unknown writers have reported.
    private final AtomicInteger reported = new AtomicInteger();

    /// Whether the program has got an exception for a failed PE.
    private volatile boolean isKnown;

    FailureReporter(PeJob job) {
        this.job = job;
        this.me = job.pe();
    }

    /// Returns how many failed PEs have been reported to waits with unknown writers.
    int reported() {
        return reported.get();
    }

    /// Returns the exception for any wait, if the job was asked to stop, or this PE counts as failed.
    @Nullable
    CoterieException abort(Condition condition) {
        OptionalInt code = job.abortCode();
        if (code.isPresent()) {
            return new CoterieException(
                    condition.operation(me) + ": the job was aborted with exit code " + code.getAsInt());
        }
        return job.state(me) == PeState.FAILED
                ? new CoterieException(condition.operation(me) + ": this PE counts as failed"
                        + job.failureReason(me)
                                .map(reason -> " (" + reason + ")")
                                .orElse("") + "; end it" + firstOther(me))
                : null;
    }

    /// The exception for a wait of a job that is in a deadlock.
    ///
    /// @param waited nanoseconds
    @Nullable
    DeadlockException deadlock(Condition condition, long waited) {
        long stuckAt = job.stuckAtNanos();
        return stuckAt == 0 || System.nanoTime() - waited > stuckAt
                ? null
                : new DeadlockException(
                        condition.operation(me) + ": the job is in a deadlock, whose cause the launcher has reported");
    }

    /// Whether this PE will never act again, or not in this world.
    boolean hasTerminated(int pe) {
        return job.state(pe).hasTerminated();
    }

    /// The exception for a wait that only its PE, which is over, could have ended.
    PeFailedException of(Condition condition) {
        isKnown = true;
        int pe = condition.pe;
        List<Integer> failed = failed();
        return new PeFailedException(
                condition.operation(me) + ": PE " + pe + " " + terminationCause(pe) + firstOther(pe),
                failed.contains(pe) ? failed : List.of(pe));
    }

    /// The exception for a wait that anybody could have ended, if it can't be ended or should not go on unaware.
    ///
    /// @param known how many failed PEs had been reported when the wait began
    @Nullable
    PeFailedException ofAnyone(Condition condition, int known) {
        int failed = 0;
        int over = 0;
        for (int pe = 0; pe < job.size(); pe++) {
            if (pe != me) {
                PeState state = job.state(pe);
                failed += state == PeState.FAILED ? 1 : 0;
                over += state.hasTerminated() ? 1 : 0;
            }
        }
        boolean alone = over > 0 && over == job.size() - 1;
        if ((failed <= known && !alone) || condition.holds()) {
            return null;
        }
        if (failed <= known) {
            List<Integer> others = others();
            return new PeFailedException(
                    condition.operation(me) + ": all other PEs have ended; " + describe(others), others);
        }
        List<Integer> pes = failed();
        note(pes.size());
        return new PeFailedException(condition.operation(me) + ": " + describe(pes), pes);
    }

    /// The exception for a wait that only some PEs can end, if one of them has failed, or all are over.
    @Nullable
    PeFailedException ofWriters(Condition condition, int[] writers) {
        List<Integer> failed = new ArrayList<>();
        List<Integer> over = new ArrayList<>();
        for (int pe : writers) {
            if (hasFailed(pe)) {
                failed.add(pe);
            }
            if (pe != me && hasTerminated(pe)) {
                over.add(pe);
            }
        }
        boolean isLost = !failed.isEmpty() || over.size() == writers.length;
        if (!isLost || condition.holds()) {
            return null;
        }
        List<Integer> causes = failed.isEmpty() ? over : failed;
        isKnown = true;
        return new PeFailedException(condition.operation(me) + ": " + describe(causes), causes);
    }

    /// The exception for an operation that no single failure stops, if more PEs have failed than `known`.
    @Nullable
    PeFailedException beyond(int known, String operation) {
        if (count() <= known) {
            return null;
        }
        List<Integer> failed = failed();
        note(failed.size());
        return new PeFailedException(operation + " on PE " + me + ": " + describe(failed), failed);
    }

    /// How a PE that is over has ended, for people.
    String terminationCause(int pe) {
        if (job.exitCode(pe) != 0) {
            return "failed (" + reason(pe) + ")";
        }
        return job.state(pe) == PeState.ENDED
                ? "has ended (exit code 0) without taking part"
                : "ended inside its world (exit code 0)";
    }

    private String reason(int pe) {
        int code = job.exitCode(pe);
        return code == PeJob.UNKNOWN_EXIT_CODE
                ? job.failureReason(pe).orElse("another PE has reported it")
                : "exit code " + code;
    }

    /// Notes that the program gets an exception for so many failed PEs.
    void note(int pes) {
        isKnown = true;
        reported.accumulateAndGet(pes, Math::max);
    }

    /// Returns whether the program has got an exception for a failed PE.
    boolean isKnown() {
        return isKnown;
    }

    private int count() {
        int failed = 0;
        for (int pe = 0; pe < job.size(); pe++) {
            failed += hasFailed(pe) ? 1 : 0;
        }
        return failed;
    }

    /// Whether another PE ended in another way than it should.
    boolean hasFailed(int pe) {
        return pe != me && job.state(pe) == PeState.FAILED;
    }

    private List<Integer> failed() {
        List<Integer> failed = others();
        failed.removeIf(pe -> !hasFailed(pe));
        return failed;
    }

    private List<Integer> others() {
        List<Integer> others = new ArrayList<>();
        for (int pe = 0; pe < job.size(); pe++) {
            if (pe != me) {
                others.add(pe);
            }
        }
        return others;
    }

    private String describe(List<Integer> pes) {
        return pes.stream().map(pe -> "PE " + pe + " " + terminationCause(pe)).collect(Collectors.joining("; "));
    }

    /// The PE that failed first is most often the cause of the rest.
    private String firstOther(int pe) {
        return failed().stream()
                .min(Comparator.comparingLong(other -> job.endedAtNanos(other)))
                .filter(first -> first != pe && (pe != me || job.endedAtNanos(first) < job.endedAtNanos(me)))
                .map(first -> "; PE " + first + " was the first to fail (" + reason(first) + ")")
                .orElse("");
    }
}
