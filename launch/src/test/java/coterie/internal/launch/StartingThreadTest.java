// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.JobSpec.Input;
import coterie.internal.launch.JobSpec.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Any thread may start a job: the PEs live as long as the launcher, and not as long as that thread.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class StartingThreadTest {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED") // its PEs can't read one after another
    void pesOutliveTheThreadThatStartedThem(PeMode mode) throws Exception {
        CompletableFuture<Job> started = new CompletableFuture<>();
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread starting = Thread.ofPlatform().daemon().start(() -> {
            try {
                started.complete(Job.start(spec(mode)));
                mayEnd.await();
            } catch (InterruptedException | RuntimeException e) {
                started.completeExceptionally(e);
            }
        });
        try (Job job = started.get()) {
            exchange(job, "before");
            mayEnd.countDown();
            starting.join();
            exchange(job, "after");
            end(job);
            assertThat(job.await()).isZero();
        }
    }

    @Test
    void aVirtualThreadStartsAndAwaitsAJob() throws InterruptedException {
        CompletableFuture<Integer> code = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(() -> {
                    try (Job job = Job.start(spec(PeMode.PROCESSES))) {
                        exchange(job, "here");
                        end(job);
                        code.complete(job.await());
                    } catch (IOException | InterruptedException | RuntimeException e) {
                        code.completeExceptionally(e);
                    }
                })
                .join();
        assertThat(code).isCompletedWithValue(0);
    }

    @Test
    void aThreadThatIsInterruptedStartsAJobAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        try (Job job = Job.start(spec(PeMode.PROCESSES))) {
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(job.await()).isEqualTo(137); // an interrupt stops the job
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    private JobSpec spec(PeMode mode) {
        JobSpec.Program program =
                new JobSpec.Program(Programs.Reads.class.getName(), null, Launching.classPath(), List.of(), List.of());
        return JobSpec.of("threads", 2, program)
                .withMode(mode)
                .withHeapBytes(1 << 20)
                .withInput(Input.PIPES)
                .withOutput(new Output.Lines((pe, standardError, line) -> lines.add(pe + " " + line)))
                .withJvmOptions(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    }

    private void exchange(Job job, String word) throws IOException, InterruptedException {
        for (int pe = 0; pe < 2; pe++) {
            OutputStream input = job.inputOf(pe);
            input.write(word.concat("\n").getBytes(StandardCharsets.UTF_8));
            input.flush();
            assertThat(lines.poll(Launch.PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(pe + " read " + word);
        }
    }

    private static void end(Job job) throws IOException {
        for (int pe = 0; pe < 2; pe++) {
            job.inputOf(pe).close();
        }
    }
}
