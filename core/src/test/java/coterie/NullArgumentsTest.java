// SPDX-License-Identifier: Apache-2.0
package coterie;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import coterie.spi.CloseListener;
import coterie.spi.CollectiveListener;
import coterie.spi.DescribedWait;
import coterie.spi.FaceSupport;
import coterie.spi.LaneDescription;
import coterie.spi.ProgressHook;
import coterie.spi.WordNames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls every public method with null for each of its arguments, one at a time. The other arguments are in range,
/// so that the null alone is wrong.
@DisplayName("null arguments")
class NullArgumentsTest {
    /// Arguments that are no index, count 1 elements.
    private static final List<String> ONES =
            List.of("count", "length", "blocks", "size", "xSize", "totalOperations", "pes", "bytes", "alignment");

    private record Step(long number) {}

    /// An object of the API, by the interface that programs know.
    private record Callee(Class<?> type, Object object) {}

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("every method of a PE's objects refuses a null on entry, by operation, PE and argument")
    void methodsRefuseNulls(boolean loadsAndStores) {
        System.setProperty("coterie.load.store", Boolean.toString(loadsAndStores));
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                List<String> wrong = new ArrayList<>();
                for (Callee callee : callees(world)) {
                    for (Method method : methods(callee.type)) {
                        check(wrong, method, callee.object, world);
                    }
                }
                assertThat(wrong).isEmpty();
                world.team().barrier();
            });
        } finally {
            System.clearProperty("coterie.load.store");
        }
    }

    private static List<Method> methods(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getDeclaringClass() != Object.class
                        && !Modifier.isStatic(method.getModifiers())
                        && !method.isBridge())
                .toList();
    }

    private static List<Callee> callees(World world) {
        SymmetricMemory memory = world.allocate(64);
        Request request = world.team().prepare(Collective.barrier().persistent());
        return List.of(
                new Callee(World.class, world),
                new Callee(FaceSupport.class, FaceSupport.of(world)),
                new Callee(Team.class, world.team()),
                new Callee(Context.class, world.team().createContext()),
                new Callee(SymmetricMemory.class, memory),
                new Callee(LongView.class, memory.longs()),
                new Callee(IntView.class, memory.ints()),
                new Callee(ShortView.class, memory.shorts()),
                new Callee(ByteView.class, memory.bytes()),
                new Callee(FloatView.class, memory.floats()),
                new Callee(DoubleView.class, memory.doubles()),
                new Callee(NarrowFloatView.class, memory.halves()),
                new Callee(SignalWord.class, memory.signal(0)),
                new Callee(WaitSet.class, memory.longs().waitSet(0, 1)),
                new Callee(SymmetricLock.class, memory.lock(1)),
                new Callee(Request.class, request));
    }

    private static void check(List<String> wrong, Method method, Object object, World world) {
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (!method.getParameterTypes()[i].isPrimitive()) {
                String argument = method.getParameters()[i].getName();
                Object[] arguments = arguments(method, world);
                arguments[i] = null;
                String message = outcome(() -> method.invoke(object, arguments));
                // such as "get on PE 0: target is null", "duplicate on team "world", PE 0: a config … is null"
                String form =
                        method.getName() + " on .*PE 0.*: .*" + argument.replaceAll("^[xy]C", "c") + ".* is null.*";
                if (!message.matches(".*Exception: " + form)) {
                    wrong.add(text(method) + ", " + argument + ": " + message);
                }
            }
        }
    }

    private static String text(Executable method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList();
    }

    /// A call by reflection.
    @FunctionalInterface
    private interface Call {
        Object run() throws ReflectiveOperationException;
    }

    /// The exception's class and message, or what shows that there was none.
    private static String outcome(Call call) {
        try {
            return "returned " + call.run();
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a public method", e);
        }
    }

    private static Object[] arguments(Method method, World world) {
        return Arrays.stream(method.getParameters())
                .map(parameter -> argument(parameter, world))
                .toArray();
    }

    private static Object argument(Parameter parameter, World world) {
        Class<?> type = parameter.getType();
        boolean isOne = ONES.contains(parameter.getName())
                || parameter.getName().matches(".*[sS]tride")
                || parameter.getName().equals("blockLength");
        if (type == long.class) {
            return isOne ? 1L : 0L;
        }
        if (type == int.class) {
            return isOne ? 1 : 0;
        }
        if (type == float.class) {
            return 0f;
        }
        if (type == double.class) {
            return 0.0;
        }
        if (type.isArray()) {
            return java.lang.reflect.Array.newInstance(
                    type.componentType(), type.componentType().isPrimitive() ? 1 : 0);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        return reference(type, world);
    }

    private static Object reference(Class<?> type, World world) {
        List<Object> samples = List.of(
                MemorySegment.ofArray(new long[8]),
                Arena.global(),
                Duration.ofNanos(1),
                new BitSet(),
                TeamConfig.DEFAULT,
                world.team(),
                world.context(),
                new TeamId(1),
                Reduction.SUM,
                Collective.barrier());
        if (type == SignalUpdate.class) {
            return memoryOf(world).signal(1).setting(0);
        }
        if (type == ElementView.class) {
            return memoryOf(world).longs();
        }
        if (type == SymmetricMemory.class) {
            return memoryOf(world);
        }
        if (type == BooleanSupplier.class) {
            return (BooleanSupplier) () -> true;
        }
        if (type == LaneDescription.class) {
            return LaneDescription.host("sample");
        }
        if (type == String.class) {
            return "CONDUIT";
        }
        if (type == ProgressHook.class) {
            return (ProgressHook) () -> false;
        }
        if (type == WordNames.class) {
            return (WordNames) index -> "word " + index;
        }
        if (type == DescribedWait.class) {
            return new DescribedWait() {
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
            };
        }
        if (type == CollectiveListener.class) {
            return (CollectiveListener) _ -> {};
        }
        if (type == CloseListener.class) {
            return new CloseListener() {};
        }
        if (type == Runnable.class) {
            return (Runnable) () -> {};
        }
        if (type == RecordLayout.class) {
            return RecordLayout.of(Step.class);
        }
        if (type == Record.class) {
            return new Step(1);
        }
        if (type == BinaryOperator.class) {
            return (BinaryOperator<Record>) (left, _) -> left;
        }
        return samples.stream().filter(type::isInstance).findFirst().orElseThrow(() -> new AssertionError(type));
    }

    private static SymmetricMemory memoryOf(World world) {
        return world.allocate(64);
    }

    @Test
    @DisplayName("every method without a PE refuses a null by class, operation and argument")
    void factoriesRefuseNulls() {
        CustomReduction.Fold fold = (target, left, right, count) -> {};
        Collective sum = Collective.allReduce(Reduction.SUM);
        Consumer<Request> then = request -> {};
        assertThat(List.of(
                        message(() -> World.join(null)),
                        message(() -> new SignalUpdate(null, SignalOperation.SET, 0)),
                        message(() -> new CustomReduction(null, 8, fold)),
                        message(() -> new CustomReduction("mine", 8, null)),
                        message(() -> new CustomReduction("mine", 8, fold).width(null)),
                        message(() -> Coterie.run(1, null)),
                        message(() -> Coterie.run(1, NullArgumentsTest.class, (String[]) null)),
                        message(() -> CollectiveType.named(null)),
                        message(() -> sum.withTimeout(null)),
                        message(() -> sum.onComplete(null)),
                        message(() -> sum.onComplete(then).withAlgorithm(null)),
                        message(() -> sum.withTag(null)),
                        message(() -> new ScaledSum(2).width(null)),
                        message(() -> sum.source(null, 0, 1)),
                        message(() -> sum.target(null, 0, 1)),
                        message(() -> Collective.allReduce(null)),
                        message(() -> Collective.reduce(null, 0)),
                        message(() -> Collective.inclusiveScan(null)),
                        message(() -> Collective.exclusiveScan(null)),
                        message(() -> Collective.reduceScatter(null)),
                        message(() -> Collective.reduceScatterV(null))))
                .containsExactly(
                        "World.join: level is null",
                        "SignalUpdate: signal is null",
                        "CustomReduction: name is null",
                        "CustomReduction: fold is null",
                        "CustomReduction.width: type is null",
                        "Coterie.run: main is null",
                        "Coterie.run: args is null",
                        "CollectiveType.named: label is null",
                        "Collective.withTimeout: timeout is null",
                        "Collective.onComplete: then is null",
                        "Collective.withAlgorithm: name is null",
                        "Collective.withTag: tag is null",
                        "width of SUM × 2.0: type is null",
                        "Collective.source: view is null",
                        "Collective.target: view is null",
                        "Collective.allReduce: operator is null",
                        "Collective.reduce: operator is null",
                        "Collective.inclusiveScan: operator is null",
                        "Collective.exclusiveScan: operator is null",
                        "Collective.reduceScatter: operator is null",
                        "Collective.reduceScatterV: operator is null");
    }

    private static String message(Runnable call) {
        try {
            call.run();
            return "no exception";
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
