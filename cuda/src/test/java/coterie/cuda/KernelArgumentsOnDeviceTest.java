// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/// Each function of the device headers with each of its arguments out of range, and all others right.
@OnDevice
class KernelArgumentsOnDeviceTest {
    private static final DeviceTeamOptions OPTIONS = new DeviceTeamOptions(
            Duration.ofSeconds(15),
            8,
            KernelArgument.BARRIERS,
            KernelArgument.CONTEXTS,
            KernelArgument.NUMBERS,
            KernelArgument.NUMBERS);

    // Bytes of the registered block: how many threads got each status, arguments, and memory of the kernel's own.
    private static final long COUNTS = 512;
    private static final long ARGUMENTS = 1024;
    private static final long OWN = 1 << 19;

    private static final int STATUSES = 16;

    /// Sources, targets and signals are before this byte.
    private static final long WATCHED = 16_384;

    private static final int[] THREADS = {1, 32, 128};

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS, timeoutSeconds = 60)
    @DisplayName("arguments that are right succeed, on all threads of each group")
    void right(World world) {
        KernelBench.use(world, OPTIONS, KernelBench.ARGUMENTS, bench -> {
            for (KernelCall call : KernelCall.all()) {
                expect(bench, bench.team, call, null, 0, 0);
                bench.team.check();
            }
        });
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS, timeoutSeconds = 60)
    @DisplayName("one that is wrong is named before a byte, a signal, a counter, a shadow or the ring has changed")
    void wrong(World world) {
        KernelBench.use(world, OPTIONS, KernelBench.ARGUMENTS, bench -> {
            for (KernelCall call : KernelCall.all()) {
                for (KernelArgument argument : call.arguments()) {
                    for (long value : argument.wrong) {
                        refused(bench, call, argument, value);
                    }
                }
            }
        });
    }

    /// Makes a mistake with a team of its own, since a team keeps its first error.
    private static void refused(KernelBench bench, KernelCall call, KernelArgument argument, long value) {
        try (DeviceTeam team = DeviceTeam.create(bench.cuda, bench.world.team(), OPTIONS, bench.registered)) {
            String what = call + " with " + argument + " " + value;
            List<Long> before = state(bench, team);
            expect(bench, team, call, argument, value, argument.error.code());
            assertThat(state(bench, team)).as(what).isEqualTo(before);
            assertThatThrownBy(team::check)
                    .as(what)
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).as(what).isEqualTo(argument.error));
        }
    }

    /// Calls a function at all its scopes, and checks which status the threads get.
    private static void expect(
            KernelBench bench,
            DeviceTeam team,
            KernelCall call,
            @Nullable KernelArgument argument,
            long value,
            int status) {
        for (int scope = 0; scope < (call.isGrouped() ? THREADS.length : 1); scope++) {
            bench.host.segment().asSlice(COUNTS, STATUSES * Integer.BYTES).fill((byte) 0);
            arguments(bench, call, argument, value);
            launch(
                    bench,
                    "call",
                    team.address(),
                    call.number(),
                    scope,
                    at(bench, ARGUMENTS),
                    at(bench, OWN),
                    at(bench, COUNTS));
            int[] counts = IntStream.range(0, STATUSES)
                    .map(i -> (int) bench.host.ints().get(COUNTS / Integer.BYTES + i))
                    .toArray();
            int[] expected = new int[STATUSES];
            expected[status] = THREADS[scope];
            assertThat(counts)
                    .as("%s at scope %d, %s %d: threads by status", call, scope, argument, value)
                    .isEqualTo(expected);
        }
    }

    private static void arguments(KernelBench bench, KernelCall call, @Nullable KernelArgument wrong, long value) {
        for (KernelArgument each : KernelArgument.values()) {
            bench.host.longs().set(ARGUMENTS / Long.BYTES + each.place, each.right);
        }
        bench.host.longs().set(ARGUMENTS / Long.BYTES + KernelArgument.LENGTH.place, call.length());
        if (wrong != null) {
            bench.host.longs().set(ARGUMENTS / Long.BYTES + wrong.place, value);
        }
    }

    /// Returns the bytes that operations may write, and a number for the team's words.
    private static List<Long> state(KernelBench bench, DeviceTeam team) {
        launch(bench, "state", team.address(), at(bench, OWN));
        long words = bench.host.longs().get(OWN / Long.BYTES);
        byte[] bytes = bench.host.segment().asSlice(2048, WATCHED - 2048).toArray(ValueLayout.JAVA_BYTE);
        return List.of(words, (long) Arrays.hashCode(bytes));
    }

    private static void launch(KernelBench bench, String kernel, Object... arguments) {
        bench.stream.launch(bench.module.kernel(kernel), KernelBench.ONE, KernelBench.BLOCK, 0, arguments);
        bench.stream.synchronize();
    }

    private static long at(KernelBench bench, long offset) {
        return bench.registered.devicePointer() + offset;
    }
}
