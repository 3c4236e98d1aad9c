// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.ThreadLevel;
import coterie.WaitTimeoutException;
import coterie.internal.p2p.TestMembers.Mate;
import coterie.internal.p2p.TestMembers.Reach;
import coterie.internal.plan.Plan;
import coterie.internal.wait.OperationKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A member that can't go on sends the cause to all others, and no running member waits for ever.
class AbortTest {
    private static final int PES = 5;
    private static final long SCRATCH = 1 << 20;

    /// The first fits into a slot, the second does not.
    private static final List<Long> LENGTHS = List.of(8L, 1000L);

    /// What a member runs as #1, and its attributes.
    private record Call(OperationKind kind, long sequence, long signature, Plan plan) {
        Call(OperationKind kind, Plan plan) {
            this(kind, 1, 0, plan);
        }
    }

    @FunctionalInterface
    private interface Caller {
        Call of(int member);
    }

    private static Stream<Arguments> oddOnes() {
        return Stream.of(Reach.values())
                .flatMap(reach -> LENGTHS.stream()
                        .flatMap(length -> IntStream.range(0, PES).mapToObj(odd -> Arguments.of(reach, length, odd))));
    }

    @ParameterizedTest
    @MethodSource("oddOnes")
    void whoCallsSomethingElseIsNamedToAll(Reach reach, long length, int odd) throws InterruptedException {
        for (int root = 0; root < PES; root++) {
            int to = root;
            List<RuntimeException> ends = ends(
                    reach,
                    member -> member == odd
                            ? new Call(OperationKind.ALL_REDUCE, Plans.reduce(PES, member, to, length))
                            : new Call(OperationKind.BROADCAST, Plans.broadcast(PES, member, 0, length)));
            assertThat(ends)
                    .allSatisfy(end -> assertThat(end)
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining("members call different collectives: PE "));
            assertThat(ends).anySatisfy(end -> assertThat(end).hasMessageContaining("PE " + pe(odd) + " "));
        }
    }

    @ParameterizedTest
    @MethodSource("oddOnes")
    void whoCallsItWithOtherArgumentsIsNamedToAll(Reach reach, long length, int odd) throws InterruptedException {
        List<RuntimeException> ends = ends(
                reach,
                member -> new Call(
                        OperationKind.ALL_REDUCE, 1, member == odd ? 0xA : 0xB, Plans.exchange(PES, member, length)));
        assertThat(ends)
                .allSatisfy(end -> assertThat(end)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageStartingWith("allReduce #1 on team \"row\", PE ")
                        .hasMessageContaining("call allReduce #1 with different arguments: argument ")
                        .hasMessageContainingAll("a on PE " + pe(odd), "b on PE "));
    }

    @ParameterizedTest
    @MethodSource("oddOnes")
    void whoIsAtAnotherNumberIsNamedToAll(Reach reach, long length, int odd) throws InterruptedException {
        List<RuntimeException> ends = ends(
                reach,
                member -> new Call(
                        OperationKind.ALL_REDUCE, member == odd ? 2 : 1, 0, Plans.exchange(PES, member, length)));
        assertThat(ends)
                .allSatisfy(end -> assertThat(end)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("PE " + pe(odd) + " allReduce #2")
                        .hasMessageContaining("allReduce #1"));
    }

    /// All send a message that does not fit into a slot, and no member receives.
    @ParameterizedTest
    @EnumSource
    void rootsThatWaitForEachOtherAreNamed(Reach reach) throws InterruptedException {
        List<RuntimeException> ends = ends(
                reach,
                member -> new Call(OperationKind.BROADCAST, 1, member, Plans.broadcast(PES, member, member, 100)));
        assertThat(ends)
                .allSatisfy(end -> assertThat(end)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("call broadcast #1 with different arguments"));
    }

    private static Stream<Arguments> lengths() {
        return Stream.of(Reach.values())
                .flatMap(reach -> Stream.of(8L, 16L, 100L, 200L)
                        .flatMap(sent -> Stream.of(8L, 16L, 100L, 200L)
                                .filter(taken -> !taken.equals(sent))
                                .map(taken -> Arguments.of(reach, sent, taken))));
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void whoSendsMoreOrLessThanIsTakenIsNamed(Reach reach, long sent, long taken) throws InterruptedException {
        List<RuntimeException> ends = ends(
                reach,
                member ->
                        new Call(OperationKind.BROADCAST, Plans.broadcast(PES, member, 1, member == 3 ? taken : sent)));
        assertThat(ends)
                .allSatisfy(end -> assertThat(end)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("call broadcast #1 with different arguments")
                        .hasMessageContaining("PE " + pe(1))
                        .hasMessageContaining("PE " + pe(3)));
    }

    private static Stream<Arguments> deaths() {
        int messages = Plans.messages(Plans.exchange(PES, 0, 8));
        return Stream.of(Reach.values())
                .flatMap(reach -> LENGTHS.stream()
                        .flatMap(length -> IntStream.rangeClosed(0, messages)
                                .mapToObj(begun -> Arguments.of(reach, length, begun))));
    }

    @ParameterizedTest
    @MethodSource("deaths")
    void whoDiesIsNamedToAllOthers(Reach reach, long length, int begun) throws InterruptedException {
        for (int dead = 0; dead < PES; dead += 2) {
            int dies = dead;
            RuntimeException[] ends = new RuntimeException[PES];
            try (TestMembers testMembers = new TestMembers(PES, reach)) {
                Map<Integer, Throwable> failures = testMembers.failures(mate -> {
                    Plan plan = Plans.exchange(PES, mate.member, length);
                    if (mate.member == dies) {
                        PlanTask task = mate.task(OperationKind.ALL_REDUCE, Plans.begun(plan, begun), 0);
                        task.set(0, 1, 0, 4096, SCRATCH).post();
                        task.await();
                        throw new AssertionError("the PE dies");
                    }
                    ends[mate.member] = end(mate, new Call(OperationKind.ALL_REDUCE, plan));
                });
                assertThat(failures).containsOnlyKeys(dies);
                assertThat(failures.get(dies)).isInstanceOf(AssertionError.class);
            }
            for (int member = 0; member < PES; member++) {
                if (member != dies) {
                    assertThat(ends[member])
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    end -> assertThat(end.failedPes()).containsExactly(pe(dies)))
                            .hasMessageContaining("PE " + pe(dies) + " failed (exit code 1)");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void allLearnOfADeadlineAndSoDoesWhoComesLater(Reach reach) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(PES - 1);
        try (TestMembers testMembers = new TestMembers(PES, reach)) {
            testMembers.run(mate -> {
                if (mate.member == 2) {
                    over.await();
                }
                PlanTask task = mate.task(OperationKind.ALL_REDUCE, Plans.exchange(PES, mate.member, 100), 0);
                if (mate.member == 4) {
                    task.timeout(20_000_000);
                }
                RuntimeException end = failure(task.set(0, 1, 0, 4096, SCRATCH));
                over.countDown();
                assertThat(end).isInstanceOf(WaitTimeoutException.class);
                if (mate.member != 4) {
                    assertThat(end)
                            .hasMessage(
                                    "allReduce #1 on team \"row\", PE " + mate.pe + ": PE 0 timed out in allReduce #1");
                }
                assertThat(mate.lanes.failure("sum #7"))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageStartingWith("sum #7 on team \"row\", PE " + mate.pe);
                PlanTask next = mate.task(OperationKind.BARRIER, Plans.barrier(PES, mate.member), 0);
                assertThat(failure(next.set(0, 2, 0, 0, 0))).isInstanceOf(WaitTimeoutException.class);
                mate.endpoint.close();
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStepThatThrowsEndsTheRunForAll(Reach reach) throws InterruptedException {
        RuntimeException[] ends = new RuntimeException[PES];
        try (TestMembers testMembers = new TestMembers(PES, reach, ThreadLevel.SINGLE, "all_reduce:2@1=throw")) {
            testMembers.run(mate -> ends[mate.member] =
                    end(mate, new Call(OperationKind.ALL_REDUCE, Plans.exchange(PES, mate.member, 100))));
        }
        for (int member = 0; member < PES; member++) {
            if (pe(member) == 1) {
                assertThat(ends[member])
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("planted fault");
            } else {
                assertThat(ends[member])
                        .isExactlyInstanceOf(CoterieException.class)
                        .hasMessageContaining(
                                "PE 1 aborted in allReduce #1: IllegalStateException: planted fault at step 2");
            }
        }
    }

    private static int pe(int member) {
        return PES - 1 - member;
    }

    /// How the members' calls end: each makes its call, and if that succeeds, runs barriers on all channels.
    private static List<RuntimeException> ends(Reach reach, Caller caller) throws InterruptedException {
        RuntimeException[] ends = new RuntimeException[PES];
        try (TestMembers testMembers = new TestMembers(PES, reach)) {
            testMembers.run(mate -> ends[mate.member] = end(mate, caller.of(mate.member)));
        }
        return Arrays.asList(ends);
    }

    private static @Nullable RuntimeException end(Mate mate, Call call) {
        PlanTask first = mate.task(call.kind, call.plan, call.signature);
        RuntimeException end = failure(first.set(0, call.sequence, 0, 4096, SCRATCH));
        for (int next = 1; end == null && next < 10; next++) {
            PlanTask barrier = mate.task(OperationKind.BARRIER, Plans.barrier(PES, mate.member), 0);
            end = failure(barrier.set(next % TestMembers.LANES, call.sequence + next, 0, 0, 0));
        }
        mate.endpoint.close();
        return end;
    }

    private static @Nullable RuntimeException failure(PlanTask task) {
        task.post();
        while (!task.test()) {
            TestMembers.pause();
        }
        return task.failure();
    }
}
