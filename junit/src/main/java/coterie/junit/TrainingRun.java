// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.Comparison;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/// What the PEs of a training job run: the calls of most tests, so that a [StartupCache] has their classes.
final class TrainingRun {
    /// Named by the command to the workers.
    static final TestMethod USUAL_CALLS = new TestMethod(TrainingRun.class.getName(), "usualCalls", true);

    TrainingRun() {}

    /// AssertJ's assertions, which most tests use; empty if the class path has none.
    static Optional<Class<?>> assertJ() {
        try {
            return Optional.of(Class.forName("org.assertj.core.api.Assertions"));
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }

    void usualCalls(World world) throws ReflectiveOperationException {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        SymmetricMemory memory = world.allocate(4 * Long.BYTES);
        memory.longs().put(0, world.pe(), right);
        memory.signal(1).add(1, right);
        memory.signal(1).waitUntil(Comparison.EQ, 1);
        world.team().barrier();
        Assertions.assertEquals(left, memory.longs().get(0));
        if (assertJ().isPresent()) {
            Object four = assertJ().get().getMethod("assertThat", long.class).invoke(null, 4L);
            four.getClass().getMethod("isEqualTo", long.class).invoke(four, 4L);
        }
        Assertions.assertEquals(world.size(), world.team().sum(1L));
        Team half = world.team().splitStrided(0, 1, (world.size() + 1) / 2);
        if (half.isValid()) {
            half.sync();
            half.close();
        }
        memory.close();
    }
}
