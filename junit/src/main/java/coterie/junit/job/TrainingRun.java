// SPDX-License-Identifier: Apache-2.0
package coterie.junit.job;

import coterie.Comparison;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.Worker;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/// The program of a training job: the calls of most tests, so that a [StartupCache] has their classes.
final class TrainingRun {
    private TrainingRun() {}

    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        assertAsTestsDo();
        World world = World.join();
        communicate(world);
        world.close();
        Worker.main(args); // which has no commands to read
    }

    private static void communicate(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        SymmetricMemory memory = world.allocate(4 * Long.BYTES);
        memory.longs().put(0, world.pe(), right);
        memory.signal(1).add(1, right);
        memory.signal(1).waitUntil(Comparison.EQ, 1);
        world.team().barrier();
        Assertions.assertEquals(left, memory.longs().get(0));
        Assertions.assertEquals(world.size(), world.team().sum(1L));
        Team half = world.team().splitStrided(0, 1, (world.size() + 1) / 2);
        if (half.isValid()) {
            half.sync();
            half.close();
        }
        memory.close();
    }

    private static void assertAsTestsDo() throws ReflectiveOperationException {
        Assertions.assertEquals(
                List.of(),
                AnnotationSupport.findAnnotatedMethods(
                        TrainingRun.class, BeforeEach.class, HierarchyTraversalMode.TOP_DOWN));
        Optional<Class<?>> assertJ = assertJ();
        if (assertJ.isPresent()) {
            Object four = assertJ.get().getMethod("assertThat", long.class).invoke(null, 4L);
            four.getClass().getMethod("isEqualTo", long.class).invoke(four, 4L);
        }
    }

    /// AssertJ's assertions, which most tests use; empty if the class path has none.
    static Optional<Class<?>> assertJ() {
        try {
            return Optional.of(Class.forName("org.assertj.core.api.Assertions"));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }
}
