// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Coterie;
import coterie.CoterieException;
import coterie.internal.launch.JobSpec.Program;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What the launcher refuses before it starts anything, and its messages.
class RefusalTest {
    private static JobSpec spec(int pes) {
        return JobSpec.of("refused", pes, new Program("Main", null, List.of(), List.of(), List.of()));
    }

    @Test
    void aJobHasOneTo1024Pes() {
        assertThatThrownBy(() -> Job.start(spec(1025)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("starting job refused: 1025 PEs are outside [1, 1024]");
    }

    @Test
    void aSimulatedJobHasUpTo4096Pes() {
        assertThatThrownBy(() -> Job.start(onStage("turns", 4097)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("starting job refused: 4097 PEs are outside [1, 4096]");
    }

    @Test
    void aSimulatorThatIsNotThereIsRefusedWithThoseThatAre() {
        assertThatThrownBy(() -> Job.start(onStage("nosuch", 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("starting job refused: there is no simulator \"nosuch\"; there is turns");
    }

    private static JobSpec onStage(String name, int pes) {
        return spec(pes)
                .withSimulator(new JobSpec.SimulatorSpec(name, "", JobSpec.SimulatorSpec.RunScope.WHOLE_PROGRAM));
    }

    @Test
    void bindingNeedsProcesses() {
        assertThatThrownBy(() -> Job.start(spec(2).withMode(PeMode.THREADS).withBinding(CpuBinding.CORE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("binding to processors needs PEs as processes");
    }

    @Test
    void eachPeHasANodeOfItsJob() {
        assertThatThrownBy(() -> Job.start(spec(3).withNodes(List.of(0, 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("starting job refused: nodes are named for 2 PEs, and there are 3");
        assertThatThrownBy(() -> Job.start(spec(2).withNodes(List.of(0, 2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node 2 is outside [0, 2)");
        assertThatThrownBy(() -> Job.start(spec(2).withNodes(List.of(-1, 0))))
                .hasMessageContaining("node -1 is outside [0, 2)");
    }

    @Test
    @DisplayName(
            "PEs as threads need a mapping for each pair of PEs, and the launcher refuses more than the kernel allows")
    void threadsFitIntoTheMappingsOfAProcess() {
        assertThatThrownBy(() -> JobSpecValidator.requireMappings(spec(256).withMode(PeMode.THREADS), 65_530))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("starting job refused: 256 PEs as threads need 67304 mappings of memory in one process, and"
                        + " /proc/sys/vm/max_map_count allows 65530; use PEs as processes, or at most 252 threads, or"
                        + " set sysctl vm.max_map_count=134608");
        JobSpecValidator.requireMappings(spec(252).withMode(PeMode.THREADS), 65_530);
        JobSpecValidator.requireMappings(spec(256), 65_530);
    }

    @Test
    void debugPortsArePortsForAllPes() {
        assertThatThrownBy(() -> Job.start(spec(2).withDebugPort(65_535)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("debug ports 65535 to 65536");
    }

    @Test
    void anOutputFolderThatCannotBeMadeLeavesNoProcess() {
        JobSpec spec = spec(1).withOutput(new JobSpec.Output.Folder(Path.of("/proc/no")));
        assertThatThrownBy(() -> Job.start(spec))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("/proc/no/pe.0.out");
        assertThat(Jobs.list().running()).noneMatch(job -> job.name().equals("refused"));
    }

    @Test
    void aPeCannotStartAJob() {
        try (Launch launch = Launch.run("pes=1", StartsJob.class)) {
            assertThat(launch.out()).containsExactly("refused");
        }
    }

    static final class StartsJob {
        public static void main(String[] args) {
            try {
                Coterie.run(1, StartsJob.class);
            } catch (IllegalStateException e) {
                System.out.println("refused");
            }
        }
    }
}
