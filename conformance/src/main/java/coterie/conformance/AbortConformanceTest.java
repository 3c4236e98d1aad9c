// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.LongView;
import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import java.util.Collection;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The end of a whole job, which no test can survive: so each has a job of its own.
class AbortConformanceTest {

    @ParameterizedTest
    @EnumSource(PeMode.class)
    @DisplayName("SH-I4 PE 2 of 4 aborts with 7 while the others are in a barrier: all end, and the job's code is 7")
    void abortEndsTheJob(PeMode mode) {
        assertThat(run(mode, Aborting.class)).contains("2 about to abort").noneMatch(line -> line.contains("survived"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED") // where all wait there, none is known to come
    @DisplayName(
            "SH-I4 a thread of PE 2 aborts while the others are in a barrier, a wait and the close of a nested join")
    void abortEndsWhateverTheOthersAreIn(PeMode mode) {
        assertThat(run(mode, AbortingInAThread.class))
                .contains("2 about to abort")
                .noneMatch(line -> line.contains("survived"));
    }

    /// Runs a job of 4 PEs that is to end with 7. Returns its output, each line with its PE in front.
    private static Collection<String> run(PeMode mode, Class<?> program) {
        EndedJob job = EndedJob.of(EndedJob.spec("abort", 4, program, mode));
        assertThat(job.exitCode()).isEqualTo(7);
        return job.lines();
    }

    /// What the PEs run.
    public static final class Aborting {
        private Aborting() {}

        public static void main(String[] args) {
            World world = World.join();
            world.team().barrier();
            if (world.pe() == 2) {
                System.out.println("about to abort");
                throw world.abort(7);
            }
            world.team().barrier();
            System.out.println("survived");
        }
    }

    /// What the PEs run: only PE 2 acts, when the others have told it where they are about to wait; and it does
    /// not wait for the thread that aborts.
    public static final class AbortingInAThread {
        private AbortingInAThread() {}

        public static void main(String[] args) {
            World world = World.join();
            LongView arrived = world.allocate(Long.BYTES).longs();
            World nested = World.join(ThreadLevel.SINGLE);
            if (world.pe() == 2) {
                arrived.waitUntil(0, Comparison.EQ, 3);
                System.out.println("about to abort");
                Thread.ofVirtual().start(() -> nested.abort(7));
                arrived.waitUntil(0, Comparison.EQ, -1);
            }
            arrived.add(0, 1, 2);
            switch (world.pe()) {
                case 0 -> world.team().barrier();
                case 1 -> arrived.waitUntil(0, Comparison.EQ, -1);
                default -> nested.close();
            }
            System.out.println("survived");
        }
    }
}
