// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.CoterieException;
import coterie.DoubleView;
import coterie.ElementType;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.cuda.fake.FakeDriver;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.CaptureMode;
import coterie.stream.Extent;
import coterie.stream.TeamOrder;
import coterie.stream.ValueCondition;
import coterie.testing.Signatures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// Null, closed objects and objects of another Cuda, for all public methods of this package's objects, over a driver
/// in Java.
class CudaMisuseTest {
    /// What an object is; it stays after a close.
    private static final Map<Class<?>, Set<String>> PROPERTIES = Map.of(
            Cuda.class, Set.of("device", "driverVersion", "world"),
            CudaStream.class, Set.of("handle", "name"),
            CudaKernel.class, Set.of("name", "maxThreadsPerBlock"),
            CudaModule.class, Set.of("name"),
            DeviceMemory.class, Set.of("byteSize", "team", "unmappedReason"),
            RegisteredMemory.class, Set.of("byteSize", "team", "unmappedReason", "memory"),
            DeviceTeam.class, Set.of("team"),
            DeviceCollectives.class, Set.of("engine", "reason"));

    /// One object of each type of a Cuda.
    private static final class Objects {
        final CudaFixture fixture;
        final Map<Class<?>, Object> callees = new HashMap<>();
        private final SymmetricMemory page;
        private final Map<Class<?>, Object> values = new HashMap<>();

        Objects(World world) {
            fixture = new CudaFixture(world, new FakeDriver().kernel("none"), CudaOptions.DEFAULT);
            Cuda cuda = fixture.cuda;
            page = world.allocate(4096, 65_536);
            DeviceMemory memory = cuda.allocate(world.team(), 4096);
            RegisteredMemory registered = cuda.register(page);
            CudaModule module = cuda.load((byte) 'p');
            CudaStream stream = cuda.createStream("S");
            stream.beginCapture(CaptureMode.THREAD_LOCAL);
            CudaGraph graph = stream.endCapture();
            EngineParts parts = new EngineParts(
                    "host",
                    () -> {
                        throw new CoterieException("no NCCL");
                    },
                    () -> {
                        throw new CoterieException("no kernels");
                    },
                    4096);
            callees.putAll(Map.of(
                    Cuda.class, cuda,
                    CudaStream.class, stream,
                    CudaEvent.class, cuda.createEvent(),
                    CudaModule.class, module,
                    CudaKernel.class, module.kernel("none"),
                    CudaGraph.class, graph,
                    DeviceMemory.class, memory,
                    RegisteredMemory.class, registered,
                    DeviceTeam.class, DeviceTeam.create(cuda, world.team(), registered, memory),
                    DeviceCollectives.class, cuda.collectives(world.team(), parts)));
            values.putAll(callees);
            values.putAll(Map.of(
                    World.class, world,
                    Team.class, world.team(),
                    SymmetricMemory.class, page,
                    DeviceAddresses.class, memory,
                    MemorySegment.class, Arena.ofAuto().allocate(64, 8),
                    ElementView.class, page.longs(),
                    IntegerView.class, page.longs(),
                    DoubleView.class, page.doubles(),
                    FloatView.class, page.floats()));
            values.putAll(Map.of(
                    SignalWord.class, page.signal(0),
                    SignalUpdate.class, page.signal(0).adding(1),
                    Comparison.class, Comparison.GE,
                    ValueCondition.class, ValueCondition.GEQ,
                    AtomicOperation.class, AtomicOperation.ADD,
                    ElementType.class, ElementType.LONG,
                    ReductionOperator.class, Reduction.SUM,
                    Collective.class, Collective.barrier(),
                    BitSet.class, new BitSet(),
                    CaptureMode.class, CaptureMode.GLOBAL));
            values.putAll(Map.of(
                    long[].class,
                    new long[] {},
                    byte[].class,
                    new byte[] {'p'},
                    Extent.class,
                    Extent.of(1),
                    Runnable.class,
                    (Runnable) () -> {},
                    BooleanSupplier.class,
                    (BooleanSupplier) () -> true,
                    Consumer.class,
                    (Consumer<Object>) _ -> {},
                    String.class,
                    "none",
                    Duration.class,
                    Duration.ofSeconds(1),
                    DeviceTeamOptions.class,
                    DeviceTeamOptions.DEFAULT,
                    CudaOptions.class,
                    CudaOptions.DEFAULT));
            values.put(TeamOrder.class, TeamOrder.CHECKED);
        }

        Optional<?> argument(Parameter parameter) {
            return Optional.ofNullable(values.get(parameter.getType()));
        }

        /// Returns an argument that another world and its Cuda must refuse.
        Optional<?> ownArgument(Parameter parameter) {
            Class<?> type = parameter.getType();
            boolean isOwn = callees.containsKey(type)
                    || Set.of(Team.class, SymmetricMemory.class, DeviceAddresses.class)
                            .contains(type);
            return isOwn ? argument(parameter) : Optional.empty();
        }

        void closeAll() {
            for (Class<? extends AutoCloseable> type : List.of(
                    DeviceCollectives.class,
                    DeviceTeam.class,
                    CudaGraph.class,
                    CudaEvent.class,
                    CudaStream.class,
                    CudaModule.class,
                    RegisteredMemory.class,
                    DeviceMemory.class)) {
                for (int time = 0; time < 2; time++) {
                    try {
                        type.cast(callees.get(type)).close();
                    } catch (Exception e) {
                        throw new AssertionError("close " + (time + 1) + " of " + type, e);
                    }
                }
            }
        }

        void end() {
            closeAll();
            fixture.close();
            page.close();
        }
    }

    private static Signatures.Check noting(
            List<String> wrong, Class<?> type, Class<? extends Exception> expected, World world, String pattern) {
        return (call, parameter, thrown) -> {
            String operation = call.substring(0, call.indexOf('('));
            String message = String.valueOf(thrown == null ? null : thrown.getMessage());
            if (!expected.isInstance(thrown)
                    || !message.contains(operation)
                    || !message.contains("PE " + world.pe())
                    || !message.contains(parameter.isEmpty() || pattern.isEmpty() ? "" : parameter)
                    || !message.matches("(?s).*" + pattern + ".*")) {
                wrong.add(type.getSimpleName() + "." + call + ", " + parameter + ": " + thrown);
            }
        };
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("null is refused by operation, PE and parameter: launches, modules, device teams, collectives")
    void nulls(World world) {
        List<String> wrong = new ArrayList<>();
        Objects objects = new Objects(world);
        objects.callees.forEach((type, object) -> Signatures.of(type, object, objects::argument)
                .nulls(noting(wrong, type, NullPointerException.class, world, " is null")));
        Signatures.ofStatic(DeviceTeam.class, objects::argument).nulls((call, parameter, thrown) -> {
            if (!parameter.equals("cuda")) { // which knows the PE
                noting(wrong, DeviceTeam.class, NullPointerException.class, world, " is null")
                        .check(call, parameter, thrown);
            }
        });
        for (Class<?> type : List.of(Cuda.class, CudaOptions.class, DeviceTeamOptions.class, DeviceTeam.class)) {
            Signatures.ofStatic(type, objects::argument)
                    .nulls((call, parameter, thrown) -> assertThat(thrown)
                            .as("%s, %s", call, parameter)
                            .isInstanceOf(NullPointerException.class)
                            .hasMessageContaining(call.substring(0, call.indexOf('(')))
                            .hasMessageContaining(parameter)
                            .hasMessageContaining(" is null"));
        }
        assertThat(wrong).isEmpty();
        objects.end();
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("every method of a closed object says what is closed, and on which PE; a second close does nothing")
    void closed(World world) {
        List<String> wrong = new ArrayList<>();
        Objects objects = new Objects(world);
        objects.closeAll();
        objects.callees.forEach((type, object) -> {
            if (type != Cuda.class) {
                walk(objects, type).calls(noting(wrong, type, RuntimeException.class, world, "closed"));
            }
        });
        objects.fixture.close();
        walk(objects, Cuda.class).calls(noting(wrong, Cuda.class, RuntimeException.class, world, "closed"));
        objects.page.close();
        assertThat(wrong).isEmpty();
    }

    private static Signatures walk(Objects objects, Class<?> type) {
        Signatures walk = Signatures.of(type, objects.callees.get(type), objects::argument);
        walk.without("toString", "names the object");
        for (String each : PROPERTIES.getOrDefault(type, Set.of())) {
            walk.without(each, "a property");
        }
        return AutoCloseable.class.isAssignableFrom(type) ? walk.without("close", "a second close does nothing") : walk;
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("teams and memory that are over, and objects of another Cuda, are refused by operation and PE")
    void foreign(World world) {
        List<String> wrong = new ArrayList<>();
        Objects others = new Objects(world);
        Objects objects = new Objects(world);
        SymmetricMemory ended = world.allocate(64);
        ended.close();
        Team over = world.team().duplicate();
        over.close();
        Signatures.Arguments foreign = parameter -> parameter.getType() == Team.class
                ? Optional.of(over)
                : parameter.getType() == SymmetricMemory.class ? Optional.of(ended) : others.ownArgument(parameter);
        objects.callees.forEach((type, object) -> Signatures.of(type, object, objects::argument)
                .foreign(foreign, noting(wrong, type, RuntimeException.class, world, "")));
        assertThat(wrong).isEmpty();
        objects.end();
        others.end();
    }
}
