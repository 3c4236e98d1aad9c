// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.diagnosis.Diagnosis;
import coterie.diagnosis.RunningJob;
import coterie.diagnosis.StuckOperation;
import coterie.diagnosis.Verdict;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.Jobs;
import coterie.junit.job.EndedJob;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/// A job of a test program that is looked at from outside while it runs.
///
/// @param spec has a name that no other job of the test has
record DiagnosedJob(JobSpec spec) {
    /// How long a look lasts.
    static final Duration LOOK = Duration.ofMillis(300);

    static final Duration LIMIT = Duration.ofSeconds(40);

    /// Describes a job.
    ///
    /// @param what the program's argument
    static DiagnosedJob of(Class<?> main, String what, int pes) {
        JobSpec spec = EndedJob.spec("", pes, main);
        JobSpec.Program program = spec.program();
        JobSpec.Program told = new JobSpec.Program(
                program.mainClass(), null, program.classPath(), program.modulePath(), List.of(what));
        String mine = "-" + ProcessHandle.current().pid(); // another build on this machine may run this test, too
        String name = "diagnosed-" + main.getSimpleName() + "-" + what + "-" + pes + mine;
        return new DiagnosedJob(JobSpec.of(name, pes, told)
                .withStartupCache(spec.startupCache())
                .withJvmOptions(EndedJob.jvmOptions())
                .withTimeout(Duration.ofSeconds(60))
                .withStall(LOOK)
                .withInput(JobSpec.Input.NONE)
                .withOutput(new JobSpec.Output.Discarded()));
    }

    /// Finds the job among those that run.
    Optional<Jobs.Running> find() {
        return Jobs.list().running().stream()
                .filter(job -> job.name().equals(spec.name()))
                .findFirst();
    }

    /// Looks once.
    Diagnosis diagnose() throws IOException, InterruptedException {
        return RunningJob.diagnose(find().orElseThrow(), LOOK);
    }

    /// Looks again and again until the verdict is the expected one.
    Diagnosis await(Verdict verdict) {
        return await(verdict, _ -> {});
    }

    /// Does the same until more is right: a job that starts is STALLED, too.
    Diagnosis await(Verdict verdict, Consumer<Diagnosis> more) {
        List<Diagnosis> seen = new ArrayList<>();
        Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
            seen.add(diagnose());
            assertThat(seen.getLast().verdict()).as(seen.getLast().text()).isEqualTo(verdict);
            more.accept(seen.getLast());
        });
        return seen.getLast();
    }

    /// Sends a signal to the process of a PE.
    void signal(String name, int pe) throws IOException, InterruptedException {
        long pid = find().orElseThrow().pes().get(pe).pid();
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    static List<String> ids(Diagnosis diagnosis) {
        return diagnosis.stuck().stream().map(StuckOperation::id).toList();
    }
}
