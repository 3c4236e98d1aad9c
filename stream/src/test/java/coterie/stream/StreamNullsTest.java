// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.DoubleView;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.testing.Signatures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Parameter;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// Null for each parameter of each public method of this package.
class StreamNullsTest {
    /// Public types that the tests do not walk, with the reasons.
    private static final Map<String, String> WITHOUT = Map.of(
            "CaptureMode", "an enum",
            "EventOption", "an enum",
            "QueueOrder", "an enum",
            "StartOrder$Kind", "an enum",
            "StreamError", "an enum",
            "StreamOption", "an enum",
            "TeamOrder", "an enum",
            "ValueCondition", "an enum",
            "Kernel", "a function of programs",
            "LaneOperations", "the methods of streams of other modules: CudaNullsTest");

    private final Map<Class<?>, Object> sources = new HashMap<>();

    private Optional<?> argument(Parameter parameter) {
        return Optional.ofNullable(sources.get(parameter.getType()));
    }

    private StreamNullsTest fill(World world, SymmetricMemory memory, StreamRuntime runtime) {
        StreamEvent event = runtime.createEvent();
        sources.put(ElementView.class, memory.longs());
        sources.put(IntegerView.class, memory.longs());
        sources.put(DoubleView.class, memory.doubles());
        sources.put(FloatView.class, memory.floats());
        sources.put(MemorySegment.class, Arena.ofAuto().allocate(64, 8));
        sources.put(SignalWord.class, memory.signal(0));
        sources.put(SignalUpdate.class, memory.signal(0).adding(1));
        sources.put(Comparison.class, Comparison.GE);
        sources.put(ValueCondition.class, ValueCondition.GEQ);
        sources.put(AtomicOperation.class, AtomicOperation.ADD);
        sources.put(BitSet.class, new BitSet());
        sources.put(long[].class, new long[] {});
        sources.put(Team.class, world.team());
        sources.put(Collective.class, Collective.barrier());
        sources.put(Extent.class, Extent.of(1));
        sources.put(Kernel.class, (Kernel) _ -> {});
        sources.put(Runnable.class, (Runnable) () -> {});
        sources.put(BooleanSupplier.class, (BooleanSupplier) () -> true);
        sources.put(Consumer.class, (Consumer<Object>) _ -> {});
        sources.put(CaptureMode.class, CaptureMode.GLOBAL);
        sources.put(StreamEvent.class, event);
        sources.put(String.class, "other");
        sources.put(World.class, world);
        sources.put(TeamOrder.class, TeamOrder.CHECKED);
        sources.put(DeviceLimits.class, DeviceLimits.DEFAULT);
        sources.put(QueueOrder.class, QueueOrder.COMPLETION);
        sources.put(StartOrder.class, StartOrder.ISSUE);
        sources.put(StartOrder.Kind.class, StartOrder.Kind.ISSUE);
        sources.put(List.class, List.of());
        sources.put(Map.class, Map.of());
        return this;
    }

    private static void check(String operation, String pe, String call, String parameter, Throwable thrown) {
        assertThat(thrown)
                .as("%s, %s", call, parameter)
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining(operation)
                .hasMessageContaining(pe)
                .hasMessageContaining(parameter)
                .hasMessageContaining(" is null");
    }

    private static String name(String call) {
        return call.substring(0, call.indexOf('('));
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("methods of runtimes, streams, events and graphs name operation, PE and parameter")
    void objects(World world) {
        try (SymmetricMemory memory = world.allocate(256);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            fill(world, memory, runtime);
            WorkStream stream = runtime.createStream("S");
            stream.beginCapture();
            stream.waitUntil(memory.signal(0), Comparison.GE, 0);
            StreamGraph graph = stream.endCapture();
            sources.put(StreamGraph.class, graph);
            String pe = "PE " + world.pe();
            Signatures.Check check = (call, parameter, thrown) -> check(name(call), pe, call, parameter, thrown);
            Signatures.of(StreamRuntime.class, runtime, this::argument).nulls(check);
            Signatures.of(WorkStream.class, stream, this::argument)
                    .without("collectiveLaunch", "members exchange what one of them has passed: CollectiveLaunchTest")
                    .nulls(check);
            Signatures.of(StreamEvent.class, runtime.createEvent(), this::argument)
                    .nulls(check);
            Signatures.of(StreamGraph.class, graph, this::argument).nulls(check);
            Signatures.of(StreamValue.class, stream.get(memory.longs(), 0, world.pe()), this::argument)
                    .nulls(check);
            stream.synchronize();
            assertThat(runtime.pending()).isZero();
            graph.close();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("methods of no object, and of values, name type or operation, and parameter")
    void values(World world) {
        try (SymmetricMemory memory = world.allocate(256);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            fill(world, memory, runtime);
            for (Class<?> type : List.of(StreamRuntime.class, DeviceLimits.class, Extent.class, StartOrder.class)) {
                Signatures.ofStatic(
                                type,
                                parameter -> parameter.getName().endsWith("hreads")
                                                || parameter.getName().equals("threadsPerBlock")
                                        ? Optional.of(32)
                                        : argument(parameter))
                        .nulls((call, parameter, thrown) -> check(name(call), "", call, parameter, thrown));
            }
            Signatures.of(DeviceLimits.class, DeviceLimits.DEFAULT, this::argument)
                    .nulls((call, parameter, thrown) -> check(name(call), "", call, parameter, thrown));
            Signatures.of(Extent.class, Extent.of(1), this::argument)
                    .nulls((call, parameter, thrown) -> check(name(call), "", call, parameter, thrown));
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("calls on a closed runtime and a closed stream say what is closed, and where")
    void closed(World world) {
        try (SymmetricMemory memory = world.allocate(256)) {
            StreamRuntime runtime = StreamRuntime.open(world);
            fill(world, memory, runtime);
            WorkStream stream = runtime.createStream("S");
            stream.beginCapture();
            StreamGraph graph = stream.endCapture();
            sources.put(StreamGraph.class, graph);
            StreamEvent event = runtime.createEvent();
            event.query();
            sources.put(StreamEvent.class, event);
            stream.close();
            runtime.close();
            Signatures.Check says = (call, _, thrown) -> assertThat(thrown)
                    .as(call)
                    .isInstanceOf(RuntimeException.class)
                    .hasMessageContaining("PE " + world.pe())
                    .hasMessageContaining("closed");
            Signatures.of(WorkStream.class, stream, this::argument)
                    .without("name", "a property")
                    .without("toString", "names the object")
                    .without("priority", "a property")
                    .without("pending", "a number that stays true")
                    .without("endCapture", "no capture has begun, which it says")
                    .without("query", "all operations are over, which stays true")
                    .without("synchronize", "all operations are over, which stays true")
                    .without("onFailure", "a failure before the close is still told")
                    .without("close", "a second close does nothing")
                    .without("waitEvent", "an event without a record is no wait, on a closed stream, too")
                    .calls(says);
            Signatures.of(StreamRuntime.class, runtime, this::argument)
                    .without("world", "a property")
                    .without("toString", "names the object")
                    .without("pending", "a number that stays true")
                    .without("close", "a second close does nothing")
                    .without("collectiveLaunchBlocks", "a property of the device")
                    .without("onWarning", "nothing warns any more")
                    .without("createEvent", "an event belongs to no stream before its record, which says so")
                    .calls(says);
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("each public type of the package is walked, or has a reason")
    void types(World world) {
        TreeSet<String> all = new TreeSet<>(Signatures.publicTypes(WorkStream.class));
        all.removeAll(WITHOUT.keySet());
        assertThat(world.size()).isEqualTo(1);
        assertThat(all)
                .containsExactly(
                        "DeviceLimits",
                        "Extent",
                        "KernelGroup", // its operations are those of WorkStream
                        "KernelThread",
                        "StartOrder",
                        "StreamEvent",
                        "StreamGraph",
                        "StreamRuntime",
                        "StreamValue",
                        "WorkStream");
    }
}
