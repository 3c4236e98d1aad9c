// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.Job;
import coterie.junit.TestRun.Ending;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A job whose PEs run tests, one after another.
///
/// A thread of its own starts the job and waits for its end: PEs die with the thread that started them, and
/// JUnit's may end with any test.
final class WorkerGroup implements AutoCloseable {
    /// From the launch to the first command read; eight JVMs on a busy machine with two processors take ten
    /// seconds.
    private static final Duration START = Duration.ofMinutes(2);

    /// For workers with nothing to do to notice that their input has ended.
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    private static final int SIGQUIT = 3;
    private static final SecureRandom TOKENS = new SecureRandom();

    private final JobShape shape;
    private final CompletableFuture<Job> started = new CompletableFuture<>();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private volatile @Nullable WorkerCommand workerCommand;

    private WorkerGroup(JobShape shape) {
        this.shape = shape;
    }

    /// Starts the PEs, without waiting for them.
    static WorkerGroup start(JobShape shape) {
        WorkerGroup group = new WorkerGroup(shape);
        Thread.ofPlatform().daemon().name("coterie test job, " + shape).start(group::keep);
        return group;
    }

    private void keep() {
        try (Job job = Job.start(WorkerJob.of(shape, this::line))) {
            started.complete(job);
            ended.complete(job.await());
        } catch (Throwable failure) {
            started.completeExceptionally(failure);
            ended.completeExceptionally(failure);
        }
    }

    /// Lines between two tests, of threads that the first has left running, belong to neither.
    private void line(int pe, boolean standardError, String text) {
        WorkerCommand current = workerCommand;
        if (current != null) {
            current.line(pe, standardError, text);
        }
    }

    JobShape shape() {
        return shape;
    }

    boolean isAlive() {
        return !ended.isDone();
    }

    /// Runs a test on all PEs. If it did not pass, the group is fit for nothing more.
    ///
    /// @param seeds of a simulated test, or null
    ResultReporter run(TestMethod test, @Nullable Seeds seeds, Duration timeout) throws Throwable {
        Job job = job();
        byte[] random = new byte[16];
        TOKENS.nextBytes(random);
        TestMethod.Command command = new TestMethod.Command(HexFormat.of().formatHex(random), test, seeds);
        WorkerCommand current = new WorkerCommand(shape, command.token());
        workerCommand = current;
        CompletableFuture<?> watch = ended.whenComplete((code, failure) -> current.jobEnded());
        try {
            send(job, command);
            Ending ending = current.awaitBegun(START) ? current.awaitAnswers(timeout) : notBegun();
            List<String> whereabouts =
                    IntStream.range(0, shape.pes()).mapToObj(job::whereabouts).toList();
            if (ending == Ending.TIMED_OUT || ending == Ending.NOT_STARTED) {
                current.expectThreadDumps();
                job.signal(SIGQUIT);
                current.awaitThreadDumps();
            }
            TestRun run = current.run(ending).orStory(job.story().orElse(null));
            return new ResultReporter(shape, timeout, run, whereabouts);
        } finally {
            watch.cancel(false);
            workerCommand = null;
        }
    }

    private Job job() throws Throwable {
        try {
            return started.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    private Ending notBegun() {
        return isAlive() ? Ending.NOT_STARTED : Ending.DIED;
    }

    private void send(Job job, TestMethod.Command command) {
        byte[] line = (command.line() + "\n").getBytes(StandardCharsets.UTF_8);
        for (int pe = 0; pe < shape.pes(); pe++) {
            OutputStream input = job.inputOf(pe);
            try {
                input.write(line);
                input.flush();
            } catch (IOException e) {
                // The pipe has no reader: the PE has died, and the end of the job will show why.
                return;
            }
        }
    }

    /// Stops the PEs at once, whatever they do.
    void kill() {
        // If it is still starting, it is stopped as soon as it has; the thread that starts it reports what goes
        // wrong.
        CompletableFuture<Void> _ = started.thenAccept(Job::close);
    }

    /// Tells idle PEs that no test will come any more.
    void dismiss() {
        Job job = started.join();
        for (int pe = 0; pe < shape.pes(); pe++) {
            try {
                job.inputOf(pe).close();
            } catch (IOException e) {
                kill(); // it is dead already, and the others need not outlive it
            }
        }
    }

    /// Has idle PEs end, and waits for it.
    @Override
    public void close() {
        dismiss();
        try {
            ended.get(FAREWELL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            kill();
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }
}
