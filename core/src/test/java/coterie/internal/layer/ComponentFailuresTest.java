// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.LongView;
import coterie.Reduction;
import coterie.TeamRevokedException;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Layers that plug in and fail, or are absent.
class ComponentFailuresTest extends HallCase {
    @Test
    @DisplayName("members with other layers on their paths have no collective in common, and throw")
    void otherPaths() throws IOException {
        ClassLoader usual = Thread.currentThread().getContextClassLoader();
        ClassLoader other = Plugged.loader(
                Files.createDirectory(folder.resolve("other")), List.of(HallLayer.class, GossipLayer.class));
        try (LocalJob job = new LocalJob(PES).loadBy(pe -> pe == 1 ? other : usual)) {
            assertThat(job.failures(
                            world -> assertSum(world.team(), world.allocate(16).longs())))
                    .hasSize(PES)
                    .allSatisfy((pe, why) -> assertThat(why)
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining("PE 0 and PE 1 have different layers"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "context", "team@1", "test@1", "offers@2", "decline", "decline@1"})
    @DisplayName("a layer that can't serve on one member serves on none, and the other layers serve instead")
    void dropped(String fault) {
        Plugged.set("coterie.tl.hall.fault=" + fault);
        run(PES, world -> {
            LongView longs = world.allocate(16).longs();
            assertSum(world.team(), longs);
            if (!fault.startsWith("decline")) {
                assertThat(first(world.team(), CollectiveType.ALL_REDUCE)).doesNotContain("hall");
            }
            assertSum(world.team(), longs);
        });
    }

    @Test
    @DisplayName("a layer that settings name must serve: all members have the error")
    void named() {
        Plugged.set("coterie.tl.hall.fault=test@1", "coterie.tls=hall,p2p");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll("layer \"hall\"", "TLS", "it has failed on PE 1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"open", "context"})
    @DisplayName("a layer that settings name and that can't work ends the join")
    void namedAtJoin(String fault) {
        Plugged.set("coterie.tl.hall.fault=" + fault, "coterie.tls=hall,p2p");
        assertThat(failures(PES, World::close))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll("layer \"hall\"", "does not work on PE " + pe, "hall"));
    }

    @Test
    @DisplayName("a layer that never finishes is dropped at its timeout, and all members report the slow one")
    void patience() {
        Plugged.set("coterie.tl.hall.fault=never@2", "coterie.layer.open.timeout.s=1");
        run(PES, world -> assertSum(world.team(), world.allocate(16).longs()));
        Plugged.set("coterie.tls=hall,p2p");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .hasMessageContainingAll("PE 2 did not finish opening it within 1 s", "LAYER_OPEN_TIMEOUT_S"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"endless", "endless@1"})
    @DisplayName("a layer that exchanges on and on is dropped at its timeout, and all members report the slow one")
    void endless(String fault) {
        Plugged.set("coterie.tl.hall.fault=" + fault, "coterie.layer.open.timeout.s=1");
        run(PES, world -> {
            LongView longs = world.allocate(16).longs();
            assertSum(world.team(), longs);
            assertThat(first(world.team(), CollectiveType.ALL_REDUCE)).doesNotContain("hall");
        });
        Plugged.set("coterie.tls=hall,p2p");
        String busy = "PE " + (fault.endsWith("@1") ? 1 : 0) + " did not finish opening it within 1 s";
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why).hasMessageContainingAll(busy, "LAYER_OPEN_TIMEOUT_S"));
    }

    @Test
    @DisplayName("members whose layer offers other things have no collective in common, and the error names both")
    void otherOffers() {
        Plugged.set("coterie.tl.hall.fault=less@1");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll(
                                "layer \"hall\"",
                                "offers different algorithms",
                                "on PE 0 \"allreduce",
                                "on PE 1 \"allreduce in host memory [0, 1k) hall/shout"));
    }

    @Test
    @DisplayName("a task that fails on one member fails on all that depend on it, and names it")
    void taskFails() {
        Plugged.set("coterie.tl.hall.fault=post@1");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .hasMessageContaining(
                                pe == 1
                                        ? "failed in allreduce by shout on team \"world\", PE 1: "
                                                + "java.lang.IllegalStateException: post fails"
                                        : "hall: IllegalStateException: post fails"));
        assertThat(failures(PES, world -> {
                    LongView longs = world.allocate(16).longs();
                    Request sum = world.team().prepare(sum(longs));
                    sum.post();
                    sum.await();
                }))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .hasMessageContaining(
                                pe == 1
                                        ? "failed in allreduce by shout on team \"world\", PE 1: "
                                                + "java.lang.IllegalStateException: post fails"
                                        : "hall: IllegalStateException: post fails"));
    }

    @Test
    @DisplayName("a layer fails to prepare a request on one member: the waiters for that member get the cause")
    void prepareOfRequestFails() {
        Plugged.set("coterie.tl.hall.fault=prepare@1");
        run(PES, world -> {
            LongView longs = world.allocate(8 * 4096).longs();
            Collective sum = sum(longs);
            for (String mine : new String[] {"has failed to prepare allreduce by shout", "could not prepare"}) {
                assertThatThrownBy(() -> {
                            Request request = world.team().prepare(sum);
                            request.post();
                            request.await();
                        })
                        .isExactlyInstanceOf(CoterieException.class)
                        .hasMessageContaining(
                                world.pe() == 1
                                        ? mine
                                        : "PE 1 could not prepare allReduce: hall: java.lang.IllegalState");
                world.team().allReduce(Reduction.SUM, longs, 2048, longs, 0, 1500); // by another layer
            }
        });
    }

    @Test
    @DisplayName("a layer that fails to prepare on one member is an exception on all, and the team goes on")
    void prepareFails() {
        Plugged.set("coterie.tl.hall.fault=prepare@1");
        run(PES, world -> {
            LongView longs = world.allocate(8 * 4096).longs();
            for (int round = 0; round < 2; round++) {
                assertThatThrownBy(() -> assertSum(world.team(), longs))
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContaining(
                                world.pe() == 1
                                        ? "has failed to prepare allreduce"
                                        : "failed to prepare it on PE 1: layer \"hall\"");
                world.team().allReduce(Reduction.SUM, longs, 2048, longs, 0, 1500); // by another layer
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "close"})
    @DisplayName("an exception that a task throws at its end disturbs no member")
    void endFails(String fault) {
        Plugged.set("coterie.tl.hall.fault=" + fault);
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                LongView longs = world.allocate(16).longs();
                if (fault.equals("close")) {
                    assertSum(world.team(), longs);
                    assertSum(world.team(), longs);
                    return;
                }
                Request late = world.team().prepare(sum(longs).withTimeout(Duration.ofMillis(100)));
                late.post();
                assertThatThrownBy(late::await).isInstanceOf(WaitTimeoutException.class);
            });
        }
    }

    @Test
    @DisplayName("if one member has no layers at all, all members throw")
    void noLayers() throws IOException {
        ClassLoader usual = Thread.currentThread().getContextClassLoader();
        ClassLoader none = Plugged.loader(Files.createDirectory(folder.resolve("none")), List.of());
        for (boolean asRequest : new boolean[] {false, true}) {
            try (LocalJob job = new LocalJob(PES).loadBy(pe -> pe == 1 ? none : usual)) {
                assertThat(job.failures(world -> {
                            LongView longs = world.allocate(16).longs();
                            if (asRequest) {
                                try (Request barrier = world.team().prepare(Collective.barrier())) {
                                    barrier.post();
                                    barrier.await();
                                }
                            } else {
                                assertSum(world.team(), longs);
                            }
                        }))
                        .hasSize(PES)
                        .allSatisfy((pe, why) -> assertThat(why)
                                .isInstanceOf(CollectiveMismatchException.class)
                                .hasMessageContaining("opening layers"));
            }
        }
    }

    @Test
    @DisplayName("a task that makes no progress ends at its request's timeout, on all members")
    void stuck() {
        Plugged.set("coterie.tl.hall.fault=stuck@2");
        assertThat(failures(PES, world -> {
                    LongView longs = world.allocate(16).longs();
                    Request sum = world.team().prepare(sum(longs).withTimeout(Duration.ofMillis(50)));
                    sum.post();
                    sum.await();
                    while (true) { // a member whose task was complete learns of it from the next
                        world.team().barrier();
                        Request next = world.team().prepare(sum(longs));
                        next.post();
                        next.await();
                    }
                }))
                .hasSize(PES)
                .hasEntrySatisfying(2, why -> assertThat(why).isInstanceOf(WaitTimeoutException.class));
    }

    @Test
    @DisplayName("a wait for a layer's task names the layer and no PE: only the layer knows what ends it")
    void waitsForALayer() {
        Plugged.set("coterie.tl.hall.fault=stuck@2");
        try (LocalJob job = new LocalJob(PES)) {
            assertThat(job.failures(world -> {
                        Request sum =
                                world.team().prepare(sum(world.allocate(16).longs()));
                        sum.post();
                        if (world.pe() == 0) {
                            StatusPage stuck = job.segment().status(2);
                            while (stuck.get(StatusField.WAIT_PE) != Awaitable.LAYER
                                    || OperationKind.of(stuck.get(StatusField.WAIT_KIND)) != OperationKind.ALL_REDUCE) {
                                Thread.onSpinWait();
                            }
                            assertThat(stuck.waitLayer()).isEqualTo("hall");
                            world.team().revoke();
                        }
                        sum.await();
                    }))
                    .hasEntrySatisfying(2, why -> assertThat(why).isInstanceOf(TeamRevokedException.class));
        }
    }
}
