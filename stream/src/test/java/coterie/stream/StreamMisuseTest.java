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
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// Objects that are over, or of another runtime, for each parameter of streams.
class StreamMisuseTest {
    private final Map<Class<?>, Object> sources = new HashMap<>();
    private final Map<Class<?>, Object> others = new HashMap<>();

    private Optional<?> argument(Parameter parameter) {
        return Optional.ofNullable(sources.get(parameter.getType()));
    }

    private void fill(World world, SymmetricMemory memory, StreamRuntime runtime) {
        WorkStream stream = runtime.createStream("S");
        stream.beginCapture();
        sources.put(StreamGraph.class, stream.endCapture());
        sources.put(StreamEvent.class, runtime.createEvent());
        sources.put(WorkStream.class, stream);
        sources.put(Team.class, world.team());
        sources.putAll(views(memory));
        sources.put(MemorySegment.class, Arena.ofAuto().allocate(64, 8));
        sources.put(Comparison.class, Comparison.GE);
        sources.put(ValueCondition.class, ValueCondition.GEQ);
        sources.put(AtomicOperation.class, AtomicOperation.ADD);
        sources.put(BitSet.class, new BitSet());
        sources.put(long[].class, new long[] {});
        sources.put(Collective.class, Collective.barrier());
        sources.put(Extent.class, Extent.of(1));
        sources.put(Kernel.class, (Kernel) _ -> {});
        sources.put(Runnable.class, (Runnable) () -> {});
        sources.put(BooleanSupplier.class, (BooleanSupplier) () -> true);
        sources.put(Consumer.class, (Consumer<Object>) _ -> {});
        sources.put(CaptureMode.class, CaptureMode.GLOBAL);
        sources.put(String.class, "other");
    }

    private static Map<Class<?>, Object> views(SymmetricMemory memory) {
        return Map.of(
                ElementView.class, memory.longs(),
                IntegerView.class, memory.longs(),
                DoubleView.class, memory.doubles(),
                FloatView.class, memory.floats(),
                SignalWord.class, memory.signal(0),
                SignalUpdate.class, memory.signal(0).adding(1));
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("teams and memory that are over, events and graphs of another runtime: refused by operation and PE")
    void foreign(World world) {
        List<String> wrong = new ArrayList<>();
        try (SymmetricMemory memory = world.allocate(256);
                StreamRuntime runtime = StreamRuntime.open(world);
                StreamRuntime second = StreamRuntime.open(world)) {
            Team over = world.team().duplicate();
            SymmetricMemory gone = over.allocate(256);
            fill(world, memory, second);
            others.put(StreamGraph.class, sources.get(StreamGraph.class));
            others.put(StreamEvent.class, sources.get(StreamEvent.class));
            others.putAll(views(gone));
            others.put(Team.class, over);
            gone.close();
            over.close();
            fill(world, memory, runtime);
            for (Class<?> type : List.of(WorkStream.class, StreamRuntime.class)) {
                Signatures walk =
                        Signatures.of(type, type == WorkStream.class ? sources.get(type) : runtime, this::argument);
                if (type == WorkStream.class) {
                    walk.without("waitEvent", "takes events of any runtime of the PE");
                }
                walk.foreign(
                        parameter -> Optional.ofNullable(others.get(parameter.getType())),
                        (call, parameter, thrown) -> {
                            String operation = call.substring(0, call.indexOf('('));
                            String message = String.valueOf(thrown == null ? null : thrown.getMessage());
                            if (!(thrown instanceof RuntimeException)
                                    || !message.contains(operation)
                                    || !message.contains("PE " + world.pe())) {
                                wrong.add(type.getSimpleName() + "." + call + ", " + parameter + ": " + thrown);
                            }
                        });
            }
        } catch (StreamException e) {
            wrong.add("close: " + e.getMessage());
        }
        assertThat(wrong).isEmpty();
    }
}
