// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.internal.p2p.TestMembers.Mate;
import coterie.internal.p2p.TestMembers.Reach;
import coterie.internal.plan.Plan;
import coterie.internal.wait.OperationKind;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How many rounds a sender can be before a late receiver, and what it waits for then.
class RunAheadTest {
    private static final int RUNS = 50;

    @ParameterizedTest
    @EnumSource
    void twoSmallMessagesAhead(Reach reach) throws InterruptedException {
        CountDownLatch ahead = new CountDownLatch(1);
        try (TestMembers testMembers = new TestMembers(2, reach)) {
            testMembers.run(mate -> {
                Plan plan = Plans.broadcast(2, mate.member, 0, Long.BYTES);
                PlanTask task = mate.task(OperationKind.BROADCAST, plan, 0);
                if (mate.member == 1) {
                    ahead.await();
                }
                for (int run = 1; run <= RUNS; run++) {
                    long value = 100L + run;
                    mate.memory(0, Long.BYTES).set(JAVA_LONG, 0, mate.member == 0 ? value : 0);
                    task.set(0, run, 0, 64, 128).post();
                    if (mate.member == 0 && run <= MailboxLayout.WINDOW) {
                        assertThat(task.test()).as("run %d", run).isTrue();
                    } else if (mate.member == 0 && run == MailboxLayout.WINDOW + 1) {
                        for (int poll = 0; poll < 1000; poll++) {
                            assertThat(task.test()).isFalse();
                        }
                        assertThat(task.awaitedPe()).isEqualTo(0);
                        assertThat(task.sequence()).isEqualTo(3);
                        ahead.countDown();
                    }
                    task.await();
                    if (mate.member == 1) {
                        assertThat(mate.memory(64, Long.BYTES).get(JAVA_LONG, 0))
                                .isEqualTo(value);
                    }
                }
                mate.endpoint.close();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLongMessageWaitsUntilItIsAskedFor(Reach reach) throws InterruptedException {
        CountDownLatch sent = new CountDownLatch(1);
        try (TestMembers testMembers = new TestMembers(2, reach)) {
            testMembers.run(mate -> {
                if (mate.member == 1) {
                    sent.await();
                }
                Plan plan = Plans.broadcast(2, mate.member, 0, 4096);
                PlanTask task = mate.task(OperationKind.BROADCAST, plan, 0);
                mate.memory(0, 4096).fill((byte) (7 - mate.member));
                task.set(1, 9, 0, 4096, 0).post();
                if (mate.member == 0) {
                    for (int poll = 0; poll < 1000; poll++) {
                        assertThat(task.test()).isFalse();
                    }
                    sent.countDown();
                }
                task.await();
                if (mate.member == 1) {
                    assertThat(mate.memory(4096, 4096).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                            .containsOnly(7);
                }
                mate.endpoint.close();
            });
        }
    }

    @Test
    void aRunHasANumberOfItsOwnAndALaneToItself() throws InterruptedException {
        try (TestMembers testMembers = new TestMembers(2, Reach.DIRECT)) {
            Mate mate = testMembers.mates.getFirst();
            PlanTask task = mate.task(OperationKind.BARRIER, Plans.barrier(2, 0), 0);
            PlanTask other = mate.task(OperationKind.BARRIER, Plans.barrier(2, 0), 0);
            assertThatThrownBy(() -> task.set(0, 0, 0, 0, 0)).isInstanceOf(IllegalStateException.class);
            task.set(0, 4, 0, 0, 0).post();
            assertThatThrownBy(() -> other.set(0, 5, 0, 0, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("run #5 on channel 0, whose latest run is barrier #4, under way");
            assertThatThrownBy(() -> task.set(1, 5, 0, 0, 0)).isInstanceOf(IllegalStateException.class);
            other.set(1, 4, 0, 0, 0);
        }
    }
}
