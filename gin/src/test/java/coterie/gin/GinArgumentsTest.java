// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.Extent;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

/// Each operation of a context with each of its arguments out of range, and all others right: on a host thread, and by
/// a group of a kernel's threads.
class GinArgumentsTest {
    private static final long BYTES = GinFixture.BYTES;

    /// An operation with arguments, by name.
    private interface Call {
        void run(Gin gin, GinFixture fixture, Map<String, Long> at);
    }

    private static final Map<String, Long> RIGHT = Map.ofEntries(
            Map.entry("peer", 0L),
            Map.entry("targetOffset", 1024L),
            Map.entry("sourceOffset", 512L),
            Map.entry("bytes", 8L),
            Map.entry("signal", 1L),
            Map.entry("vaOffset", 2048L),
            Map.entry("counter", 1L),
            Map.entry("signalBits", 56L),
            Map.entry("counterBits", 56L),
            Map.entry("valueBytes", 8L));

    private static final Map<String, List<Long>> WRONG = Map.of(
            "peer", List.of(-1L, 1L),
            "targetOffset", List.of(-8L, BYTES + 8),
            "sourceOffset", List.of(-8L, BYTES + 8),
            "bytes", List.of(-1L, BYTES - 1023),
            "signal", List.of(-1L, 8L),
            "vaOffset", List.of(-8L, BYTES, 2052L),
            "counter", List.of(-1L, 4L),
            "signalBits", List.of(0L, -1L, 65L),
            "counterBits", List.of(0L, -1L, 57L),
            "valueBytes", List.of(0L, -1L, 9L));

    private record Operation(Call call, List<String> arguments) {}

    private static RemoteAction action(int kind, GinFixture fixture, Map<String, Long> at) {
        int signal = at.get("signal").intValue();
        long place = at.get("vaOffset");
        return switch (kind) {
            case 0 -> RemoteAction.weakSignalInc(signal);
            case 1 -> RemoteAction.strongSignalInc(signal);
            case 2 -> RemoteAction.weakVaSignalInc(fixture.window, place);
            default -> RemoteAction.strongVaSignalAdd(fixture.window, place, 2);
        };
    }

    private static Map<String, Operation> operations() {
        Map<String, Operation> all = new LinkedHashMap<>();
        List<String> ends = List.of("peer", "targetOffset", "sourceOffset", "bytes");
        for (int kind = 0; kind < 4; kind++) {
            int k = kind;
            String signal = kind < 2 ? "signal" : "vaOffset";
            List<String> put = new ArrayList<>(ends);
            put.addAll(List.of(signal, "counter"));
            all.put(
                    "put, action " + kind,
                    new Operation(
                            (gin, to, at) -> gin.put(
                                    to.all,
                                    at.get("peer").intValue(),
                                    to.window,
                                    at.get("targetOffset"),
                                    to.window,
                                    at.get("sourceOffset"),
                                    at.get("bytes"),
                                    action(k, to, at),
                                    LocalAction.weakCounterInc(at.get("counter").intValue())),
                            put));
            all.put(
                    "putValue, action " + kind,
                    new Operation(
                            (gin, to, at) -> gin.putValue(
                                    to.all,
                                    at.get("peer").intValue(),
                                    to.window,
                                    at.get("targetOffset"),
                                    -1,
                                    at.get("valueBytes").intValue(),
                                    action(k, to, at)),
                            List.of("peer", "targetOffset", "valueBytes", signal)));
            all.put(
                    "signal, action " + kind,
                    new Operation(
                            (gin, to, at) -> gin.signal(to.all, at.get("peer").intValue(), action(k, to, at)),
                            List.of("peer", signal)));
        }
        all.put(
                "get",
                new Operation(
                        (gin, to, at) -> gin.get(
                                to.all,
                                at.get("peer").intValue(),
                                to.window,
                                at.get("sourceOffset"),
                                to.window,
                                at.get("targetOffset"),
                                at.get("bytes")),
                        ends));
        all.put(
                "flushAsync",
                new Operation(
                        (gin, to, at) -> gin.flushAsync(to.all, at.get("peer").intValue()), List.of("peer")));
        words(all);
        return all;
    }

    private static void words(Map<String, Operation> all) {
        List<String> signal = List.of("signal", "signalBits");
        List<String> place = List.of("vaOffset", "signalBits");
        List<String> counter = List.of("counter", "counterBits");
        all.put("readSignal", new Operation((gin, _, at) -> gin.readSignal(signal(at), bits("signal", at)), signal));
        all.put("waitSignal", new Operation((gin, _, at) -> gin.waitSignal(signal(at), 0, bits("signal", at)), signal));
        all.put(
                "readSignal of a window",
                new Operation(
                        (gin, to, at) -> gin.readSignal(to.window, at.get("vaOffset"), bits("signal", at)), place));
        all.put(
                "waitSignal of a window",
                new Operation(
                        (gin, to, at) -> gin.waitSignal(to.window, at.get("vaOffset"), 0, bits("signal", at)), place));
        all.put(
                "resetSignal of a window",
                new Operation((gin, to, at) -> gin.resetSignal(to.window, at.get("vaOffset")), List.of("vaOffset")));
        all.put(
                "readCounter",
                new Operation((gin, _, at) -> gin.readCounter(counter(at), bits("counter", at)), counter));
        all.put(
                "waitCounter",
                new Operation((gin, _, at) -> gin.waitCounter(counter(at), 0, bits("counter", at)), counter));
        all.put("resetCounter", new Operation((gin, _, at) -> gin.resetCounter(counter(at)), List.of("counter")));
        List<String> only = List.of("signal");
        all.put("resetSignal", new Operation((gin, _, at) -> gin.resetSignal(signal(at)), only));
        all.put("signalShadow", new Operation((gin, _, at) -> gin.signalShadow(signal(at)), only));
        all.put("setSignalShadow", new Operation((gin, _, at) -> gin.setSignalShadow(signal(at), 0), only));
        all.put("increaseSignalShadow", new Operation((gin, _, at) -> gin.increaseSignalShadow(signal(at), 0), only));
        all.put(
                "waitSignalMeetShadow",
                new Operation((gin, _, at) -> gin.waitSignalMeetShadow(signal(at), bits("signal", at)), signal));
        all.put("waitSignalExactly", new Operation((gin, _, at) -> gin.waitSignalExactly(signal(at), 0), only));
        all.put(
                "waitSignalFollowShadow",
                new Operation((gin, _, at) -> gin.waitSignalFollowShadow(signal(at), 0, bits("signal", at)), signal));
    }

    private static int signal(Map<String, Long> at) {
        return at.get("signal").intValue();
    }

    private static int counter(Map<String, Long> at) {
        return at.get("counter").intValue();
    }

    private static int bits(String of, Map<String, Long> at) {
        return at.get(of + "Bits").intValue();
    }

    /// Returns all that operations change.
    private static List<Long> state(GinFixture fixture, Gin gin) {
        List<Long> all = new ArrayList<>();
        all.add((long) Arrays.hashCode(fixture.window.local().toArray(ValueLayout.JAVA_BYTE)));
        for (int signal = 0; signal < 8; signal++) {
            all.add(gin.readSignal(signal));
            all.add(gin.signalShadow(signal));
        }
        for (int counter = 0; counter < 4; counter++) {
            all.add(gin.readCounter(counter));
        }
        return all;
    }

    private static void check(String what, Throwable thrown) {
        assertThat(thrown)
                .as(what)
                .isInstanceOfAny(IndexOutOfBoundsException.class, IllegalArgumentException.class)
                .hasMessageContaining("allowed are");
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a wrong argument is refused before a byte, a signal, a counter or a shadow has changed")
    void host(World world) {
        try (GinFixture fixture = GinFixture.open(world)) {
            fixture.fill(512, 8, 7);
            Gin gin = fixture.gin(0);
            operations().forEach((name, operation) -> {
                for (String argument : operation.arguments()) {
                    for (long value : WRONG.get(argument)) {
                        Map<String, Long> at = new LinkedHashMap<>(RIGHT);
                        at.put(argument, value);
                        List<Long> before = state(fixture, gin);
                        String what = name + " with " + argument + " " + value;
                        check(what, catchThrowable(() -> operation.call().run(gin, fixture, at)));
                        assertThat(state(fixture, gin)).as(what).isEqualTo(before);
                    }
                }
            });
            operations().forEach((name, operation) -> {
                if (!name.contains("Exactly")) { // puts of the table have changed the signal
                    operation.call().run(gin, fixture, RIGHT);
                }
            });
            gin.quiet();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("the same in a kernel, whose stream fails with the reason")
    void kernel(World world) {
        try (GinFixture fixture = GinFixture.open(world)) {
            fixture.fill(512, 8, 7);
            Gin gin = fixture.gin(0);
            operations().forEach((name, operation) -> {
                String argument = operation.arguments().getLast();
                Map<String, Long> at = new LinkedHashMap<>(RIGHT);
                at.put(argument, WRONG.get(argument).getFirst());
                List<Long> before = state(fixture, gin);
                Throwable thrown;
                try (StreamRuntime runtime = StreamRuntime.open(world)) {
                    WorkStream stream = runtime.createStream("kernels");
                    stream.launch(
                            Extent.of(1),
                            Extent.of(2),
                            thread -> operation.call().run(gin.by(thread.block()), fixture, at));
                    thrown = catchThrowable(stream::synchronize);
                }
                assertThat(thrown).as(name).hasRootCauseInstanceOf(RuntimeException.class);
                assertThat(thrown).as(name).rootCause().hasMessageContaining("allowed are");
                assertThat(state(fixture, gin)).as(name).isEqualTo(before);
            });
        }
    }
}
