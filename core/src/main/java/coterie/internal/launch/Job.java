// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.posix.Libc;
import coterie.spi.PeState;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A running job, as its launcher sees it. Any thread may use it.
///
/// Each process has two threads here that carry its output, and one that waits for its end. Whatever ends the job
/// before its time (a failure, a time limit, the launcher's own end) asks all processes to end and makes them
/// after a grace.
public final class Job implements AutoCloseable {
    private static final int SIGHUP = 1;
    private static final int SIGINT = 2;
    private static final int SIGKILL = 9;
    private static final int SIGTERM = 15;

    private final JobSpec spec;
    private final JobSegment segment;
    private final Console console = new Console();
    private final ExitMonitor monitor;
    private final OutputRouting outputRouting;
    private final ProcessStarter starter;
    private final Thread shutdown;
    private final List<PeProcess> processes = new ArrayList<>();
    private int running;
    private boolean finished;
    private @Nullable String story;

    private Job(JobSpec spec, JobSegment segment) {
        this.spec = spec;
        this.segment = segment;
        this.monitor = new ExitMonitor(segment, spec.onFailure());
        this.outputRouting = new OutputRouting(spec.output(), console);
        this.starter = new ProcessStarter(spec, segment, outputRouting, this);
        this.shutdown = new Shutdown();
    }

    /// Starts all PEs. The calling thread must stay alive until the job has ended: PEs die with it.
    ///
    /// @throws IllegalArgumentException if the specification asks for what can't be; nothing was started
    /// @throws CoterieException if a PE can't be started; those that were are gone again
    public static Job start(JobSpec spec) {
        JobSpecValidator.check(spec);
        JobSegment segment = JobSegment.create(new JobSegment.Parameters(
                spec.name(),
                spec.pes(),
                spec.heapBytes(),
                Runtime.getRuntime().availableProcessors(),
                spec.onFailure() == OnFailure.CONTINUE,
                spec.nodes().isEmpty() ? Collections.nCopies(spec.pes(), 0) : spec.nodes()));
        Job job = new Job(spec, segment);
        Runtime.getRuntime().addShutdownHook(job.shutdown);
        try {
            job.startProcesses();
            return job;
        } catch (IOException e) {
            job.close();
            throw new CoterieException("starting job " + spec.name() + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            job.close();
            throw e;
        }
    }

    private void startProcesses() throws IOException {
        if (spec.mode() != PeMode.PROCESSES) {
            add(starter.host());
        } else {
            for (int pe = 0; pe < spec.pes(); pe++) {
                add(starter.pe(pe));
            }
        }
        if (spec.timeout() != null) {
            new Alarm("time limit", spec.timeout().toNanos(), this::timedOut).start();
        }
    }

    private synchronized void add(PeProcess started) {
        processes.add(started);
        running++;
        for (int pe : started.pes()) {
            segment.status(pe).set(StatusField.PID, started.process().pid());
        }
        new Watch(started).start();
    }

    /// Waits until every PE has ended and its output is written. Returns the job's exit code. An interrupt stops
    /// the job.
    public int await() {
        try {
            awaitEnds(Long.MAX_VALUE);
            for (PeProcess each : processes) {
                each.finishOutput();
            }
            finish();
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
        }
        return monitor.exitCode();
    }

    /// Waits until all processes have ended, at most so long. Returns whether they have.
    private synchronized boolean awaitEnds(long nanos) throws InterruptedException {
        long start = System.nanoTime();
        while (running > 0) {
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000 + 1);
        }
        return true;
    }

    private synchronized void finish() {
        if (!finished) {
            finished = true;
            print(monitor.lastWords());
            outputRouting.close();
            segment.close();
            try {
                Runtime.getRuntime().removeShutdownHook(shutdown);
            } catch (IllegalStateException e) {
                return; // this is the shutdown
            }
        }
    }

    private void print(@Nullable String report) {
        if (report != null && !(spec.output() instanceof JobSpec.Output.Discarded)) {
            console.print("coterie: ".concat(report));
        }
    }

    /// Forwards a signal to every process of the job. Where the signal asks them to end and they do, the launcher
    /// prints no report: the sender of the signal expects it.
    public synchronized void signal(int number) {
        if (number == SIGHUP || number == SIGINT || number == SIGTERM) {
            monitor.askedToEnd();
        }
        for (PeProcess each : processes) {
            if (number == SIGTERM) {
                each.terminate();
            } else if (number == SIGKILL) {
                each.kill();
            } else if (each.process().isAlive()) {
                Libc.kill(each.pid(), number);
            }
        }
    }

    /// Where the program writes what PE `pe` reads, for a job with [JobSpec.Input#PIPES].
    public OutputStream inputOf(int pe) {
        return starter.inputOf(pe);
    }

    /// What a PE is doing, for people: "waiting in barrier #88", "running".
    public String whereabouts(int pe) {
        return JobReport.doing(segment.status(pe));
    }

    /// How the job has failed first; nothing if its exit code is 0. Asked when it has ended.
    public Optional<JobFailure> failure() {
        int code = monitor.exitCode();
        return code == 0 ? Optional.empty() : Optional.of(new JobFailure(code, monitor.firstFailure()));
    }

    /// How to have the latest performance again, as its stage says; nothing without a stage, or if its host did
    /// not live to tell.
    public synchronized Optional<String> story() {
        return Optional.ofNullable(story);
    }

    /// Stops what still runs, at once, and waits for its end.
    @Override
    public void close() {
        monitor.stopped(SIGKILL);
        killAll();
        boolean interrupted = Thread.interrupted();
        try {
            awaitEnds(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            interrupted = true; // the kernel ends them anyway
        }
        finish();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Notes the end of PEs and stops the others if need be. Returns what is to be said about it, or null.
    @Nullable
    String ended(List<Integer> pes, long pid, int exitCode, @Nullable HostedFailure told) {
        ExitMonitor.Outcome outcome = monitor.ended(pes, pid, exitCode, told);
        if (outcome.stop()) {
            stopAll();
        }
        return outcome.report();
    }

    /// The host of PEs tells that one of them has failed.
    void hostedFailed(long pid, HostedFailure failure) {
        print(ended(List.of(failure.pe()), pid, failure.exitCode(), failure));
    }

    /// The host of PEs tells how to have its performance again.
    synchronized void told(String story) {
        this.story = story;
    }

    /// Lines of PEs can't be handed on.
    void outputFailed(Exception cause) {
        if (monitor.outputFailed(cause)) {
            stopAll();
        }
    }

    private void timedOut() {
        if (monitor.timedOut()) {
            stopAll();
        }
    }

    /// Asks all processes to end, and makes them after the grace.
    private synchronized void stopAll() {
        for (PeProcess each : processes) {
            each.terminate();
        }
        new Alarm("grace", spec.grace().toNanos(), this::killAll).start();
    }

    private synchronized void killAll() {
        for (PeProcess each : processes) {
            each.kill();
        }
    }

    /// Waits for the end of one process.
    private final class Watch extends Thread {
        private final PeProcess watched;

        Watch(PeProcess watched) {
            super(null, null, "end of ".concat(JobReport.describePes(watched.pes())), LinePump.STACK_BYTES);
            setDaemon(true);
            this.watched = watched;
        }

        @Override
        public void run() {
            try {
                int code = watched.process().waitFor();
                String report = spec.mode() == PeMode.PROCESSES
                        ? ended(watched.pes(), watched.pid(), code, null)
                        : hostEnded(code);
                if (report != null) {
                    watched.finishOutput(); // the reader wants the PE's own words first
                    print(report);
                }
            } catch (InterruptedException e) {
                throw new AssertionError("the launcher never interrupts this thread", e);
            } finally {
                synchronized (Job.this) {
                    running--;
                    Job.this.notifyAll();
                }
            }
        }

        /// Those of its PEs that have ended well before did not end with their host.
        private @Nullable String hostEnded(int code) throws InterruptedException {
            watched.finishOutput(); // it may still tell which PE failed first
            List<Integer> lost = new ArrayList<>();
            for (int pe : watched.pes()) {
                if (segment.status(pe).state() == PeState.ENDED) {
                    ended(List.of(pe), watched.pid(), 0, null);
                } else {
                    lost.add(pe);
                }
            }
            return ended(lost, watched.pid(), code, null);
        }
    }

    /// Acts if the job still runs after so long.
    private final class Alarm extends Thread {
        private final long nanos;
        private final Runnable action;

        Alarm(String what, long nanos, Runnable action) {
            super(what.concat(" of job ").concat(spec.name()));
            setDaemon(true);
            this.nanos = nanos;
            this.action = action;
        }

        @Override
        public void run() {
            try {
                if (!awaitEnds(nanos)) {
                    action.run();
                }
            } catch (InterruptedException e) {
                throw new AssertionError("the launcher never interrupts this thread", e);
            }
        }
    }

    /// Ends the job with its launcher. The processes may use their grace, and what they still print comes out.
    private final class Shutdown extends Thread {
        Shutdown() {
            super("shutdown of job ".concat(spec.name()));
        }

        @Override
        public void run() {
            if (monitor.stopped(SIGTERM)) {
                stopAll();
            }
            await();
        }
    }
}
