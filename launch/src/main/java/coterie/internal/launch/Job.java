// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.spi.PeState;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A running job, as its launcher sees it. Any thread may use it.
///
/// One thread starts the processes and lives as long as they do. For each process the launcher has two threads
/// that carry the output of the process, and one thread that waits for its end. If a failure, a time limit or
/// the launcher's own end stops the job early, the launcher asks all processes to end, and kills them after a
/// grace.
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
    private final @Nullable OuterPe outer;
    private final List<PeProcess> processes = new ArrayList<>();
    private int running;
    private boolean finished;
    private @Nullable String story;
    private JobWatcher.@Nullable Finding finding;

    private Job(JobSpec spec, JobSegment segment, @Nullable OuterPe outer) {
        this.spec = spec;
        this.segment = segment;
        this.outer = outer;
        this.monitor = new ExitMonitor(segment, spec.onFailure());
        boolean hasOwnStderr = spec.mode() == PeMode.PROCESSES && spec.hosts() == null;
        this.outputRouting = new OutputRouting(
                spec.output(), spec.pes(), console, hasOwnStderr && spec.onFailure() != OnFailure.CONTINUE);
        this.starter = new ProcessStarter(spec, segment, outputRouting, this);
        this.shutdown = new Shutdown();
    }

    /// Starts all PEs. Any thread may call this, also a virtual one, and may end before the job does: see
    /// [ProcessKeeper].
    ///
    /// @throws IllegalArgumentException if the specification is invalid; the launcher has started no process
    /// @throws CoterieException if a PE can't be started, or if this launcher runs in a PE that has ended; the
    ///     launcher has killed the PEs that it had started
    public static Job start(JobSpec spec) {
        JobSpecValidator.check(spec);
        OuterPe outer = OuterPe.find(spec.name());
        JobSegment segment = JobSegment.create(new JobSegment.Parameters(
                spec.name(),
                spec.pes(),
                spec.heapBytes(),
                Runtime.getRuntime().availableProcessors(),
                spec.onFailure() == OnFailure.CONTINUE,
                spec.nodes().isEmpty() ? Collections.nCopies(spec.pes(), 0) : spec.nodes(),
                spec.mode() == PeMode.SIMULATED || spec.hosts() != null));
        Job job = new Job(spec, segment, outer);
        Runtime.getRuntime().addShutdownHook(job.shutdown);
        try {
            new ProcessKeeper(job, spec.name(), job::startProcesses).startProcesses();
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
        HostPlan hosts = spec.hosts();
        if (hosts != null) {
            startAgents(hosts);
        } else if (spec.mode() != PeMode.PROCESSES) {
            add(starter.host());
        } else {
            for (int pe = 0; pe < spec.pes(); pe++) {
                add(starter.pe(pe));
            }
        }
        if (spec.timeout() != null) {
            new Alarm("time limit", spec.timeout().toNanos(), this::timedOut).start();
        }
        if (spec.onDeadlock() != OnDeadlock.IGNORE && spec.mode() != PeMode.SIMULATED && hosts == null) {
            new StallMonitor(this, spec, segment).start();
        }
        if (outer != null) {
            new OuterPe.Watch(outer, this).start();
        }
    }

    private void startAgents(HostPlan hosts) throws IOException {
        hosts.staging().copy(hosts, spec.program(), JavaCommand.runtime());
        String key = hosts.service().open(new RemoteEvents());
        for (int host = 0; host < hosts.hosts().size(); host++) {
            add(starter.agent(hosts, host, key));
        }
        new AgentWatch(this, segment, hosts.service()).start();
    }

    private synchronized void add(PeProcess started) {
        processes.add(started);
        running++;
        for (int pe : started.pes()) {
            segment.status(pe).set(StatusField.PID, started.process().pid());
        }
        new Watch(started).start();
        if (spec.debugPort() != 0) {
            int port = spec.debugPort() + started.pes().getFirst();
            console.print("coterie: " + PeNumbers.text(started.pes())
                    + (started.pes().size() == 1 ? " waits" : " wait") + " for a debugger at port " + port
                    + " of 127.0.0.1");
        }
    }

    /// Waits until every PE has ended and the launcher has written its output. Returns the job's exit code. An
    /// interrupt of the calling thread stops the job.
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

    /// Waits until all processes have ended, for `nanos` at most. Returns whether they have ended.
    synchronized boolean awaitEnds(long nanos) throws InterruptedException {
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
            outputRouting.printTraces();
            monitor.lastWords().forEach(this::print);
            outputRouting.close();
            HostPlan hosts = spec.hosts();
            if (hosts != null) {
                hosts.service().close();
            }
            segment.close();
            try {
                Runtime.getRuntime().removeShutdownHook(shutdown);
            } catch (IllegalStateException e) {
                return; // the shutdown hook itself runs this
            }
        }
    }

    void print(@Nullable String report) {
        if (report != null && !(spec.output() instanceof JobSpec.Output.Discarded)) {
            console.print("coterie: ".concat(report));
        }
    }

    /// Records that a signal asks the processes of the job to end, as [#signal] does, where the terminal has sent it
    /// to them. The launcher reports in a line for each kind what they were doing, and not how each has ended.
    public void askedToEnd(int number) {
        monitor.askedToEnd(number);
    }

    /// Sends a signal to every process of the job. Of one that asks the processes to end, see [#askedToEnd].
    public synchronized void signal(int number) {
        if (number == SIGHUP || number == SIGINT || number == SIGTERM) {
            askedToEnd(number);
        }
        for (PeProcess each : processes) {
            if (number == SIGTERM) {
                each.terminate();
            } else if (number == SIGKILL) {
                each.kill();
            } else {
                each.signal(number);
            }
        }
    }

    /// Returns whether the PEs are on hosts that remote shells reach, so that signals of this terminal don't.
    public boolean hasHosts() {
        return spec.hosts() != null;
    }

    /// Returns the stream that PE `pe` reads as its standard input, for a job with [JobSpec.Input#PIPES]. The
    /// program that uses this job writes to it.
    public OutputStream inputOf(int pe) {
        return starter.inputOf(pe);
    }

    /// Returns what a PE is doing, for people: "waiting in barrier #88", "running".
    public String whereabouts(int pe) {
        return JobReport.doing(segment.status(pe));
    }

    /// Returns the first failure of a job that has ended; empty if the job's exit code is 0.
    public Optional<JobFailure> failure() {
        int code = monitor.exitCode();
        return code == 0 ? Optional.empty() : Optional.of(new JobFailure(code, monitor.firstFailure()));
    }

    /// Returns the script that replays the latest simulated run; empty without a simulator, or if the host has
    /// ended before it could send the script.
    public synchronized Optional<String> story() {
        return Optional.ofNullable(story);
    }

    /// Returns the latest cause for which the job was stuck; empty if it never was.
    public synchronized Optional<JobWatcher.Finding> finding() {
        return Optional.ofNullable(finding);
    }

    /// Kills all processes that still run, and waits until they have ended.
    @Override
    public void close() {
        monitor.stopped(SIGKILL);
        killAll();
        boolean interrupted = Thread.interrupted();
        try {
            awaitEnds(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            interrupted = true; // the launcher has killed the processes: they end without a waiter
        }
        finish();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Records the end of PEs and stops the other PEs if the policy requires it. Returns what the launcher
    /// prints about it, or null.
    @Nullable
    String ended(List<Integer> pes, long pid, int exitCode, @Nullable HostedFailure told) {
        ExitMonitor.Outcome outcome = monitor.ended(pes, pid, exitCode, told);
        if (outcome.stop()) {
            stopAll();
        }
        return outcome.report();
    }

    /// Records that a PE has failed, as the host of PEs has reported.
    void hostedFailed(long pid, HostedFailure failure) {
        print(ended(List.of(failure.pe()), pid, failure.exitCode(), failure));
    }

    /// Records the end of a PE, as the agent of its host has reported. The service decides before how the PE
    /// ended.
    void agentReported(int pe, int exitCode, long pid) {
        HostPlan hosts = Objects.requireNonNull(spec.hosts(), "only hosts have agents");
        try {
            hosts.service().exited(pe, exitCode);
        } catch (InterruptedException e) {
            throw new AssertionError("the launcher never interrupts this thread", e);
        }
        print(ended(List.of(pe), pid, exitCode, null));
    }

    /// Returns the processes that the launcher has started by now.
    synchronized List<PeProcess> processes() {
        return List.copyOf(processes);
    }

    /// What the service of a job on several hosts reports.
    private final class RemoteEvents implements JobService.Events {
        @Override
        public void entered(int pe, PeState state) {
            StatusPage page = segment.status(pe);
            if (!page.state().hasTerminated()) {
                page.state(state);
            }
        }

        @Override
        public void failed(int pe, String why) {
            HostedFailure failure =
                    new HostedFailure(pe, ExitCode.HOST_LOST.code(), HostedFailure.Kind.FAILED, why, "");
            inOwnThread(
                    "failure of PE " + pe, () -> hostedFailed(segment.status(pe).get(StatusField.PID), failure));
        }

        @Override
        public void aborted(int pe, int exitCode) {
            if (monitor.aborted(pe, exitCode)) {
                stopAll();
            }
        }

        /// Reports may block: the reader of the launcher's output decides.
        private void inOwnThread(String what, Runnable action) {
            Thread.ofPlatform().daemon().name(what).start(action);
        }
    }

    /// Records the script that replays the latest run, as the host of PEs has sent it.
    synchronized void told(String story) {
        this.story = story;
    }

    /// Stops the job because the launcher can't pass on the output of PEs.
    void outputFailed(Exception cause) {
        if (monitor.outputFailed(cause)) {
            stopAll();
        }
    }

    /// Stops the job because the PE that this launcher runs in has ended.
    void outerEnded(OuterPe ended) {
        if (monitor.outerEnded(ended)) {
            stopAll();
        }
    }

    /// Prints why the job is stuck, and does what the user wants then, unless the job is ending.
    void stuck(JobWatcher.Finding finding) {
        if (monitor.isEnding()) {
            return;
        }
        print(finding.report());
        if (finding.isFinal()) {
            boolean isFirst;
            synchronized (this) {
                isFirst = this.finding == null;
                this.finding = finding;
            }
            switch (spec.onDeadlock()) {
                case REPORT -> {
                    if (isFirst) {
                        print("the job goes on waiting, for `coterie diagnose` and debuggers: Ctrl-C ends it;"
                                + " --on-deadlock abort ends such jobs by itself");
                    }
                }
                case IGNORE -> {}
                case FAIL -> segment.endWaits();
                case ABORT -> {
                    if (monitor.stuck()) {
                        stopAll();
                    }
                }
            }
        }
    }

    private void timedOut() {
        if (monitor.timedOut()) {
            stopAll();
        }
    }

    /// Asks all processes to end, and kills them after the grace.
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
            super(null, null, "end of ".concat(PeNumbers.text(watched.pes())), LinePump.STACK_BYTES);
            setDaemon(true);
            this.watched = watched;
        }

        @Override
        public void run() {
            try {
                int code = watched.process().waitFor();
                String report = spec.mode() == PeMode.PROCESSES && spec.hosts() == null
                        ? ended(watched.pes(), watched.pid(), code, null)
                        : hostEnded(code);
                if (report != null) {
                    watched.finishOutput(); // the user reads what the PE itself has printed before the report
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

        /// Records the end of the PEs of a host. PEs that had ended well before their host keep exit code 0; all
        /// others have the exit code of the host.
        private @Nullable String hostEnded(int code) throws InterruptedException {
            watched.finishOutput(); // the output may still report which PE failed first
            List<Integer> lost = new ArrayList<>();
            for (int pe : watched.pes()) {
                if (segment.status(pe).state().hasTerminated() && spec.hosts() != null) {
                    continue;
                }
                if (segment.status(pe).state() == PeState.ENDED) {
                    ended(List.of(pe), watched.pid(), 0, null);
                } else {
                    lost.add(pe);
                }
            }
            if (!(watched instanceof HostProcess agent)) {
                return ended(lost, watched.pid(), code, null);
            }
            if (lost.isEmpty()) {
                return null; // the agent has reported all ends
            }
            String why = "the agent of host " + agent.host() + " ended with exit code " + code;
            int exitCode = ExitCode.HOST_LOST.code();
            for (int pe : lost) {
                Objects.requireNonNull(spec.hosts(), "it has hosts").service().exited(pe, exitCode);
            }
            return ended(
                    lost,
                    watched.pid(),
                    exitCode,
                    new HostedFailure(lost.getFirst(), exitCode, HostedFailure.Kind.FAILED, why, ""));
        }
    }

    /// Runs an action after a given time if the job still runs.
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

    /// Stops the job when the launcher ends. The processes may use their grace, and the launcher writes what
    /// they still print.
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
