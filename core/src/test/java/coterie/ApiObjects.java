// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.spi.CloseListener;
import coterie.spi.CollectiveListener;
import coterie.spi.DescribedWait;
import coterie.spi.FaceSupport;
import coterie.spi.LaneDescription;
import coterie.spi.ProgressHook;
import coterie.spi.WordNames;
import coterie.testing.Signatures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// An object of each public type that a world makes, and arguments in range for all of their methods.
final class ApiObjects {
    /// Arguments that are no index, count 1 elements.
    private static final Set<String> ONES = Set.of(
            "count",
            "length",
            "blockLength",
            "blocks",
            "keys",
            "size",
            "xSize",
            "totalOperations",
            "pes",
            "bytes",
            "byteSize",
            "alignment");

    final World world;
    final Team team;
    final Context context;
    final SymmetricMemory memory;
    final BarrierSet barriers;
    final Request request;
    final TeamRequest<Team> teamRequest;

    /// By the type that programs know.
    final Map<Class<?>, Object> callees = new HashMap<>();

    private final Map<Class<?>, Object> values = new HashMap<>();

    ApiObjects(World world) {
        this.world = world;
        team = world.team().duplicate();
        context = team.createContext();
        memory = team.allocate(64);
        barriers = team.createBarriers(1);
        request = team.prepare(Collective.barrier().persistent());
        teamRequest = team.postDuplicate();
        callees.putAll(Map.of(
                World.class, world,
                Team.class, team,
                Context.class, context,
                SymmetricMemory.class, memory,
                BarrierSet.class, barriers,
                Request.class, request,
                TeamRequest.class, teamRequest,
                FaceSupport.class, FaceSupport.of(world)));
        callees.putAll(Map.of(
                IntegerView.class, memory.longs(),
                LongView.class, memory.longs(),
                IntView.class, memory.ints(),
                ShortView.class, memory.shorts(),
                ByteView.class, memory.bytes(),
                FloatView.class, memory.floats(),
                DoubleView.class, memory.doubles(),
                SignalWord.class, memory.signal(0),
                WaitSet.class, memory.longs().waitSet(0, 1),
                SymmetricLock.class, memory.lock(1)));
        callees.put(NarrowFloatView.class, memory.bfloat16s());
        values.putAll(callees);
        values.putAll(Map.of(
                ElementView.class, memory.longs(),
                SignalUpdate.class, memory.signal(1).setting(0),
                MemorySegment.class, MemorySegment.ofArray(new long[8]),
                Arena.class, Arena.global(),
                Duration.class, Duration.ofSeconds(1),
                BitSet.class, new BitSet(),
                TeamConfig.class, TeamConfig.DEFAULT,
                TeamId.class, new TeamId(1),
                Collective.class, Collective.barrier(),
                String.class, "CONDUIT"));
        values.putAll(Map.of(
                BooleanSupplier.class, (BooleanSupplier) () -> true,
                Consumer.class, (Consumer<Object>) _ -> {},
                LaneDescription.class, LaneDescription.host("sample"),
                ProgressHook.class, (ProgressHook) () -> false,
                DescribedWait.class, new Over(),
                WordNames.class, (WordNames) index -> "word " + index,
                CollectiveListener.class, (CollectiveListener) _ -> {},
                ReductionOperator.class, Reduction.SUM,
                Class.class, ApiObjects.class));
        values.putAll(Map.of(
                RecordLayout.class,
                RecordLayout.of(Step.class),
                Record.class,
                new Step(1),
                BinaryOperator.class,
                (BinaryOperator<Record>) (left, _) -> left));
        values.putAll(Map.of(CloseListener.class, new CloseListener() {}, Runnable.class, (Runnable) () -> {}));
    }

    private record Step(long number) {}

    private static final class Over implements DescribedWait {
        @Override
        public boolean isOver() {
            return true;
        }

        @Override
        public String text() {
            return "sample";
        }

        @Override
        public void addAwaited(BitSet pes) {}
    }

    /// Returns an argument in range.
    Optional<?> argument(Parameter parameter) {
        Class<?> type = parameter.getType();
        String name = parameter.getName();
        boolean isOne = ONES.contains(name) || name.matches(".*[sS]tride");
        if (type == long.class) {
            return Optional.of(isOne ? 1L : 0L);
        }
        if (type == int.class) {
            return Optional.of(isOne ? 1 : 0);
        }
        if (type.isArray() && !parameter.isVarArgs()) {
            return Optional.of(
                    Array.newInstance(type.componentType(), type.componentType().isPrimitive() ? 1 : 0));
        }
        return Optional.ofNullable(values.get(type)).or(() -> constant(type));
    }

    /// Returns the arguments in range for the methods of a type: a view copies to and from views of its own kind.
    Signatures.Arguments argumentsOf(Class<?> type) {
        return parameter -> parameter.getType() == ElementView.class && callees.get(type) instanceof ElementView own
                ? Optional.of(own)
                : argument(parameter);
    }

    private static Optional<Object> constant(Class<?> type) {
        return type.isEnum() ? Optional.of(type.getEnumConstants()[0]) : Optional.empty();
    }

    /// Returns an argument if it belongs to this world: one that another world must refuse.
    Optional<?> ownArgument(Parameter parameter) {
        Class<?> type = parameter.getType();
        boolean isOwn = callees.containsKey(type) || type == ElementView.class || type == SignalUpdate.class;
        if (type == Collective.class) {
            return Optional.of(Collective.allReduce(Reduction.SUM)
                    .source(memory.longs(), 0, 1)
                    .target(memory.longs(), 0, 1));
        }
        return isOwn ? Optional.ofNullable(values.get(type)) : Optional.empty();
    }
}
