// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.IntegerReduction;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.collective.Collective;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What a device with few queues and slots does, in which order, and how late it copies.
class DeviceLimitsTest {
    /// Polls of the world in which a program that can go on has done so.
    private static final int MANY_POLLS = 2_000;

    /// Two streams of one PE: the one waits, the other one notifies it.
    private static boolean completes(World world, DeviceLimits limits, boolean notifiesFirst) {
        try (SymmetricMemory memory = world.allocate(8 * 8)) {
            StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, limits);
            LongView longs = memory.longs();
            WorkStream waiting = runtime.createStream("waiting", StreamOption.NON_BLOCKING);
            WorkStream notifying = runtime.createStream("notifying", StreamOption.NON_BLOCKING);
            if (notifiesFirst) {
                notifying.put(longs, 0, 1, world.pe());
            }
            waiting.waitUntil(longs, 0, Comparison.EQ, 1);
            if (!notifiesFirst) {
                notifying.put(longs, 0, 1, world.pe());
            }
            for (int poll = 0; poll < MANY_POLLS && runtime.pending() > 0; poll++) {
                world.progress();
            }
            boolean isDone = runtime.pending() == 0;
            longs.set(0, 1); // so that the close can't hang
            runtime.close();
            return isDone;
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "ST-S23, ST-S24: a wait keeps the notification behind it from running on a device with one queue or slot")
    void falseDependencies(World world) {
        DeviceLimits free = DeviceLimits.DEFAULT;
        assertThat(completes(world, free, false)).isTrue();
        assertThat(completes(world, free.withQueues(1), false)).isFalse();
        assertThat(completes(world, free.withQueues(1), true)).isTrue();
        assertThat(completes(world, free.withQueues(2), false)).isTrue();
        assertThat(completes(world, free.withQueueOf("waiting", 1).withQueueOf("notifying", 1), false))
                .isFalse();
        assertThat(completes(world, free.withQueues(1).withQueueOrder(QueueOrder.DISPATCH), false))
                .isTrue();
        assertThat(completes(world, free.withSlots(1), false)).isFalse();
        assertThat(completes(world, free.withSlots(1), true)).isTrue();
        assertThat(completes(world, free.withSlots(2), false)).isTrue();
        StartOrder adversarial = StartOrder.of(List.of("P0.waiting#0", "P1.other#0"));
        assertThat(completes(world, free.withSlots(1).withStartOrder(adversarial), true))
                .isFalse();
        StartOrder friendly = StartOrder.of(List.of("notifying#0", "waiting#0"));
        assertThat(completes(world, free.withSlots(1).withStartOrder(friendly), false))
                .isTrue();
    }

    /// The order in which host functions of four streams run.
    private static List<Integer> order(World world, DeviceLimits limits) {
        List<Integer> order = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, limits)) {
            for (int stream = 0; stream < 4; stream++) {
                WorkStream made = runtime.createStream();
                for (int operation = 0; operation < 4; operation++) {
                    int number = 10 * stream + operation;
                    made.execute(() -> order.add(number));
                }
            }
        }
        return order;
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a random order is legal, a seed repeats it, and another one is different")
    void randomOrders(World world) {
        DeviceLimits limits = DeviceLimits.DEFAULT;
        List<Integer> first = order(world, limits.withStartOrder(StartOrder.shuffled(1)));
        assertThat(order(world, limits.withStartOrder(StartOrder.shuffled(1)))).isEqualTo(first);
        assertThat(order(world, limits.withStartOrder(StartOrder.shuffled(2)))).isNotEqualTo(first);
        for (int stream = 0; stream < 4; stream++) {
            int number = stream;
            assertThat(first.stream().filter(each -> each / 10 == number))
                    .isSorted()
                    .hasSize(4);
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "ST-S32: a copy from the host may be late; a stream that does not wait for it is named, and sees old data")
    void lateCopies(World world) {
        MemorySegment ones = MemorySegment.ofArray(new long[] {1, 1});
        for (boolean isLate : new boolean[] {true, false}) {
            try (SymmetricMemory memory = world.allocate(8 * 8);
                    StreamRuntime runtime =
                            StreamRuntime.open(world, TeamOrder.CHECKED, DeviceLimits.DEFAULT.withLateCopies(isLate))) {
                LongView longs = memory.longs();
                List<String> warnings = new ArrayList<>();
                runtime.onWarning(warnings::add);
                Collective sum =
                        Collective.allReduce(Reduction.SUM).source(longs, 0, 2).target(longs, 4, 2);
                WorkStream stream = runtime.createStream("reducing", StreamOption.NON_BLOCKING);
                runtime.copy(longs, 0, ones, 0, 2);
                stream.collective(world.team(), sum);
                stream.synchronize();
                assertThat(longs.get(4)).isEqualTo(isLate ? 0 : world.size());
                assertThat(warnings).hasSize(isLate ? 1 : 0);
                assertThat(warnings)
                        .allSatisfy(warning -> assertThat(warning)
                                .startsWith("HEAP_RACE: allReduce")
                                .contains("on stream \"reducing\"")
                                .contains("DeviceLimitsTest.java:"));
                world.team().barrier();

                runtime.legacyStream().synchronize();
                stream.collective(world.team(), sum);
                stream.synchronize();
                assertThat(longs.get(4)).isEqualTo(world.size());
                WorkStream blocking = runtime.createStream();
                runtime.copy(longs, 0, MemorySegment.ofArray(new long[] {2, 2}), 0, 2);
                blocking.waitUntil(longs, 0, Comparison.EQ, 2);
                blocking.synchronize();
                assertThat(warnings).hasSize(isLate ? 1 : 0);
                assertThatThrownBy(() -> runtime.copy(longs, 7, ones, 0, 2))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                world.team().barrier();
            }
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("ST-S32: a reduction of the host does not wait for a late copy, is named, and sees old data")
    void lateCopyAndHost(World world) {
        MemorySegment ones = MemorySegment.ofArray(new long[] {1, 1});
        try (SymmetricMemory memory = world.allocate(8 * 8);
                StreamRuntime runtime =
                        StreamRuntime.open(world, TeamOrder.CHECKED, DeviceLimits.DEFAULT.withLateCopies(true))) {
            LongView longs = memory.longs();
            List<String> warnings = new ArrayList<>();
            runtime.onWarning(warnings::add);
            runtime.copy(longs, 0, ones, 0, 2);
            world.progress(); // nothing else is pending, and yet the copy is late
            world.team().allReduce(IntegerReduction.OR, longs, 6, longs, 2, 2); // of other elements
            assertThat(warnings).isEmpty();
            world.team().allReduce(IntegerReduction.OR, longs, 4, longs, 0, 1);
            assertThat(longs.get(4)).isZero();
            assertThat(warnings)
                    .singleElement()
                    .satisfies(warning -> assertThat(warning)
                            .startsWith("HEAP_RACE: allReduce at DeviceLimitsTest.java:")
                            .contains("the copy at DeviceLimitsTest.java:", "Synchronize the legacy default stream"));
            runtime.legacyStream().synchronize();
            world.team().allReduce(IntegerReduction.OR, longs, 4, longs, 0, 1);
            assertThat(longs.get(4)).isEqualTo(1);
            assertThat(warnings).hasSize(1);
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("ST-S32: a late copy names the operations that may still use its memory when it is called")
    void lateCopyAfterOperation(World world) {
        MemorySegment ones = MemorySegment.ofArray(new long[] {1, 1});
        try (SymmetricMemory memory = world.allocate(8 * 8);
                StreamRuntime runtime =
                        StreamRuntime.open(world, TeamOrder.CHECKED, DeviceLimits.DEFAULT.withLateCopies(true))) {
            LongView longs = memory.longs();
            List<String> warnings = new ArrayList<>();
            runtime.onWarning(warnings::add);
            WorkStream free = runtime.createStream("free", StreamOption.NON_BLOCKING);
            WorkStream blocking = runtime.createStream("blocking");
            Collective sum =
                    Collective.allReduce(Reduction.SUM).source(longs, 0, 2).target(longs, 4, 2);
            Collective other =
                    Collective.allReduce(Reduction.SUM).source(longs, 2, 1).target(longs, 6, 1);
            blocking.put(longs, 0, 5, 0); // before the copy by the legacy default stream
            free.collective(world.team(), sum);
            free.collective(world.team(), other);
            runtime.copy(longs, 0, ones, 0, 2);
            assertThat(warnings)
                    .singleElement()
                    .satisfies(warning -> assertThat(warning)
                            .startsWith("HEAP_RACE: allReduce")
                            .contains("on stream \"free\""));
            runtime.legacyStream().synchronize();
            assertThat(longs.get(0)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("limits that no device has are refused")
    void badLimits() {
        assertThatThrownBy(() -> DeviceLimits.DEFAULT.withQueues(-1)).hasMessageContaining("-1 queues");
        assertThatThrownBy(() -> DeviceLimits.DEFAULT.withSlots(-1)).hasMessageContaining("-1 slots");
        assertThatThrownBy(() ->
                        new DeviceLimits(8, 8, 8, 1, Map.of("a", 1), QueueOrder.COMPLETION, 0, StartOrder.ISSUE, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("queue 1 for stream \"a\"; there are 1");
    }
}
