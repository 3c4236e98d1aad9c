// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusPage;
import coterie.spi.PeState;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Notes how PEs end, one after the other, and what follows from it.
///
/// An end is noted in the job's segment first, so that PEs that wait learn it from there, and judged then, both
/// under one lock: a PE that fails because another has failed can't come first. What the others were doing is read
/// before either, since they leave what they wait in as soon as they know.
final class ExitMonitor {
    private static final int BROKEN_PIPE = ExitCode.ofSignal(13);
    private static final Outcome NOTHING = new Outcome(false, null);

    private final JobSegment segment;
    private final ExitCodePolicy exitCodePolicy;
    private final boolean[] noted;
    private final long startNanos = System.nanoTime();
    private boolean asked;
    private @Nullable String lastWords;
    private @Nullable String firstFailure;

    ExitMonitor(JobSegment segment, OnFailure onFailure) {
        this.segment = segment;
        this.exitCodePolicy = new ExitCodePolicy(onFailure);
        this.noted = new boolean[segment.size()];
    }

    /// What follows from an end.
    ///
    /// @param stop whether the rest of the job is to be stopped
    /// @param report what is to be said at once, or null
    record Outcome(boolean stop, @Nullable String report) {}

    /// Notes and judges the end of PEs, those that were not noted before.
    ///
    /// @param pid of their process
    /// @param told what their host has told about it, or null
    synchronized Outcome ended(List<Integer> pes, long pid, int exitCode, @Nullable HostedFailure told) {
        List<Integer> news = news(pes);
        if (news.isEmpty()) {
            return NOTHING;
        }
        boolean silent = exitCodePolicy.isDecided() || (asked && ExitCodePolicy.isSignal(exitCode));
        String others =
                silent || isFine(news, exitCode) ? "" : told != null ? told.doings() : JobReport.doings(segment, news);
        boolean failed = false;
        for (int pe : news) {
            segment.end(pe, exitCode);
            failed |= segment.status(pe).state() == PeState.FAILED;
        }
        OptionalInt abort = segment.abortCode();
        if (abort.isPresent() && exitCodePolicy.decide(abort.getAsInt())) {
            return new Outcome(true, null);
        }
        if (failed && firstFailure == null) {
            firstFailure = told == null ? "" : told.what();
        }
        boolean stop = exitCodePolicy.ended(exitCode, failed);
        if (!failed || silent) {
            return new Outcome(stop, null);
        }
        String report =
                JobReport.failed(news, pid, exitCode, elapsedNanos(), told).concat(others);
        if (stop) {
            lastWords = report;
        }
        return new Outcome(stop, stop ? null : report);
    }

    private List<Integer> news(List<Integer> pes) {
        List<Integer> news = new ArrayList<>(pes.size());
        for (int pe : pes) {
            if (!noted[pe]) {
                noted[pe] = true;
                news.add(pe);
            }
        }
        return news;
    }

    private boolean isFine(List<Integer> pes, int exitCode) {
        for (int pe : pes) {
            StatusPage page = segment.status(pe);
            if (exitCode != 0 || page.state() == PeState.RUNNING) {
                return false;
            }
        }
        return true;
    }

    /// Notes that a user's signal asks PEs to end; the monitor does not report PEs that end by it.
    synchronized void askedToEnd() {
        asked = true;
    }

    /// The job is stopped from outside. Returns whether that decides its exit code.
    synchronized boolean stopped(int signal) {
        return exitCodePolicy.decide(ExitCode.ofSignal(signal));
    }

    /// The job's time is over. Returns whether that decides its exit code.
    synchronized boolean timedOut() {
        String others = JobReport.doings(segment, List.of());
        if (!exitCodePolicy.decide(ExitCode.TIMED_OUT.code())) {
            return false;
        }
        lastWords = "the job was stopped after " + JobReport.seconds(elapsedNanos()) + " because of its time limit"
                + others;
        return true;
    }

    /// Notes that output can't be written, because its reader has closed it or for another reason. Returns whether
    /// that decides the job's exit code.
    synchronized boolean outputFailed(Exception cause) {
        boolean closed = "Broken pipe".equals(cause.getMessage());
        if (!exitCodePolicy.decide(closed ? BROKEN_PIPE : ExitCode.INTERNAL.code())) {
            return false;
        }
        lastWords = closed ? null : "the job was stopped because its output can't be written: " + cause;
        return true;
    }

    /// What is to be said when all PEs have ended, or null.
    synchronized @Nullable String lastWords() {
        return lastWords;
    }

    /// What the first PE that failed has thrown or was killed by, or an empty text.
    synchronized String firstFailure() {
        return firstFailure == null ? "" : firstFailure;
    }

    /// The job's exit code, once all PEs have ended.
    synchronized int exitCode() {
        return exitCodePolicy.exitCode();
    }

    private long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }
}
