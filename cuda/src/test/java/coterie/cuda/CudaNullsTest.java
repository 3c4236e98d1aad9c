// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.DoubleView;
import coterie.ElementType;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.CaptureMode;
import coterie.stream.Extent;
import coterie.stream.ValueCondition;
import coterie.testing.Signatures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Parameter;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// Null for each parameter of the public methods that need no code of a device.
class CudaNullsTest {
    private final Map<Class<?>, Object> sources = new HashMap<>();

    private Optional<?> argument(Parameter parameter) {
        return Optional.ofNullable(sources.get(parameter.getType()));
    }

    private void fill(CudaFixture fixture, SymmetricMemory memory, DeviceMemory device) {
        sources.put(World.class, fixture.world);
        sources.put(Team.class, fixture.world.team());
        sources.put(SymmetricMemory.class, memory);
        sources.put(DeviceAddresses.class, device);
        sources.put(MemorySegment.class, Arena.ofAuto().allocate(64, 8));
        sources.put(ElementView.class, memory.longs());
        sources.put(IntegerView.class, memory.longs());
        sources.put(DoubleView.class, memory.doubles());
        sources.put(FloatView.class, memory.floats());
        sources.put(SignalWord.class, memory.signal(0));
        sources.put(SignalUpdate.class, memory.signal(0).adding(1));
        sources.put(Comparison.class, Comparison.GE);
        sources.put(ValueCondition.class, ValueCondition.GEQ);
        sources.put(AtomicOperation.class, AtomicOperation.ADD);
        sources.put(ElementType.class, ElementType.LONG);
        sources.put(Reduction.class, Reduction.SUM);
        sources.put(Collective.class, Collective.barrier());
        sources.put(BitSet.class, new BitSet());
        sources.put(long[].class, new long[] {});
        sources.put(byte[].class, new byte[] {});
        sources.put(Extent.class, Extent.of(1));
        sources.put(CaptureMode.class, CaptureMode.GLOBAL);
        sources.put(Runnable.class, (Runnable) () -> {});
        sources.put(BooleanSupplier.class, (BooleanSupplier) () -> true);
        sources.put(Consumer.class, (Consumer<Object>) _ -> {});
        sources.put(String.class, "name");
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("methods of devices, streams, events and memory name operation, PE and parameter")
    void objects(World world) {
        try (CudaFixture fixture = new CudaFixture(world);
                SymmetricMemory memory = world.allocate(256)) {
            DeviceMemory device = fixture.cuda.allocate(world.team(), 256);
            fill(fixture, memory, device);
            CudaStream stream = fixture.cuda.createStream("S");
            CudaEvent event = fixture.cuda.createEvent();
            sources.put(CudaStream.class, stream);
            sources.put(CudaEvent.class, event);
            Signatures.Check check = (call, name, thrown) -> assertThat(thrown)
                    .as("%s, %s", call, name)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining(call.substring(0, call.indexOf('(')))
                    .hasMessageContaining("PE " + world.pe())
                    .hasMessageContaining(name)
                    .hasMessageContaining(" is null");
            Signatures.of(Cuda.class, fixture.cuda, this::argument).nulls(check);
            Signatures.of(CudaStream.class, stream, this::argument)
                    .without("launch", "a kernel needs code of a device")
                    .without("launchCooperative", "a kernel needs code of a device")
                    .nulls(check);
            Signatures.of(CudaEvent.class, event, this::argument).nulls(check);
            Signatures.of(DeviceMemory.class, device, this::argument).nulls(check);
            event.close();
            stream.synchronize();
            stream.close();
            device.close();
        }
    }
}
