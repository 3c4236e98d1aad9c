// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import coterie.World;
import coterie.internal.launch.JobSpec.Input;
import coterie.internal.launch.JobSpec.Output;
import coterie.internal.launch.JobSpec.Program;
import coterie.internal.memory.JobSegment;
import coterie.internal.world.JobEnvironment;
import coterie.internal.world.Setting;
import coterie.spi.FaceSupport;
import coterie.spi.PeState;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostHeapTest {
    @Test
    @DisplayName("an allocation names the PE that dies before a slow member has attached its heap, on all members")
    void diesBeforeItIsAttached(@TempDir Path folder) {
        ConcurrentLinkedQueue<String> out = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<String> err = new ConcurrentLinkedQueue<>();
        Program program = new Program(
                Allocates.class.getName(), null, Launching.classPath(), List.of(), List.of(folder + "/held"));
        JobSpec spec = JobSpec.of("lost heap", 3, program)
                .withHeapBytes(1 << 20)
                .withJvmOptions(List.of("-Xmx64m", "-D" + Setting.FAULT.property() + "=ALLOCATE:1@2=kill"))
                .withTimeout(Duration.ofSeconds(40))
                .withInput(Input.NONE)
                .withOnFailure(OnFailure.CONTINUE)
                .withOutput(new Output.Lines((pe, isError, line) -> (isError ? err : out).add(line)));
        try (Job job = Job.start(spec)) {
            assertThat(job.await()).as("%s", err).isZero();
        }
        assertThat(out).containsExactlyInAnyOrder("0 has lost [2]", "1 has lost [2]");
    }

    /// PE 1 is held up in the round that exchanges the heaps, until PE 2 is dead.
    static final class Allocates {
        public static void main(String[] args) {
            World world = World.join();
            JobSegment job = JobSegment.attach(Path.of(System.getenv(JobEnvironment.COTERIE_SEGMENT.name())));
            if (world.pe() == 1) {
                FaceSupport.of(world)
                        .addProgress(
                                () -> { // the PE has sent its part, and waits
                                    new File(args[0]).mkdir();
                                    while (job.status(2).state() != PeState.FAILED) {
                                        Thread.onSpinWait();
                                    }
                                    return false;
                                });
            }
            if (world.pe() == 2) {
                while (!new File(args[0]).exists()) {
                    Thread.onSpinWait();
                }
            }
            try {
                world.allocate(64);
            } catch (PeFailedException e) {
                System.out.println(world.pe() + " has lost " + e.failedPes());
            }
        }
    }
}
