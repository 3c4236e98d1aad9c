// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("a throwable that leaves a collective half done ends the team for all members")
@ExtendWith(TestSettings.class)
class HalfDoneRoundTest {
    enum Call {
        BARRIER,
        SYNC,
        ALL_REDUCE,
        BROADCAST,
        SPLIT_STRIDED,
        DUPLICATE;

        void run(Team team, IntegerView longs) {
            switch (this) {
                case BARRIER -> team.barrier();
                case SYNC -> team.sync();
                case ALL_REDUCE -> team.allReduce(Reduction.SUM, longs, 0, longs, 1000, 600);
                case BROADCAST -> team.broadcast(longs, 0, longs, 1000, 600, 1);
                case SPLIT_STRIDED -> team.splitStrided(0, 1, 2);
                case DUPLICATE -> team.duplicate();
            }
        }
    }

    static Stream<Arguments> steps() {
        return Arrays.stream(Call.values())
                .flatMap(call -> IntStream.rangeClosed(0, 3)
                        .boxed()
                        .flatMap(step -> Stream.of(true, false).map(direct -> Arguments.of(call, step, direct))));
    }

    @ParameterizedTest
    @MethodSource("steps")
    @DisplayName("no member gets a wrong sum, and none waits for ever: each sum is right or throws")
    void throwsAtAStep(Call call, int step, boolean direct) {
        setLoadStore(direct);
        set(Setting.FAULT, call + ":" + step + "@1=throw");
        try (LocalJob job = new LocalJob(3)) {
            job.failures(world -> go(world, call)).forEach((pe, thrown) -> {
                throw new AssertionError("PE " + pe, thrown);
            });
        }
    }

    private static void go(World world, Call call) {
        LongView longs = world.allocate(1 << 14).longs();
        // The fault strikes the first call of its kind, which is the one below.
        Team team = call == Call.DUPLICATE
                ? world.team().splitStrided(0, 1, 3)
                : world.team().duplicate();
        boolean isHalfDone = false;
        try {
            call.run(team, longs);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("planted fault");
            isHalfDone = true;
        } catch (CoterieException e) {
            assertThat(e).hasMessageContaining("PE "); // which threw, or has forwarded the notice
        }
        if (isHalfDone) {
            assertThatThrownBy(() -> team.sum(1L)).isInstanceOf(CoterieException.class);
        } else {
            sumOrThrow(team);
        }
        sumOrThrow(team);
        assertThat(team.survivors().sum(1L)).isEqualTo(3);
        team.close();
    }

    private static void sumOrThrow(Team team) {
        try {
            assertThat(team.sum(1L)).isEqualTo(3);
        } catch (CoterieException e) {
            assertThat(e).hasMessageContaining("PE ");
        }
    }
}
