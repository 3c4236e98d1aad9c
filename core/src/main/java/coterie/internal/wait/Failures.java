// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.PeState;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a waiter learns when the failure epoch has moved: who has ended, how, and whether that ends the wait.
final class Failures {
    private final JobSegment job;
    private final int me;

    /// Failed PEs that a wait of unknown origin has already reported; each failure interrupts such a wait once.
    private int reported;

    Failures(JobSegment job, int me) {
        this.job = job;
        this.me = me;
    }

    /// Throws if the job was asked to stop.
    void checkAbort(WaitKind kind) {
        OptionalInt code = job.abortCode();
        if (code.isPresent()) {
            throw new CoterieException(
                    kind.words() + " on PE " + me + ": the job was aborted with exit code " + code.getAsInt());
        }
    }

    /// Whether this PE will never act again, or not in this world.
    boolean isOver(int pe) {
        return job.status(pe).state().isOver();
    }

    /// The exception for a wait that only `pe` could have ended.
    PeFailedException lost(WaitKind kind, long sequence, int pe) {
        String operation = kind.words() + (sequence >= 0 ? " #" + sequence : "");
        return new PeFailedException(
                operation + " on PE " + me + ": PE " + pe + " " + fate(pe) + firstOther(pe), failedOr(pe));
    }

    /// The exception for a wait that anybody could have ended, if a PE has failed since the last such wait or none
    /// is left that could.
    @Nullable
    PeFailedException ofAnyone(String condition) {
        List<Integer> failed = failed();
        String operation = WaitKind.WORD.words() + " on PE " + me + ", " + condition + ": ";
        if (failed.size() > reported) {
            reported = failed.size();
            return new PeFailedException(operation + describe(failed), failed);
        }
        List<Integer> over = new ArrayList<>();
        for (int pe = 0; pe < job.size(); pe++) {
            if (pe != me && isOver(pe)) {
                over.add(pe);
            }
        }
        return over.isEmpty() || over.size() < job.size() - 1
                ? null
                : new PeFailedException(operation + "all other PEs have ended; " + describe(over), over);
    }

    private List<Integer> failed() {
        List<Integer> failed = new ArrayList<>();
        for (int pe = 0; pe < job.size(); pe++) {
            if (pe != me && job.status(pe).state() == PeState.FAILED) {
                failed.add(pe);
            }
        }
        return failed;
    }

    private List<Integer> failedOr(int pe) {
        List<Integer> failed = failed();
        return failed.contains(pe) ? failed : List.of(pe);
    }

    private String describe(List<Integer> pes) {
        return pes.stream().map(pe -> "PE " + pe + " " + fate(pe)).collect(Collectors.joining("; "));
    }

    private String fate(int pe) {
        StatusPage page = job.status(pe);
        long code = page.get(StatusField.EXIT_CODE);
        return page.state() == PeState.ENDED
                ? "has ended (exit code 0) without taking part"
                : code == 0 ? "ended inside its world (exit code 0)" : "failed (exit code " + code + ")";
    }

    /// The PE that failed first is most often the cause of the rest.
    private String firstOther(int pe) {
        return failed().stream()
                .min(Comparator.comparingLong(other -> job.status(other).get(StatusField.ENDED_AT)))
                .filter(first -> first != pe)
                .map(first -> "; PE " + first + " was the first to fail (exit code "
                        + job.status(first).get(StatusField.EXIT_CODE) + ")")
                .orElse("");
    }
}
