// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdTest;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;

@DisplayName("timed loops do what their names say")
class LoopsTest {
    private static final byte SPOILT = 0x11;

    private static final Set<Operation> PROGRAMS = Set.copyOf(Operation.named("npb"));

    /// What these do shows in what they return or in nothing, or their checks do it once more.
    private static final EnumSet<Operation> LEAVING_NOTHING = EnumSet.of(
            Operation.BARRIER,
            Operation.BARRIER_REQUEST,
            Operation.SYNC,
            Operation.SUM,
            Operation.SPLIT,
            Operation.SIGNAL_FETCH,
            Operation.SIGNAL_WAIT,
            Operation.G,
            Operation.G4,
            Operation.G2,
            Operation.G1,
            Operation.WAIT,
            Operation.WAIT_ALL,
            Operation.WAIT_ANY,
            Operation.WAIT_SOME,
            Operation.TEST,
            Operation.TEST_ALL,
            Operation.TEST_ANY,
            Operation.TEST_SOME,
            Operation.WAIT_ALL_VECTOR,
            Operation.WAIT_ANY_VECTOR,
            Operation.WAIT_SOME_VECTOR,
            Operation.TEST_ALL_VECTOR,
            Operation.TEST_ANY_VECTOR,
            Operation.TEST_SOME_VECTOR,
            Operation.FADD_CONTENDED,
            Operation.CAS_CONTENDED,
            Operation.LOCK_UNLOCK,
            Operation.LOCK_UNLOCK_REMOTE,
            Operation.LOCK_TRY,
            Operation.LOCK_CONTENDED,
            Operation.FENCE,
            Operation.QUIET,
            Operation.QUIET_CLEAN,
            Operation.PE_QUIET,
            Operation.CONTEXT);

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("every operation leaves what its check expects")
    void everyOperationIsRight(World world) {
        try (BenchFixture bench = new BenchFixture(world, reach(world))) {
            for (Operation operation : Operation.values()) {
                OperationShape shape = operation.shape();
                if (shape.runsOn(world.size()) && !PROGRAMS.contains(operation)) {
                    Loop loop = operation.loop(bench);
                    for (long bytes : shape.sizes(8, 4096)) {
                        bench.fill(shape.reach(bytes, world.size()));
                        loop.run(5, bytes);
                        world.team().barrier();
                        loop.check(operation.label(), bytes);
                        world.team().barrier();
                    }
                }
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a check finds one wrong element, and one written behind the last")
    void checksFindErrors(World world) {
        try (BenchFixture bench = new BenchFixture(world, 64)) {
            Loop loop = Operation.REDUCE.loop(bench);
            for (long wrong : new long[] {0, 7, 8}) {
                bench.fill(64);
                loop.run(1, 64);
                loop.check("reduce", 64);
                bench.myTarget.setAtIndex(JAVA_DOUBLE, wrong, -1);
                assertThatThrownBy(() -> loop.check("reduce", 64))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("reduce of 64 bytes on PE " + world.pe())
                        .hasMessageContaining("element " + wrong + " of the target is -1.0");
                world.team().barrier();
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("every check of what is left finds it spoilt")
    void checksFindWhatIsSpoilt(World world) {
        try (BenchFixture bench = new BenchFixture(world, reach(world))) {
            EnumSet<Operation> leaving = EnumSet.complementOf(LEAVING_NOTHING);
            leaving.removeAll(PROGRAMS);
            for (Operation operation : leaving) {
                OperationShape shape = operation.shape();
                long bytes = shape.sizes(64, 4096)[0];
                Loop loop = operation.loop(bench);
                bench.fill(shape.reach(bytes, world.size()));
                loop.run(5, bytes);
                world.team().barrier();
                loop.check(operation.label(), bytes);
                world.team().barrier();
                bench.myTarget.fill(SPOILT);
                bench.words
                        .segment()
                        .asSlice(0, BenchFixture.SIGNAL + Long.BYTES)
                        .fill(SPOILT);
                world.team().barrier();
                long complaints = world.team().sum(complains(operation, loop, bytes) ? 1L : 0L);
                assertThat(complaints)
                        .as("PEs that find spoilt what %s has left", operation.label())
                        .isPositive();
                bench.words
                        .segment()
                        .asSlice(0, BenchFixture.SIGNAL + Long.BYTES)
                        .fill((byte) 0);
                world.team().barrier();
            }
        }
    }

    private static long reach(World world) {
        return Arrays.stream(OperationShape.values())
                .mapToLong(shape -> shape.reach(4096, world.size()))
                .max()
                .orElseThrow();
    }

    private static boolean complains(Operation operation, Loop loop, long bytes) {
        try {
            loop.check(operation.label(), bytes);
            return false;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageStartingWith(operation.label());
            return true;
        }
    }

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("all PEs get PE 0's value")
    void agreementIsPeZeros(World world) {
        try (BenchFixture bench = new BenchFixture(world, 8)) {
            for (long round = 0; round < 1000; round++) {
                assertThat(bench.agree(world.pe() == 0 ? round : -round)).isEqualTo(round);
            }
        }
    }
}
