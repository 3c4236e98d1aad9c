// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/// Calls all public methods with arguments that are not allowed, on objects that are over, and on wrong threads.
class CoarrayArgumentsTest {
    /// Methods that say what an object is, also when it is over.
    private static final Set<String> QUERIES = Set.of(
            "length",
            "cobounds",
            "at",
            "image",
            "section",
            "shape",
            "close",
            "upperCobound",
            "imageIndex",
            "thisImage",
            "view",
            "layout",
            "toString",
            "equals",
            "hashCode");

    /// Arguments for parameters of each type.
    private static Map<Class<?>, Object> arguments(TeamScope scope) {
        TeamBody<RuntimeException> body = _ -> {};
        TeamFunction<Integer, RuntimeException> function = _ -> 1;
        ImageTeam team = scope.team();
        return Map.ofEntries(
                Map.entry(long.class, 1L),
                Map.entry(int.class, 1),
                Map.entry(double.class, 1.0),
                Map.entry(float.class, 1f),
                Map.entry(int[].class, new int[] {1}),
                Map.entry(byte[].class, new byte[] {1}),
                Map.entry(short[].class, new short[] {1}),
                Map.entry(long[].class, new long[] {1}),
                Map.entry(float[].class, new float[] {1}),
                Map.entry(double[].class, new double[] {1}),
                Map.entry(ElementType.class, ElementType.LONG),
                Map.entry(Shape.class, Shape.of(2)),
                Map.entry(Section.Subscript[].class, new Section.Subscript[] {Section.all()}),
                Map.entry(String.class, "text"),
                Map.entry(MemorySegment.class, MemorySegment.ofArray(new long[8])),
                Map.entry(MemoryLayout.class, ValueLayout.JAVA_LONG),
                Map.entry(Duration.class, Duration.ofMillis(1)),
                Map.entry(ImageSet.class, ImageSet.of(1)),
                Map.entry(Section.class, Section.of(0, 1, 1)),
                Map.entry(Cobounds.class, Cobounds.DEFAULT),
                Map.entry(ReductionOperator.class, Reduction.SUM),
                Map.entry(Runnable.class, (Runnable) () -> {}),
                Map.entry(TeamBody.class, body),
                Map.entry(TeamFunction.class, function),
                Map.entry(World.class, scope.runtime().world()),
                Map.entry(ImageTeam.class, team),
                Map.entry(Sibling.class, team.form(1).sibling(1)),
                Map.entry(Coarray.class, scope.allocateLongs(4)),
                Map.entry(Coarray[].class, new Coarray[] {scope.allocateLongs(1)}),
                Map.entry(NotifyCoarray.class, scope.allocateNotifications(2)));
    }

    private static List<Method> methods(Class<?> type) {
        return Stream.<Class<?>>iterate(
                        type, each -> each.getPackage().equals(Images.class.getPackage()), Class::getSuperclass)
                .flatMap(each -> Arrays.stream(each.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .filter(method -> !method.isBridge()
                        && !method.isSynthetic()
                        && !method.getName().equals("equals"))
                .toList();
    }

    private static Object[] arguments(Method method, Map<Class<?>, Object> values, int without) {
        Parameter[] parameters = method.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            Object value = values.get(parameters[i].getType());
            assertThat(value).as("a value for %s of %s", parameters[i], method).isNotNull();
            arguments[i] = i == without ? null : value;
        }
        return arguments;
    }

    private static @Nullable Throwable thrown(Method method, @Nullable Object receiver, Object... arguments) {
        try {
            method.invoke(receiver, arguments);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<Class<?>, Object> receivers(TeamScope scope, Coarray... more) {
        List<Object> objects = new ArrayList<>(List.of(
                scope,
                scope.team(),
                ImageSet.of(1),
                Cobounds.DEFAULT,
                Cobounds.range(1, 2),
                Section.of(0, 1, 1),
                Section.all(),
                Shape.of(2),
                scope.allocateCritical()));
        objects.addAll(List.of(more));
        Map<Class<?>, Object> receivers = new HashMap<>();
        objects.forEach(each -> receivers.put(each.getClass(), each));
        receivers.put(Images.class, scope);
        return receivers;
    }

    private static Coarray[] coarrays(TeamScope scope) {
        return new Coarray[] {
            scope.allocateLongs(4),
            scope.allocateFloats(4),
            scope.allocateDoubles(4),
            scope.allocateRecords(ValueLayout.JAVA_LONG, 4),
            scope.allocateEvents(2),
            scope.allocateNotifications(2),
            scope.allocateLocks(2)
        };
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("null for any parameter of any method is refused with the statement, the image and the parameter")
    void nulls(World world) {
        Images.run(world, scope -> {
            Map<Class<?>, Object> values = arguments(scope);
            List<String> wrong = new ArrayList<>();
            int[] calls = new int[1];
            receivers(scope, coarrays(scope)).forEach((type, receiver) -> {
                for (Method method : methods(type)) {
                    Parameter[] parameters = method.getParameters();
                    for (int i = 0; i < parameters.length; i++) {
                        if (parameters[i].getType().isPrimitive()) {
                            continue;
                        }
                        calls[0]++;
                        Object target = Modifier.isStatic(method.getModifiers()) ? null : receiver;
                        Throwable thrown = thrown(method, target, arguments(method, values, i));
                        String expected = parameters[i].getName() + " is null";
                        if (!(thrown instanceof NullPointerException)
                                || !String.valueOf(thrown.getMessage()).contains(expected)
                                || !thrown.getMessage().contains(" on image 1: ")) {
                            wrong.add(method + ", " + parameters[i].getName() + ": " + thrown);
                        }
                    }
                }
            });
            assertThat(wrong).isEmpty();
            assertThat(calls[0]).isGreaterThan(60);
        });
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("all methods of a coarray that is freed throw, and name the statement, the image and the coarray")
    void freed(World world) {
        Images.run(world, scope -> {
            Map<Class<?>, Object> values = arguments(scope);
            Coarray[] coarrays = coarrays(scope);
            List<Coarray> both = new ArrayList<>();
            for (Coarray each : coarrays) {
                both.add(each);
                both.add(each.in(scope.team()));
            }
            scope.deallocate(coarrays);
            List<String> wrong = new ArrayList<>();
            for (Coarray receiver : both) {
                for (Method method : methods(receiver.getClass())) {
                    boolean isQuery = QUERIES.contains(method.getName())
                            || method.getName().equals("in");
                    if (isQuery) {
                        continue;
                    }
                    Throwable thrown = thrown(method, receiver, arguments(method, values, -1));
                    boolean isRight = thrown instanceof IllegalStateException
                            || (thrown instanceof UnsupportedOperationException && !receiver.isData());
                    if (!isRight || !thrown.getMessage().matches("(?s).* on (image 1|PE 0)\\b.*")) {
                        wrong.add(receiver.getClass().getSimpleName() + " " + method + ": " + thrown);
                    }
                }
            }
            assertThat(wrong).isEmpty();
        });
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("objects of images that have stopped, and scopes that have ended, are refused by name")
    void stale(World world) {
        List<TeamScope> scopes = new ArrayList<>();
        List<Coarray> old = new ArrayList<>();
        Images.run(world, scope -> {
            scopes.add(scope);
            old.addAll(List.of(coarrays(scope)));
        });
        Images.run(world, scope -> {
            Map<Class<?>, Object> values = arguments(scope);
            scope.team().form(1).run(scopes::add);
            List<String> wrong = new ArrayList<>();
            for (TeamScope ended : scopes) {
                for (Object receiver : List.of(ended, ended.team())) {
                    for (Method method : methods(receiver.getClass())) {
                        String name = method.getName();
                        boolean isStatement = name.matches("(try)?([dD]eallocate|[sS]ync.*|[fF]orm)|allocate.*|sum")
                                && (receiver == ended || ended != scopes.getLast());
                        if (!isStatement || Modifier.isStatic(method.getModifiers())) {
                            continue;
                        }
                        Throwable thrown = thrown(method, receiver, arguments(method, values, -1));
                        if (!(thrown instanceof IllegalStateException)
                                || !thrown.getMessage().contains(" on image 1: ")) {
                            wrong.add(ended.team() + " " + method + ": " + thrown);
                        }
                    }
                }
            }
            for (Coarray each : old) {
                for (Runnable use : List.<Runnable>of(
                        () -> scope.deallocate(each),
                        () -> scope.team().sum(each, 0, 1),
                        () -> scope.team().sumAsync(each, 0, 1),
                        () -> scope.associate(each, Cobounds.DEFAULT))) {
                    try {
                        use.run();
                        wrong.add("accepted " + each);
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessageContaining(" on image 1: " + each.block);
                    }
                }
            }
            assertThat(wrong).isEmpty();
        });
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("statements on a thread that the program has started are refused with the image")
    void wrongThread(World world) {
        Images.run(world, scope -> {
            Map<Class<?>, Object> values = arguments(scope);
            Map<Class<?>, Object> receivers = receivers(scope, coarrays(scope));
            List<String> wrong = new ArrayList<>();
            Thread thread = new Thread(() -> {
                for (Class<?> type : List.of(ImageTeam.class, TeamScope.class, Critical.class)) {
                    Object receiver = receivers.get(type);
                    for (Method method : methods(type)) {
                        boolean isQuery = method.getName()
                                .matches("number|numImages|thisImage|parent|initial|depth|sibling|team|status|outcome"
                                        + "|failedImages|stoppedImages|toString|associate|current");
                        if (isQuery) {
                            continue;
                        }
                        Throwable thrown = thrown(method, receiver, arguments(method, values, -1));
                        if (!(thrown instanceof WrongThreadException)
                                || !thrown.getMessage().contains(" on image 1: ")) {
                            wrong.add(method + ": " + thrown);
                        }
                    }
                }
            });
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertThat(wrong).isEmpty();
            scope.team().sync();
        });
    }
}
