// SPDX-License-Identifier: Apache-2.0
package coterie;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.world.LocalJob;
import coterie.spi.FaceSupport;
import coterie.testing.Signatures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Calls every public method of a PE's objects after their end, with objects of another world, and on a thread that
/// may not use the world.
@DisplayName("misuse of the API")
class ApiMisuseTest {
    private static final Set<String> OF_INTEGERS =
            Set.of("context", "length", "memory", "named", "through", "type", "unsigned", "writtenBy");

    /// Methods that say what an object is, and make values whose operations check. They stay after a close, and are
    /// for every thread.
    private static final Map<Class<?>, Set<String>> VALUES = Map.ofEntries(
            Map.entry(BarrierSet.class, Set.of("keys", "team")),
            Map.entry(Context.class, Set.of("team")),
            Map.entry(DoubleView.class, Set.of("context", "length", "memory", "through", "type")),
            Map.entry(NarrowFloatView.class, Set.of("context", "length", "memory", "through", "type")),
            Map.entry(FloatView.class, Set.of("context", "length", "memory", "through", "type")),
            Map.entry(IntegerView.class, OF_INTEGERS),
            Map.entry(LongView.class, OF_INTEGERS),
            Map.entry(IntView.class, OF_INTEGERS),
            Map.entry(ShortView.class, OF_INTEGERS),
            Map.entry(ByteView.class, OF_INTEGERS),
            Map.entry(FaceSupport.class, Set.of("faultSteps", "kernels", "nanoTime", "setting")),
            Map.entry(coterie.collective.Request.class, Set.of("algorithm", "collective", "isComplete")),
            Map.entry(
                    SignalWord.class,
                    Set.of("adding", "context", "index", "memory", "setting", "through", "writtenBy")),
            Map.entry(
                    SymmetricMemory.class,
                    Set.of(
                            "bfloat16s",
                            "byteSize",
                            "bytes",
                            "doubles",
                            "e4m3s",
                            "e5m2s",
                            "elements",
                            "floats",
                            "halves",
                            "ints",
                            "isAccessible",
                            "longs",
                            "shorts")),
            Map.entry(Team.class, Set.of("isValid", "name")),
            Map.entry(WaitSet.class, Set.of("size", "withSkipped", "withTimeout")),
            Map.entry(
                    World.class,
                    Set.of(
                            "context",
                            "isAccessible",
                            "nodeTeam",
                            "pe",
                            "sameIndexTeam",
                            "sharedTeam",
                            "size",
                            "team",
                            "threadLevel")));

    /// Methods that a message calls by what they stand for.
    private static final Map<String, String> OTHER_NAMES =
            Map.of("sum", "allReduce", "free", "close", "freeLiving", "close", "destroy", "close");

    /// Notes the calls that do not end with an exception of the operation and the PE.
    private static Signatures.Check noting(
            List<String> wrong, Class<?> type, Class<? extends Exception> expected, String pattern) {
        return (call, parameter, thrown) -> {
            String name = call.substring(0, call.indexOf('('));
            String operation = OTHER_NAMES.getOrDefault(name, name);
            boolean isRight = expected.isInstance(thrown)
                    && thrown.getMessage()
                            .matches("(barriers: )?" + operation + "( of [\\w ]+| \\(.*\\))? on .*PE 0\\b.*" + pattern
                                    + ".*");
            if (!isRight) {
                wrong.add(type.getSimpleName() + "." + call + ", " + parameter + ": " + thrown);
            }
        };
    }

    private static Signatures walk(ApiObjects objects, Class<?> type, String... more) {
        Signatures walk = Signatures.of(type, objects.callees.get(type), objects.argumentsOf(type));
        for (String each : VALUES.getOrDefault(type, Set.of())) {
            walk.without(each, "a value");
        }
        for (String each : more) {
            walk.without(each, "see the caller");
        }
        return walk;
    }

    @Test
    @DisplayName("every method of a closed object says what was closed, or a second close does nothing")
    void closed() {
        List<String> wrong = new ArrayList<>();
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                ApiObjects objects = new ApiObjects(world);
                objects.barriers.close();
                objects.request.close();
                objects.memory.close();
                objects.context.close();
                Team made = objects.teamRequest.await();
                objects.team.close();
                objects.context.close();
                objects.memory.close();
                objects.memory.freeLiving();
                objects.barriers.close();
                objects.request.close();
                String why = "(was freed|was closed|were closed|was destroyed|been finalised|can't be used any more)";
                for (Class<?> type : objects.callees.keySet()) {
                    if (type != World.class && type != FaceSupport.class && type != TeamRequest.class) {
                        boolean isClosed = AutoCloseable.class.isAssignableFrom(type);
                        walk(objects, type, isClosed ? closes(type) : new String[0])
                                .calls(noting(wrong, type, IllegalStateException.class, why));
                    }
                }
                assertThat(objects.teamRequest.await()).as("what it made stays").isSameAs(made);
            });
        }
        assertThat(wrong).isEmpty();
    }

    private static String[] closes(Class<?> type) {
        if (type == SymmetricMemory.class) {
            return new String[] {"close", "free", "freeLiving"};
        }
        if (type == FaceSupport.class) {
            return new String[] {"giveHeap", "heapPart"}; // nothing is there to give, or to see
        }
        return type == Team.class ? new String[] {"close", "destroy"} : new String[] {"close"};
    }

    @Test
    @DisplayName("every method of an object of a world that has ended says so, and closes do nothing")
    void ended() {
        List<String> wrong = new ArrayList<>();
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                ApiObjects objects = new ApiObjects(world);
                world.close();
                objects.barriers.close();
                objects.request.close();
                objects.memory.close();
                objects.memory.freeLiving();
                objects.context.close();
                objects.team.close();
                world.close();
                String why = "(was freed|was closed|were closed|been finalised|not been posted|can't be used any more)";
                for (Class<?> type : objects.callees.keySet()) {
                    if (type == World.class) {
                        walk(objects, type, "close", "abort", "fail") // these end a process in any state
                                .calls(noting(wrong, type, IllegalStateException.class, why));
                    } else if (type != TeamRequest.class) {
                        boolean isClosed = AutoCloseable.class.isAssignableFrom(type) || type == FaceSupport.class;
                        walk(objects, type, isClosed ? closes(type) : new String[0])
                                .calls(noting(wrong, type, IllegalStateException.class, why));
                    }
                }
            });
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    @DisplayName("every parameter refuses an object of another world: of another job, another PE, or an ended one")
    void foreign() {
        List<String> wrong = new ArrayList<>();
        int[] calls = new int[1];
        try (LocalJob one = new LocalJob(1);
                LocalJob two = new LocalJob(1)) {
            one.run(other -> {
                ApiObjects others = new ApiObjects(other);
                two.run(first -> {
                    ApiObjects ended = new ApiObjects(first);
                    first.close();
                    World world = World.join();
                    ApiObjects objects = new ApiObjects(world);
                    for (ApiObjects foreign : List.of(others, ended)) {
                        objects.callees.forEach((type, object) -> {
                            Signatures.Check check = noting(wrong, type, RuntimeException.class, "");
                            Signatures.of(type, object, objects.argumentsOf(type))
                                    .foreign(foreign::ownArgument, (call, name, thrown) -> {
                                        calls[0]++;
                                        // a collective is refused by its own name
                                        check.check(
                                                call.replaceFirst("^(prepare|tryPrepare|run)\\(", "allReduce("),
                                                name,
                                                thrown);
                                    });
                        });
                    }
                    world.close();
                });
            });
        }
        assertThat(wrong).isEmpty();
        assertThat(calls[0]).isGreaterThan(80);
    }

    @Test
    @DisplayName("at SINGLE and FUNNELED another thread is refused by every call that moves or waits")
    void threads() {
        // what any thread may do: look at numbers and its own memory, end a team, make a context of its own
        Map<Class<?>, String[]> free = Map.of(
                SymmetricMemory.class,
                new String[] {"segment", "signal", "lock", "slice"},
                Team.class,
                new String[] {
                    "config",
                    "context",
                    "createContext",
                    "explain",
                    "failedPes",
                    "hasFailed",
                    "hasStopped",
                    "member",
                    "pe",
                    "pes",
                    "revoke",
                    "size",
                    "stoppedPes",
                    "translate"
                },
                World.class,
                new String[] {"failedPes", "heapStatistics", "stoppedPes", "abort", "fail"},
                FaceSupport.class,
                new String[] {"openLog", "takeHeap", "giveHeap", "heapPart"},
                coterie.collective.Request.class,
                new String[] {"close"},
                Context.class,
                new String[] {"close"});
        for (ThreadLevel level : List.of(ThreadLevel.SINGLE, ThreadLevel.FUNNELED)) {
            List<String> wrong = new ArrayList<>();
            try (LocalJob job = new LocalJob(1)) {
                job.run(first -> {
                    first.close();
                    World world = World.join(level);
                    ApiObjects objects = new ApiObjects(world);
                    objects.callees.put(Context.class, objects.team.context());
                    FutureTask<Boolean> stranger = new FutureTask<>(() -> {
                        objects.callees.forEach((type, object) -> {
                            Signatures.Check check = noting(wrong, type, WrongThreadException.class, "hread");
                            String[] ofViews = {"segment"};
                            String[] none = {};
                            String[] its = object instanceof ElementView ? ofViews : free.getOrDefault(type, none);
                            walk(objects, type, its).calls(check);
                        });
                        return true;
                    });
                    new Thread(stranger, "stranger").start();
                    assertThat(stranger.get()).isTrue();
                    objects.teamRequest.await();
                    world.close();
                });
            }
            assertThat(wrong).as("%s", level).isEmpty();
        }
    }

    @Test
    @DisplayName("each public type of what users import is walked, or has a reason")
    void types() {
        Set<String> walked = new TreeSet<>();
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> new ApiObjects(world).callees.keySet().forEach(type -> walked.add(type.getSimpleName())));
        }
        Map<String, String> without = Map.ofEntries(
                Map.entry("AllocationHint", "an enum"),
                Map.entry("ArrayCollectives", "a part of Team, which is walked"),
                Map.entry("AtomicOperation", "an enum"),
                Map.entry("Comparison", "an enum"),
                Map.entry("ContextOption", "an enum"),
                Map.entry("Coterie", "has static methods alone"),
                Map.entry("CustomReduction", "a value"),
                Map.entry("ScaledSum", "a value"),
                Map.entry("CustomReduction$Fold", "a function of programs"),
                Map.entry("ElementType", "an enum"),
                Map.entry("ElementView", "its three kinds are walked"),
                Map.entry("ExtendedReduction", "an enum"),
                Map.entry("Bfloat16", "conversions of values"),
                Map.entry("Float8", "conversions of values"),
                Map.entry("HeapStatistics", "a value"),
                Map.entry("IntegerReduction", "an enum"),
                Map.entry("RecordLayout", "a value"),
                Map.entry("Reduction", "an enum"),
                Map.entry("ReductionOperator", "its kinds are enums and a value"),
                Map.entry("SessionOption", "an enum"),
                Map.entry("SignalOperation", "an enum"),
                Map.entry("SignalUpdate", "a value"),
                Map.entry("Team$Axes", "a value"),
                Map.entry("ViewCollectives", "a part of Team, which is walked"),
                Map.entry("TeamConfig", "a value"),
                Map.entry("TeamId", "a value"),
                Map.entry("ThreadLevel", "an enum"));
        Set<String> all = new TreeSet<>(Signatures.publicTypes(World.class));
        walked.removeAll(Set.of("Request", "FaceSupport")); // of other packages
        assertThat(without.keySet()).doesNotContainAnyElementsOf(walked);
        walked.addAll(without.keySet());
        assertThat(walked).isEqualTo(all);
    }
}
