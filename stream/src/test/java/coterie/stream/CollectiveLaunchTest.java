// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/// A collective launch is all or nothing, whatever keeps one member from it.
@SuppressWarnings("NullAway") // arguments that are null
class CollectiveLaunchTest {
    private static final Extent ONE = Extent.of(1);

    /// What PE 0 has wrong, alone.
    private enum Mistake {
        CLOSED(IllegalStateException.class, "the stream is closed"),
        FAILED(StreamException.class, "the stream has failed"),
        CAPTURING(StreamException.class, "the stream captures"),
        NO_KERNEL(NullPointerException.class, "kernel is null"),
        NO_GRID(NullPointerException.class, "grid is null"),
        NO_BLOCK(NullPointerException.class, "block is null");

        private final Class<? extends Throwable> own;
        private final String why;

        Mistake(Class<? extends Throwable> own, String why) {
            this.own = own;
            this.why = why;
        }
    }

    private static @Nullable Throwable launch(
            WorkStream stream, Team team, @Nullable Mistake mistake, AtomicInteger started) {
        Kernel kernel = _ -> started.incrementAndGet();
        return catchThrowable(() -> stream.collectiveLaunch(
                team,
                mistake == Mistake.NO_GRID ? null : ONE,
                mistake == Mistake.NO_BLOCK ? null : ONE,
                mistake == Mistake.NO_KERNEL ? null : kernel));
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("ST-S26: a collective launch throws on all members if the stream of one is closed, has failed or"
            + " captures, or an argument is null; none starts")
    void refusals(World world) {
        Team team = world.team();
        boolean isWrong = world.pe() == 0;
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            AtomicInteger started = new AtomicInteger();
            for (Mistake mistake : Mistake.values()) {
                WorkStream stream = runtime.createStream("S");
                if (isWrong) {
                    switch (mistake) {
                        case CLOSED -> stream.close();
                        case FAILED -> {
                            stream.execute(() -> {
                                throw new IllegalStateException("meant to fail");
                            });
                            assertThat(catchThrowable(stream::synchronize)).isNotNull();
                        }
                        case CAPTURING -> stream.beginCapture();
                        default -> {}
                    }
                }
                Throwable thrown = launch(stream, team, isWrong ? mistake : null, started);
                if (isWrong) {
                    assertThat(thrown).as("%s", mistake).isInstanceOf(mistake.own);
                } else {
                    assertThat(thrown)
                            .as("%s", mistake)
                            .isInstanceOfSatisfying(
                                    StreamException.class,
                                    e -> assertThat(e.error()).isEqualTo(StreamError.LAUNCH_REFUSED))
                            .hasMessageContaining("PE 0: " + mistake.why);
                }
                if (isWrong && mistake == Mistake.CAPTURING) {
                    stream.endCapture().close();
                }
            }
            WorkStream after = runtime.createStream();
            assertThat(started.get()).isZero();
            assertThat(launch(after, team, null, started)).isNull();
            after.synchronize();
            assertThat(started.get()).isEqualTo(1);
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("ST-S26: a grid or a block of more places than an int counts is too large, on all members")
    void overflow(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            Extent huge = Extent.of(100_000, 100_000);
            Extent asked = world.pe() == 0 ? huge : ONE;
            for (int dimension = 0; dimension < 2; dimension++) {
                Extent grid = dimension == 0 ? asked : ONE;
                Extent block = dimension == 0 ? ONE : asked;
                Throwable thrown = catchThrowable(() -> stream.collectiveLaunch(world.team(), grid, block, _ -> {}));
                assertThat(thrown)
                        .isInstanceOfSatisfying(
                                StreamException.class,
                                e -> assertThat(e.error()).isEqualTo(StreamError.LAUNCH_TOO_LARGE))
                        .hasMessageContaining("PE 0 asks for")
                        .hasMessageContaining("10000000000");
            }
            assertThat(catchThrowable(() -> stream.launch(huge, ONE, _ -> {})))
                    .isInstanceOfSatisfying(
                            StreamException.class, e -> assertThat(e.error()).isEqualTo(StreamError.LAUNCH_TOO_LARGE));
            assertThat(runtime.collectiveLaunchBlocks(huge)).isZero();
        }
    }
}
