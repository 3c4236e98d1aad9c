// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CoterieException;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Layers that plug in and lack a class: they throw errors, not exceptions, with the same consequences.
class ComponentLinkageTest extends HallCase {
    private static void lacks(String where) {
        Plugged.set("coterie.tl.hall.fault=" + HallLayer.LINK + where);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "open",
                "attributes",
                "context",
                "address",
                "team@1",
                "test@1",
                "offers@2",
                "test@1+team-close",
                "offers+team-close",
                "address+context-close+library-close"
            })
    @DisplayName("on one member or all, at opening: it serves on none, and the other layers serve instead")
    void dropped(String where) {
        lacks(where);
        run(PES, world -> {
            LongView longs = world.allocate(16).longs();
            assertSum(world.team(), longs);
            assertThat(first(world.team(), CollectiveType.ALL_REDUCE)).doesNotContain("hall");
            assertSum(world.team(), longs);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"team@1", "test@1", "offers@1", "test@1+team-close"})
    @DisplayName("on one member, of a layer that settings name: all members have the error")
    void named(String where) {
        lacks(where);
        Plugged.set("coterie.tls=hall,p2p");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll("layer \"hall\"", "TLS", "it has failed on PE 1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "attributes", "context", "address"})
    @DisplayName("when the world opens it, of a layer that settings name: the join ends with the error")
    void namedAtJoin(String where) {
        lacks(where);
        Plugged.set("coterie.tls=hall,p2p");
        assertThat(failures(PES, World::close))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll(
                                "layer \"hall\"", "does not work on PE " + pe, "NoClassDefFoundError: hall/" + where));
    }

    @Test
    @DisplayName("where one member prepares: an exception on all, and the team goes on")
    void prepareFails() {
        lacks("prepare@1");
        run(PES, world -> {
            LongView longs = world.allocate(8 * 4096).longs();
            for (int round = 0; round < 2; round++) {
                Throwable why = catchThrowable(() -> assertSum(world.team(), longs));
                assertThat(why)
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContaining(
                                world.pe() == 1 ? "has failed to prepare allreduce" : "failed to prepare it on PE 1");
                if (world.pe() == 1) {
                    assertThat(why).hasCauseInstanceOf(NoClassDefFoundError.class);
                }
                world.team().allReduce(Reduction.SUM, longs, 2048, longs, 0, 1500); // by another layer
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"post", "progress"})
    @DisplayName("in one member's task: it ends on all that depend on it, and the error names member and class")
    void taskFails(String where) {
        lacks(where + "@1");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasEntrySatisfying(1, why -> assertLacks(why, where));
        assertThat(failures(PES, world -> {
                    Request sum = world.team().prepare(sum(world.allocate(16).longs()));
                    sum.post();
                    sum.await();
                }))
                .hasEntrySatisfying(1, why -> assertLacks(why, where));
    }

    private static void assertLacks(Throwable why, String where) {
        assertThat(why)
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("NoClassDefFoundError: hall/" + where)
                .hasCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    @DisplayName("in each member's task: each has the error, and none waits for the others")
    void tasksFail() {
        lacks("post");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why).isInstanceOf(CoterieException.class));
    }

    @Test
    @DisplayName("when a task is stopped: the request fails with the cause of the stop, the second error is suppressed")
    void stopFails() {
        lacks("stop");
        run(PES, world -> {
            Request late = world.team().prepare(sum(world.allocate(16).longs()).withTimeout(Duration.ofMillis(100)));
            late.post();
            assertThatThrownBy(late::await)
                    .isInstanceOf(WaitTimeoutException.class)
                    .satisfies(why ->
                            assertThat(why.getSuppressed()).hasAtLeastOneElementOfType(NoClassDefFoundError.class));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"close", "team-close", "context-close", "library-close", "team-close+context-close"})
    @DisplayName("when the layer releases objects: the runtime releases all others, and no member is disturbed")
    void closeFails(String where) {
        lacks(where);
        run(PES, world -> {
            LongView longs = world.allocate(16).longs();
            assertSum(world.team(), longs);
            try (Request sum = world.team().prepare(sum(longs))) {
                sum.post();
                sum.await();
            }
            try (Team part = world.team().splitByColor(world.pe() % 2, 0)) {
                assertSum(part, longs);
                assertThat(first(part, CollectiveType.ALL_REDUCE)).contains("hall");
            }
            assertSum(world.team(), longs);
        });
    }
}
