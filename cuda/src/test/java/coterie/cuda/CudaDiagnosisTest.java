// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.diagnosis.Diagnosis;
import coterie.diagnosis.RunningJob;
import coterie.diagnosis.Verdict;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.Jobs;
import coterie.internal.launch.OnDeadlock;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What a diagnosis says of jobs whose streams of a device are stuck.
class CudaDiagnosisTest {
    private static final Duration LOOK = Duration.ofMillis(300);

    /// The job: two PEs whose streams wait for each other in a circle, over a model of the driver. It does not end.
    static void main(String[] arguments) {
        World world = World.join();
        SymmetricMemory memory = world.allocate(128);
        SignalWord signal = memory.signal(0);
        try (CudaFixture fixture = new CudaFixture(world)) {
            CudaStream stream = fixture.cuda.createStream("S");
            if (world.pe() == 0) {
                stream.waitUntil(signal, Comparison.GE, 1);
            }
            stream.barrier(world.team());
            stream.signal(signal.setting(1), 0);
            stream.synchronize();
        }
    }

    private static JobSpec spec() {
        List<Path> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
        JobSpec.Program program =
                new JobSpec.Program(CudaDiagnosisTest.class.getName(), null, classPath, List.of(), List.of());
        return JobSpec.of("stuck-cuda-" + ProcessHandle.current().pid(), 2, program)
                .withTimeout(Duration.ofSeconds(60))
                .withStall(LOOK)
                .withInput(JobSpec.Input.NONE)
                .withOnDeadlock(OnDeadlock.IGNORE)
                .withOutput(new JobSpec.Output.Discarded());
    }

    @Test
    @DisplayName("streams of devices that wait in a circle are a DEADLOCK, with the operations that wait")
    void circle() {
        JobSpec spec = spec();
        try (Job job = Job.start(spec)) {
            Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
                Jobs.Running running = Jobs.list().running().stream()
                        .filter(each -> each.name().equals(spec.name()))
                        .findFirst()
                        .orElseThrow();
                Diagnosis diagnosis = RunningJob.diagnose(running, LOOK);
                assertThat(diagnosis.verdict()).as(diagnosis.text()).isEqualTo(Verdict.DEADLOCK);
                assertThat(diagnosis.text())
                        .containsPattern("CudaDiagnosisTest.java:\\d+ .*barrier of team \"world\"")
                        .contains("to be GE 1");
                assertThat(job.whereabouts(0)).contains("waiting");
            });
        }
    }
}
