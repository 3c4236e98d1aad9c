// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.Extent;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/// All-to-alls of single values, in epochs.
class AllToAllSessionTest {
    private static long value(int from, int to, int epoch) {
        return 1_000_000L * epoch + 1000L * from + to;
    }

    @SpmdTest(
            pes = {1, 2, 3, 4},
            seeds = 5,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("each value arrives in its epoch, without barriers between; epochs go on from session to session")
    void epochs(World world) {
        int n = world.size();
        ResourceRequirement requirement = ResourceRequirement.allToAll(2, 2 * n);
        try (GinFixture gins = GinFixture.open(world, asked -> asked.withResource(requirement))) {
            int epoch = 0;
            for (int sessions = 0; sessions < 3; sessions++) {
                try (AllToAllSession exchange = gins.gin(0).allToAll(gins.all, requirement, 1)) {
                    for (int round = 0; round < 5; round++) {
                        assertThat(exchange.epoch()).isEqualTo(epoch);
                        for (int peer = 0; peer < n; peer++) {
                            exchange.send(peer, gins.me, value(gins.me, peer, epoch));
                        }
                        exchange.broadcast(n + gins.me, -value(gins.me, 0, epoch));
                        for (int peer = n - 1; peer >= 0; peer--) {
                            assertThat(exchange.receive(peer)).isEqualTo(value(peer, gins.me, epoch));
                            assertThat(exchange.receive(n + peer)).isEqualTo(-value(peer, 0, epoch));
                            assertThat(exchange.receive(peer)).isEqualTo(value(peer, gins.me, epoch));
                        }
                        exchange.endEpoch();
                        epoch++;
                    }
                }
            }
            gins.meet();
        }
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("threads of a kernel send and receive each by itself, and end the epoch together")
    void kernel(World world) {
        int n = world.size();
        ResourceRequirement requirement = ResourceRequirement.allToAll(1, n);
        AtomicInteger wrong = new AtomicInteger();
        try (GinFixture gins = GinFixture.open(world, asked -> asked.withResource(requirement));
                StreamRuntime runtime = StreamRuntime.open(world);
                AllToAllSession exchange = gins.gin(0).allToAll(gins.all, requirement, 0)) {
            WorkStream stream = runtime.createStream();
            stream.launch(Extent.of(1), Extent.of(n), thread -> {
                int peer = thread.number();
                AllToAllSession mine = exchange.by(thread);
                for (int epoch = 0; epoch < 10; epoch++) {
                    mine.send(peer, gins.me, value(gins.me, peer, epoch));
                    wrong.addAndGet(mine.receive(peer) == value(peer, gins.me, epoch) ? 0 : 1);
                    exchange.by(thread.block()).endEpoch();
                }
            });
            stream.synchronize();
            assertThat(exchange.epoch()).isEqualTo(10);
            assertThat(wrong.get()).isZero();
            gins.meet();
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("an epoch without a value to or of each member does not end, and a value that does not come times out")
    void incomplete(World world) {
        ResourceRequirement requirement = ResourceRequirement.allToAll(1, 2);
        try (GinFixture gins = GinFixture.open(world, asked -> asked.withResource(requirement));
                AllToAllSession exchange = gins.gin(0).allToAll(gins.all, requirement, 0)) {
            assertThatThrownBy(exchange::endEpoch)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in epoch 0 of block 0 the caller has not sent to ranks [0, 1]");
            exchange.send(gins.me, gins.me, 5);
            assertThat(exchange.receive(gins.me)).isEqualTo(5);
            assertThatThrownBy(() -> exchange.withTimeout(Duration.ofMillis(20)).receive(gins.right()))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("slot " + gins.right() + " of block 0 has no value of epoch 0");
            gins.meet();
            exchange.send(gins.right(), gins.me, 6);
            assertThatThrownBy(exchange::endEpoch)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not received of ranks [" + gins.right() + "]");
            assertThat(exchange.receive(gins.right())).isEqualTo(6);
            assertThat(exchange.epoch()).isZero();
            exchange.endEpoch();
            assertThat(exchange.epoch()).isEqualTo(1);
            gins.meet();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a block has one session at a time; blocks, slots and peers out of range are refused, with the range")
    void arguments(World world) {
        ResourceRequirement requirement = ResourceRequirement.allToAll(2, 3);
        ResourceRequirement other = ResourceRequirement.of(64, 8, 0, 0);
        try (GinFixture gins =
                GinFixture.open(world, asked -> asked.withResource(requirement).withResource(other))) {
            Gin gin = gins.gin(0);
            AllToAllSession exchange = gin.allToAll(gins.all, requirement, 0);
            assertThatThrownBy(() -> gin.allToAll(gins.all, requirement, 0))
                    .isInstanceOfSatisfying(
                            GinException.class, e -> assertThat(e.error()).isEqualTo(GinError.BUSY));
            for (int block : new int[] {-1, 2}) {
                assertThatThrownBy(() -> gin.allToAll(gins.all, requirement, block))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("block " + block + "; allowed are [0, 2)");
            }
            assertThatThrownBy(() -> gin.allToAll(gins.all, other, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allowed are those of ResourceRequirement.allToAll");
            assertThatThrownBy(() -> gin.allToAll(gins.all, ResourceRequirement.allToAll(1, 1), 0))
                    .isInstanceOf(IllegalArgumentException.class);
            for (int slot : new int[] {-1, 3}) {
                for (Runnable call : new Runnable[] {
                    () -> exchange.send(0, slot, 1), () -> exchange.broadcast(slot, 1), () -> exchange.receive(slot)
                }) {
                    assertThatThrownBy(call::run)
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining("slot " + slot + " of block 0; allowed are [0, 3)");
                }
            }
            assertThatThrownBy(() -> exchange.send(1, 0, 1))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("peer 1");
            for (int wrong : new int[] {0, -1}) {
                assertThatThrownBy(() -> ResourceRequirement.allToAll(wrong, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("blocks " + wrong);
                assertThatThrownBy(() -> ResourceRequirement.allToAll(1, wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("slots " + wrong);
            }
            exchange.close();
            exchange.close();
            assertThatThrownBy(() -> exchange.send(0, 0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the all-to-all session is closed");
            gin.allToAll(gins.all, requirement, 0).close();
        }
    }
}
