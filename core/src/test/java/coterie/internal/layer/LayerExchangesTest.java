// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Exchanges of bytes that layers begin when their team is open.
class LayerExchangesTest extends HallCase {

    @BeforeEach
    void plugInChats() {
        plugged.close();
        plugged = Plugged.in(folder, List.of(ChatLayer.class, ChatLayer.Other.class));
        Plugged.set("coterie.tl.chat.provides", "coterie.tl.other.provides");
        ChatLayer.PROVIDED.set(0);
        ChatLayer.REFUSALS.clear();
    }

    private static void assertSums(Team team, IntegerView longs) {
        int n = team.size();
        for (int count : new int[] {1, 6, 7, 8, 400, 4096}) {
            for (int at = 0; at < count; at++) {
                longs.set(at, team.member() + (long) at);
            }
            team.allReduce(Reduction.SUM, longs, 4096, longs, 0, count);
            for (int at = 0; at < count; at++) {
                assertThat(longs.get(4096 + at)).isEqualTo(n * (n - 1) / 2 + (long) n * at);
            }
        }
        team.barrier();
    }

    private static void sums(World world) {
        LongView longs = world.allocate(8 * 8192).longs();
        assertSums(world.team(), longs);
        assertThat(first(world.team(), CollectiveType.ALL_REDUCE)).isEqualTo("chat/talk 500");
        try (Team half = world.team().splitByColor(world.pe() % 2, world.size() - world.pe())) {
            assertSums(half, longs);
        }
        assertSums(world.team(), longs);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("tasks exchange bytes of any length as long as the team lives, with and without loads and stores")
    void life(boolean isDirect) {
        run(PES, LayerExchangesTest::sums, "coterie.load.store=" + isDirect);
        assertThat(ChatLayer.PROVIDED).hasValue(0);
    }

    @Test
    @DisplayName("a layer is refused an exchange, by name, while it offers and when its team ends")
    void refusals() {
        run(2, world -> assertSums(world.team(), world.allocate(8 * 8192).longs()));
        assertThat(ChatLayer.REFUSALS)
                .anyMatch(each -> each.contains("the members compare what layers offer"))
                .anyMatch(each -> each.contains("the team has ended"))
                .hasSize(8); // two layers on two members, twice
    }

    @Test
    @DisplayName("the layer of the highest default score that provides exchanges does so for all layers")
    void provider() {
        Plugged.set("coterie.tl.other.provides=all");
        run(PES, LayerExchangesTest::sums);
        assertThat(ChatLayer.PROVIDED.get()).isGreaterThanOrEqualTo(PES * 7);
    }

    @Test
    @DisplayName("layers begin exchanges in different orders on different members, and none waits for another one's")
    void orders() {
        run(
                PES,
                world -> {
                    LongView longs = world.allocate(16).longs();
                    longs.set(0, 1);
                    try (Request barrier =
                                    world.team().prepare(Collective.barrier().withAlgorithm("talk"));
                            Request sum = world.team().prepare(sum(longs))) {
                        assertThat(barrier.algorithm()).isEqualTo("other/talk");
                        assertThat(sum.algorithm()).isEqualTo("chat/talk");
                        if (world.pe() == 0) {
                            sum.postWhen(barrier::isComplete);
                        } else {
                            sum.post();
                        }
                        barrier.post();
                        barrier.await();
                        sum.await();
                        assertThat(longs.get(1)).isEqualTo(PES);
                    }
                },
                "coterie.tl.chat.tune=barrier:0");
    }

    private static void run(int pes, LocalJob.Body body, String setting) {
        Plugged.set(setting);
        try {
            run(pes, body);
        } finally {
            Plugged.set(setting.substring(0, setting.indexOf('=')));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a layer takes over triggered posts if it wants to: it alone asks the condition, and then starts")
    void triggers(boolean takes) {
        ChatLayer.TRIGGERED.clear();
        AtomicInteger asked = new AtomicInteger();
        run(
                PES,
                world -> {
                    LongView longs = world.allocate(16).longs();
                    try (Request sum = world.team().prepare(sum(longs).persistent())) {
                        for (int round = 0; round < 3; round++) {
                            int wanted = 10 * round + 5;
                            int from = 4 * round;
                            if (world.pe() == 1) {
                                longs.set(0, 0);
                                sum.postWhen(() -> {
                                    assertThat(ChatLayer.ASKS.get()).isEqualTo(takes);
                                    assertThatThrownBy(() -> world.team().barrier())
                                            .isInstanceOf(IllegalStateException.class);
                                    longs.set(0, wanted);
                                    return asked.incrementAndGet() == from + 4;
                                });
                            } else {
                                longs.set(0, 1);
                                sum.post();
                            }
                            sum.await();
                            assertThat(longs.get(1)).isEqualTo(wanted + 2);
                        }
                    }
                },
                "coterie.tl.chat.triggers=" + takes);
        assertThat(asked).hasValue(12);
        assertThat(ChatLayer.TRIGGERED).hasSize(takes ? 3 : 0);
    }

    @Test
    @DisplayName("groups exchange bytes by themselves, those of hier's levels at different times")
    void groups() {
        Plugged.set("coterie.cl.hier.tune=allreduce:@rab:inf", "coterie.tls=chat,hier,p2p,mapped,self");
        try (LocalJob job = LocalJob.onNodes(List.of(0, 0, 1, 1, 2))) {
            job.run(world -> {
                LongView longs = world.allocate(8 * 8192).longs();
                assertSums(world.team(), longs);
                if (world.pe() % 2 == 0) {
                    assertThat(world.team()
                                    .explain(CollectiveType.ALL_REDUCE, 8)
                                    .toString())
                            .contains("NODE_LEADERS of 3: allreduce by chat/talk");
                }
            });
        }
    }

    @Test
    @DisplayName("if the layer that provides exchanges fails, all members get an exception that names it")
    void failure() {
        Plugged.set("coterie.tl.chat.provides=1");
        Map<Integer, Throwable> failures = failures(
                PES, world -> assertSums(world.team(), world.allocate(8 * 8192).longs()));
        assertThat(failures.get(1)).hasStackTraceContaining("the line is dead");
        assertThat(failures)
                .hasSize(PES)
                .allSatisfy((_, why) -> assertThat(why).hasStackTraceContaining("exchange by chat"));
    }
}
