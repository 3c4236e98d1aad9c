// SPDX-License-Identifier: Apache-2.0
package coterie;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.internal.world.LocalJob;
import coterie.layer.Attributes;
import coterie.layer.Composition;
import coterie.layer.Composition.BufferSlice;
import coterie.layer.FragmentPipeline;
import coterie.layer.Offer;
import coterie.spi.PeJob;
import coterie.testing.Signatures;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Null for each parameter of what belongs to no PE: static methods, constructors, and values.
class ValueArgumentsTest {
    /// Numbers that are no index.
    private static final Set<String> ONES = Set.of("to", "score", "minMembers", "maxMembers", "fragments", "depth");

    private static final Map<Class<?>, Object> SAMPLES = Map.of(
            List.class,
            List.of(),
            Map.class,
            Map.of(),
            BufferSlice.class,
            BufferSlice.NONE,
            FragmentPipeline.class,
            FragmentPipeline.NONE,
            MethodHandles.Lookup.class,
            MethodHandles.lookup(),
            Object.class,
            "data");

    private final List<String> wrong = new ArrayList<>();
    private int calls;

    /// Returns an argument in range; for an interface an object that does nothing.
    private static Optional<?> sample(ApiObjects objects, Parameter parameter) {
        Class<?> type = parameter.getType();
        String name = parameter.getName();
        if (ONES.contains(name) && type.isPrimitive()) {
            return type == long.class ? Optional.of(1L) : Optional.of(1);
        }
        if (name.equals("algorithms")) {
            return Optional.of(Map.of(CollectiveType.BARRIER, List.of("CONDUIT")));
        }
        if (name.equals("members") && type.isArray()) {
            return Optional.of(new int[] {0});
        }
        Optional<?> known = Optional.ofNullable(SAMPLES.get(type)).or(() -> objects.argument(parameter));
        return known.isEmpty() && type.isInterface() && !type.isSealed()
                ? Optional.of(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null))
                : known;
    }

    private Signatures.Check noting(Class<?> type) {
        return (call, parameter, thrown) -> {
            calls++;
            String operation = call.substring(0, call.indexOf('('));
            String message = String.valueOf(thrown == null ? null : thrown.getMessage());
            if (!(thrown instanceof NullPointerException)
                    || !message.matches("(?s).*\\b" + operation + "\\b.*\\b" + parameter + "\\b.* is null.*")) {
                wrong.add(type.getSimpleName() + "." + call + ", " + parameter + ": " + thrown);
            }
        };
    }

    @Test
    @DisplayName("static methods and constructors name the operation or type, and the parameter that is null")
    void statics() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                ApiObjects objects = new ApiObjects(world);
                for (Class<?> neighbour : List.of(World.class, Collective.class, Offer.class, PeJob.class)) {
                    for (String name : Signatures.publicTypes(neighbour)) {
                        Class<?> type = Class.forName(neighbour.getPackageName() + "." + name);
                        Signatures.ofStatic(type, parameter -> sample(objects, parameter))
                                .nulls(noting(type));
                    }
                }
            });
        }
        assertThat(wrong).isEmpty();
        assertThat(calls).isGreaterThan(60);
    }

    @Test
    @DisplayName("methods of values name the operation and the parameter that is null")
    void values() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                ApiObjects objects = new ApiObjects(world);
                CustomReduction.Fold fold = (_, _, _, _) -> {};
                for (Object value : List.of(
                        Collective.allReduce(Reduction.SUM),
                        Reduction.SUM,
                        IntegerReduction.LOGICAL_OR,
                        ExtendedReduction.AVERAGE,
                        new CustomReduction("mine", 8, fold),
                        new ScaledSum(0.5),
                        TeamConfig.DEFAULT,
                        new Composition()
                                .then(CollectiveType.BARRIER, new int[] {0}, BufferSlice.NONE, BufferSlice.NONE, 0),
                        BufferSlice.NONE,
                        FragmentPipeline.NONE,
                        new Attributes(Map.of(CollectiveType.BARRIER, List.of("CONDUIT")), ThreadLevel.MULTIPLE, 1, 1),
                        world.team().explain(CollectiveType.BARRIER, 0),
                        new Explanation.Candidate("a", "b", 1),
                        CollectiveType.BARRIER)) {
                    Signatures.of(value.getClass(), value, parameter -> sample(objects, parameter))
                            .nulls(noting(value.getClass()));
                }
            });
        }
        assertThat(wrong).isEmpty();
        assertThat(calls).isGreaterThan(25);
    }
}
