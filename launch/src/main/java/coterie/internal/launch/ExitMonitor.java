// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusPage;
import coterie.spi.PeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Records how PEs end, one end at a time, and decides what the launcher does about it.
///
/// For each end the monitor takes three steps under one lock. It reads what the other PEs are doing; they leave
/// their waits as soon as they see the end. It records the end in the job's segment, where waiting PEs see it.
/// It applies the [ExitCodePolicy]. A PE that fails because another PE has failed is therefore always the later
/// one.
final class ExitMonitor {
    private static final int BROKEN_PIPE = ExitCode.ofSignal(13);
    private static final int TERMINATED = ExitCode.ofSignal(15);
    private static final Outcome NOTHING = new Outcome(false, null);

    private final JobSegment segment;
    private final ExitCodePolicy exitCodePolicy;
    private final boolean[] noted;
    private final long startNanos = System.nanoTime();
    private boolean asked;
    private @Nullable String lastWords;
    private @Nullable String whyEnded;
    private Map<Integer, String> doings = Map.of();
    private @Nullable String firstFailure;

    ExitMonitor(JobSegment segment, OnFailure onFailure) {
        this.segment = segment;
        this.exitCodePolicy = new ExitCodePolicy(onFailure);
        this.noted = new boolean[segment.size()];
    }

    /// What the launcher does after an end.
    ///
    /// @param stop whether the launcher must stop the rest of the job
    /// @param report what the launcher prints now, or null
    record Outcome(boolean stop, @Nullable String report) {}

    /// Records the end of those of these PEs whose end it has not recorded before.
    ///
    /// @param pid of their process
    /// @param told what their host has reported about the failure, or null
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
            lastWords = JobReport.aborted(segment, elapsedNanos());
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

    /// Records that a user's signal asks PEs to end, and what they were doing before; the monitor does not report
    /// PEs that end by it.
    synchronized void askedToEnd(int signal) {
        if (!isEnding()) {
            noteDoings("the job was ended by " + JobReport.signal(signal) + ", after "
                    + JobReport.seconds(elapsedNanos()));
        }
        asked = true;
        segment.stop();
    }

    /// Notes why the job ends early, and what its PEs do now.
    private void noteDoings(String why) {
        whyEnded = why;
        doings = JobReport.snapshot(segment);
    }

    /// Records that the launcher stops the job. Returns whether this decides the job's exit code, as that of
    /// `signal`.
    synchronized boolean stopped(int signal) {
        return stop(ExitCode.ofSignal(signal));
    }

    /// Records that the launcher stops the job, unless another event has decided the exit code before. PEs then keep
    /// silent about what the ends of others do to them.
    private boolean stop(int exitCode) {
        if (!exitCodePolicy.decide(exitCode)) {
            return false;
        }
        segment.stop();
        return true;
    }

    /// Records that the PE has ended whose program had started the launcher. Returns whether this decides the
    /// job's exit code.
    synchronized boolean outerEnded(OuterPe outer) {
        if (!stop(TERMINATED)) {
            return false;
        }
        lastWords = "the job was stopped because the PE that had started it has ended: PE " + outer.pe() + " (pid "
                + outer.process().pid() + ")";
        return true;
    }

    /// Records that the job has reached its time limit, and what its PEs were doing. Returns whether this decides its
    /// exit code.
    synchronized boolean timedOut() {
        if (!stop(ExitCode.TIMED_OUT.code())) {
            return false;
        }
        noteDoings("the job was stopped after " + JobReport.seconds(elapsedNanos()) + " because of its time limit");
        return true;
    }

    /// Records that the launcher can't write output, because its reader has closed it or for another reason.
    /// Returns whether this decides the job's exit code.
    synchronized boolean outputFailed(Exception cause) {
        boolean closed = "Broken pipe".equals(cause.getMessage());
        if (!stop(closed ? BROKEN_PIPE : ExitCode.INTERNAL.code())) {
            return false;
        }
        lastWords = closed ? null : "the job was stopped because its output can't be written: " + cause;
        return true;
    }

    /// Records that a PE of a job across hosts has asked for an abort. Returns whether this decides the job's exit
    /// code.
    synchronized boolean aborted(int pe, int exitCode) {
        segment.abort(pe, exitCode);
        if (!exitCodePolicy.decide(exitCode)) {
            return false;
        }
        lastWords = JobReport.aborted(segment, elapsedNanos());
        return true;
    }

    /// Records that the launcher stops the job, which is in a deadlock. Returns whether this decides its exit
    /// code.
    synchronized boolean stuck() {
        return stop(ExitCode.DEADLOCK.code());
    }

    /// Returns whether the job is ending, by the launcher, a PE or a user: what its PEs wait for does not matter any
    /// more.
    synchronized boolean isEnding() {
        return asked || exitCodePolicy.isDecided() || segment.isEnding();
    }

    /// Returns the lines that the launcher prints after all PEs have ended.
    synchronized List<String> lastWords() {
        List<String> lines = new ArrayList<>();
        if (whyEnded != null) {
            lines.add(whyEnded);
            lines.addAll(JobReport.endings(segment, doings));
        }
        if (lastWords != null) {
            lines.add(lastWords);
        }
        return lines;
    }

    /// Returns what the first failed PE has thrown, or why the simulator has killed it; empty if the launcher
    /// knows only an exit code.
    synchronized String firstFailure() {
        return firstFailure == null ? "" : firstFailure;
    }

    /// Returns the job's exit code, after all PEs have ended.
    synchronized int exitCode() {
        return exitCodePolicy.exitCode();
    }

    private long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }
}
