// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import coterie.testing.Patience;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What [PeJob] says, over a coordinator.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ClusterJobTest {
    @SuppressWarnings("restricted")
    private static long epoch(PeJob job) {
        return MemorySegment.ofAddress(job.epochAddress())
                .reinterpret(Long.BYTES)
                .get(ValueLayout.JAVA_LONG, 0);
    }

    private static void awaitFence(PeJob job, long ticket) {
        Patience.until("fence " + ticket, () -> job.isFenced(ticket));
    }

    /// Ends a PE as the end of its process does: with its connection.
    private static void exit(TestJob test, ClusterJob job, int exitCode) throws Exception {
        job.disconnect();
        test.coordinator.exited(job.pe(), exitCode);
    }

    @Test
    @DisplayName("PEs learn number, size, nodes in the order of PEs, and the least of their default heaps")
    void numbers() throws Exception {
        try (TestJob test = new TestJob(5, false)) {
            List<ClusterJob> jobs = test.all(5);
            for (int pe = 0; pe < 5; pe++) {
                PeJob job = jobs.get(pe);
                assertThat(job.pe()).isEqualTo(pe);
                assertThat(job.size()).isEqualTo(5);
                assertThat(job.heapBytes()).isEqualTo(1L << 20);
                assertThat(job.node(0)).isZero();
                assertThat(job.node(1)).isZero();
                assertThat(job.node(2)).isEqualTo(1);
                assertThat(job.node(4)).isEqualTo(2);
                assertThat(job.ordersEnds()).isTrue();
                assertThat(job.description()).contains("of the job at 127.0.0.1:");
            }
        }
    }

    @Test
    @DisplayName(
            "PEs of a node that may run on the same processors share them; those that are bound apart have them all")
    void processors() throws Exception {
        try (TestJob test = new TestJob(5, false)) {
            List<Future<ClusterJob>> joining = List.of(
                    test.joining(0, new ProcessPlace("bound", 1, "0"), 1 << 20),
                    test.joining(1, new ProcessPlace("bound", 1, "1"), 1 << 20),
                    test.joining(2, new ProcessPlace("free", 8, "0-7"), 1 << 20),
                    test.joining(3, new ProcessPlace("free", 8, "0-7"), 1 << 20),
                    test.joining(4, new ProcessPlace("free", 6, "0-7"), 1 << 20));
            List<Integer> cpus = new ArrayList<>();
            List<Integer> sharing = new ArrayList<>();
            for (Future<ClusterJob> each : joining) {
                PeJob job = TestJob.get(each);
                cpus.add(job.usableCpus());
                sharing.add(job.sharingPes());
            }
            assertThat(cpus).containsExactly(2, 2, 8, 8, 8);
            assertThat(sharing).containsExactly(2, 2, 3, 3, 3);
        }
    }

    @Test
    @DisplayName(
            "processes without a number get the free ones; one too many, a number twice or out of range are refused")
    void freeNumbers() throws Exception {
        try (TestJob test = new TestJob(3, false)) {
            Future<ClusterJob> one = test.joining(1);
            Patience.until("PE 1", () -> test.events.contains("1 STARTING"));
            assertThatThrownBy(() -> TestJob.get(test.joining(1)))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("PE 1 has joined already");
            assertThatThrownBy(() -> TestJob.get(test.joining(3)))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("the job has 3 PEs, so that there is no PE 3");
            Future<ClusterJob> two = test.joining(-1);
            Future<ClusterJob> three = test.joining(-1);
            assertThat(List.of(TestJob.get(two).pe(), TestJob.get(three).pe())).containsExactlyInAnyOrder(0, 2);
            assertThat(TestJob.get(one).pe()).isEqualTo(1);
            assertThatThrownBy(() -> TestJob.get(test.joining(-1)))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("all 3 PEs of the job have joined");
        }
    }

    @Test
    @DisplayName("PEs of a job share a key for each purpose, which another job does not have")
    void sharedKeys() throws Exception {
        byte[] one;
        try (TestJob test = new TestJob(2, false)) {
            List<ClusterJob> jobs = test.all(2);
            one = jobs.get(0).sharedKey("one").orElseThrow();
            assertThat(one).hasSize(32);
            assertThat(jobs.get(1).sharedKey("one")).hasValue(one);
            assertThat(jobs.get(1).sharedKey("two").orElseThrow()).isNotEqualTo(one);
        }
        try (TestJob test = new TestJob(2, false)) {
            assertThat(test.all(2).get(0).sharedKey("one").orElseThrow()).isNotEqualTo(one);
        }
    }

    @Test
    @DisplayName(
            "values are there after the fence of all PEs, replace earlier ones at the next fence, and have a limit")
    void values() throws Exception {
        try (TestJob test = new TestJob(3, false)) {
            List<ClusterJob> jobs = test.all(3);
            for (int round = 1; round <= 3; round++) {
                for (ClusterJob job : jobs) {
                    job.put("a", new byte[] {(byte) job.pe(), (byte) round});
                    job.put("round " + round, new byte[0]);
                }
                long first = jobs.get(0).fence();
                long second = jobs.get(1).fence();
                assertThat(jobs.get(0).isFenced(first)).isFalse();
                assertThat(jobs.get(1).get(2, "a").map(each -> each[1]))
                        .isEqualTo(round == 1 ? Optional.empty() : Optional.of((byte) (round - 1)));
                long third = jobs.get(2).fence();
                awaitFence(jobs.get(0), first);
                awaitFence(jobs.get(1), second);
                awaitFence(jobs.get(2), third);
                for (ClusterJob job : jobs) {
                    for (int pe = 0; pe < 3; pe++) {
                        byte[] expected = {(byte) pe, (byte) round};
                        assertThat(job.get(pe, "a"))
                                .hasValueSatisfying(its -> assertThat(its).isEqualTo(expected));
                        assertThat(job.get(pe, "round 1"))
                                .hasValueSatisfying(its -> assertThat(its).isEmpty());
                        assertThat(job.get(pe, "b")).isEmpty();
                    }
                }
            }
            ClusterJob job = jobs.get(0);
            assertThat(job.valueBytes()).isGreaterThanOrEqualTo(16384);
            assertThatThrownBy(() -> job.put("large", new byte[(int) job.valueBytes()]))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll("\"large\"", "it can store " + job.valueBytes());
            job.put("fits", new byte[(int) job.valueBytes() - 200]);
            job.put("fits", new byte[(int) job.valueBytes() - 200]);
            assertThatThrownBy(() -> job.put("", new byte[0])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("an end counts the epoch up after its state is readable, and ends have one order on all PEs")
    void ends() throws Exception {
        try (TestJob test = new TestJob(4, true)) {
            List<ClusterJob> jobs = test.all(4);
            jobs.forEach(job -> job.state(PeState.RUNNING));
            jobs.get(2).state(PeState.CLOSED);
            exit(test, jobs.get(2), 0);
            jobs.get(3).leave();
            Patience.until("leave", () -> jobs.get(0).endOrder(3) != 0);
            exit(test, jobs.get(1), 137);
            for (ClusterJob job : List.of(jobs.get(0), jobs.get(3))) {
                Patience.until("end of PE 1", () -> job.state(1).hasTerminated());
                assertThat(job.state(2)).isEqualTo(PeState.ENDED);
                assertThat(job.exitCode(2)).isZero();
                assertThat(job.state(1)).isEqualTo(PeState.FAILED);
                assertThat(job.exitCode(1)).isEqualTo(137);
                assertThat(job.failureReason(1)).isEmpty();
                assertThat(List.of(job.endOrder(0), job.endOrder(2), job.endOrder(3), job.endOrder(1)))
                        .containsExactly(0L, 1L, 2L, 3L);
                assertThat(epoch(job)).isEqualTo(3);
                assertThat(job.endedAtNanos(1)).isEqualTo(test.clock.nanoTime());
            }
            assertThat(test.events).contains("2 CLOSED", "2 ENDED 0 ", "1 FAILED 137 ");
        }
    }

    @Test
    @DisplayName("a PE that ends with exit code 0 inside its world has failed; one that never joined a world has ended")
    void endsInsideWorlds() throws Exception {
        try (TestJob test = new TestJob(3, true)) {
            List<ClusterJob> jobs = test.all(3);
            jobs.get(1).state(PeState.RUNNING);
            exit(test, jobs.get(1), 0);
            exit(test, jobs.get(2), 0);
            Patience.until("ends", () -> jobs.get(0).state(2).hasTerminated());
            assertThat(jobs.get(0).state(1)).isEqualTo(PeState.FAILED);
            assertThat(jobs.get(0).exitCode(1)).isZero();
            assertThat(jobs.get(0).state(2)).isEqualTo(PeState.ENDED);
        }
    }

    @Test
    @DisplayName("a PE that a peer reports as failed counts as failed everywhere, itself included, and stays so")
    void reports() throws Exception {
        try (TestJob test = new TestJob(3, true)) {
            List<ClusterJob> jobs = test.all(3);
            jobs.forEach(job -> job.state(PeState.RUNNING));
            jobs.get(0).failed(2, "its endpoint broke");
            Patience.until("failure", () -> jobs.get(1).state(2) == PeState.FAILED); // the first report has come first
            jobs.get(1).failed(2, "a second reason");
            for (ClusterJob job : jobs) {
                Patience.until("failure", () -> job.state(2) == PeState.FAILED);
                assertThat(job.failureReason(2)).contains("its endpoint broke");
                assertThat(job.exitCode(2)).isEqualTo(PeJob.UNKNOWN_EXIT_CODE);
            }
            jobs.get(2).state(PeState.CLOSED);
            jobs.get(2).abort(3);
            jobs.get(0).failed(1, "so that a later message has come");
            Patience.until("failure", () -> jobs.get(0).state(1) == PeState.FAILED);
            assertThat(jobs.get(0).state(2)).isEqualTo(PeState.FAILED);
            assertThat(jobs.get(0).abortCode()).as("a fenced PE has no say").isEmpty();
            assertThatThrownBy(() -> TestJob.get(test.joining(2)))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("PE 2 counts as failed (its endpoint broke), and can't come back");
        }
    }

    @Test
    @DisplayName("the first abort decides, reaches all PEs and the launcher, and returns when the coordinator has it")
    void aborts() throws Exception {
        try (TestJob test = new TestJob(3, true)) {
            List<ClusterJob> jobs = test.all(3);
            jobs.get(1).abort(7);
            assertThat(test.events).contains("1 aborts with 7");
            jobs.get(2).abort(8);
            for (ClusterJob job : jobs) {
                Patience.until("abort", () -> job.abortCode().isPresent());
                assertThat(job.abortCode()).hasValue(7);
                assertThat(epoch(job)).isEqualTo(1);
            }
        }
    }

    @Test
    @DisplayName("without exit codes the end of a connection is the end: FAILED inside a world, ENDED after its close")
    void connections() throws Exception {
        try (TestJob test = new TestJob(3, false)) {
            List<ClusterJob> jobs = test.all(3);
            jobs.forEach(job -> job.state(PeState.RUNNING));
            jobs.get(1).state(PeState.CLOSED);
            jobs.get(1).disconnect();
            jobs.get(2).disconnect();
            Patience.until(
                    "ends",
                    () -> jobs.get(0).state(1).hasTerminated()
                            && jobs.get(0).state(2).hasTerminated());
            assertThat(jobs.get(0).state(1)).isEqualTo(PeState.ENDED);
            assertThat(jobs.get(0).state(2)).isEqualTo(PeState.FAILED);
            assertThat(jobs.get(0).failureReason(2)).contains("its connection to the coordinator ended");
        }
    }

    @Test
    @DisplayName("a join fails with the PE that ended before all had joined, and with the missing PEs after the limit")
    void joinsThatCannotEnd() throws Exception {
        try (TestJob test = new TestJob(3, true)) {
            Future<ClusterJob> early = test.joining(0);
            Patience.until("PE 0", () -> test.events.contains("0 STARTING"));
            test.coordinator.exited(2, 1);
            for (Future<ClusterJob> each : List.of(early, test.joining(1))) {
                assertThatThrownBy(() -> TestJob.get(each))
                        .isInstanceOfSatisfying(
                                PeFailedException.class,
                                e -> assertThat(e.failedPes()).containsExactly(2))
                        .hasMessageContaining("PE 2 ended before all PEs had joined (exit code 1)");
            }
        }
        try (TestJob test = new TestJob(3, true, Duration.ofSeconds(1))) {
            Future<ClusterJob> waiting = test.joining(1);
            Patience.until("PE 1", () -> test.events.contains("1 STARTING"));
            test.clock.advance(Duration.ofSeconds(1));
            test.coordinator.heardNanos().join();
            test.coordinator.heardNanos().join();
            assertThat(waiting.isDone()).isFalse();
            test.clock.advance(Duration.ofNanos(1));
            assertThatThrownBy(() -> TestJob.get(waiting))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("PEs [0, 2] of 3 have not joined within 1 s");
        }
    }

    @Test
    @DisplayName("a process that has ended while its connection has not is decided upon after 1 s")
    void connectionOutlivesProcess() throws Exception {
        try (TestJob test = new TestJob(2, true)) {
            List<ClusterJob> jobs = test.all(2);
            jobs.get(1).state(PeState.RUNNING);
            CountDownLatch decided = test.coordinator.exiting(1, 0);
            test.coordinator.heardNanos().join();
            test.clock.advance(JobCoordinator.LAST_MESSAGES.minusNanos(1));
            test.coordinator.heardNanos().join();
            test.coordinator.heardNanos().join(); // the first answer may come before a look at the deadlines
            assertThat(jobs.get(0).state(1)).isNotEqualTo(PeState.FAILED);
            assertThat(decided.getCount()).isEqualTo(1);
            test.clock.advance(Duration.ofNanos(1));
            Patience.until("decision", () -> decided.getCount() == 0);
            Patience.until("end", () -> jobs.get(0).state(1) == PeState.FAILED);
        }
    }

    @Test
    @DisplayName("a PE without a coordinator counts itself as failed, before any time has passed")
    void lostCoordinators() throws Exception {
        TestJob test = new TestJob(2, true);
        List<ClusterJob> jobs = test.all(2);
        jobs.get(0).state(PeState.RUNNING);
        test.close();
        Patience.until("end of the coordinator", () -> jobs.get(0).state(0) == PeState.FAILED);
        assertThat(epoch(jobs.get(0))).isPositive();
        assertThat(jobs.get(0).failureReason(0)).get().asString().contains("coordinator");
    }
}
