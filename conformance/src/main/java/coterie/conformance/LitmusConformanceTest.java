// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.testing.AllCompilers;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;

/// What two PEs that race may see of each other: order and completion, as hardware and compilers put them to the
/// test.
///
/// A test that passes shows only that nothing bad was seen, so the number of rounds counts, and that the rounds
/// can show what they look for: [#raceShowsWhatAReleaseFenceLeavesOut] proves it.
@ExtendWith(AllCompilers.class)
class LitmusConformanceTest {
    private static final boolean SOAK = Boolean.getBoolean("coterie.soak");
    private static final long ROUNDS = Rounds.of(100_000, 10_000_000);

    /// Compiled code needs some hundred rounds to show a store buffer, and interpreted code shows none.
    private static final long MOST_ROUNDS = 10_000_000;

    /// For ten million rounds of each shape of a test, on processors that are shared with others.
    private static final long PATIENCE_SECONDS = 900;

    /// What processors and compilers do to loads and stores shows there only; the orders of a network are explored
    /// by the simulated network's own tests.
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @SpmdTest(
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = PATIENCE_SECONDS)
    private @interface OnTheMachine {}

    @OnTheMachine
    @DisplayName("SH-R9, SH-R10, SH-S1 message passing: a PE that sees a put after a fence sees the puts before it")
    void messagePassing(World world) {
        try (Litmus litmus = new Litmus(world)) {
            check(litmus, new MessagePassing(litmus));
        }
    }

    @OnTheMachine
    @DisplayName("SH-R21 store buffering: of two PEs that put, quiet and look, one sees the other's put")
    void storeBuffering(World world) {
        try (Litmus litmus = new Litmus(world);
                Context lone = lone(world)) {
            check(litmus, new StoreBuffering(litmus, lone));
        }
    }

    @OnTheMachine
    @DisplayName("load buffering: of two PEs that look and then put, not both see the other's put")
    void loadBuffering(World world) {
        try (Litmus litmus = new Litmus(world)) {
            check(litmus, new LoadBuffering(litmus));
        }
    }

    @OnTheMachine
    @DisplayName(
            "SH-A6 coherence: a word never goes back, its last value is the last that was written, and no update is lost")
    void coherence(World world) {
        try (Litmus litmus = new Litmus(world)) {
            check(litmus, new Coherence(litmus));
        }
    }

    @OnTheMachine
    @DisplayName("SH-R21 a quiet that were a release fence would be found out: with one, both PEs miss the other's put")
    void raceShowsWhatAReleaseFenceLeavesOut(World world) {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "two PEs can't race on one processor");
        try (Litmus litmus = new Litmus(world);
                Context lone = lone(world)) {
            StoreBuffering shapes = new StoreBuffering(litmus, lone);
            assumeTrue(shapes.isMapped(), "what goes through a conduit may order more than it must");
            LitmusHistogram histogram =
                    litmus.runUntilForbidden(shapes.withFence(), MOST_ROUNDS, Litmus.Place.OWN_PROCESSOR);
            tell(world, histogram);
            assertThat(histogram.forbidden()).as("%s", histogram).isPositive();
        }
    }

    @OnTheMachine
    @DisplayName("SH-R10 message passing of a put that passes by the caches: its last bytes are there when the flag is")
    void messagePassingPastTheCaches(World world) {
        int count = (17 << 20) / Long.BYTES;
        int rounds = Rounds.of(20, 2_000);
        // From symmetric memory: the JDK's copies out of arrays never pass by the caches.
        try (SymmetricMemory data = world.allocate((long) count * Long.BYTES);
                SymmetricMemory mine = world.allocate((long) count * Long.BYTES);
                SymmetricMemory flag = world.allocate(Long.BYTES)) {
            LongView words = data.longs();
            LongView flags = flag.longs();
            MemorySegment source = mine.segment();
            for (int round = 1; round <= rounds; round++) {
                if (world.pe() == 0) {
                    source.fill((byte) round);
                    words.put(0, source, 0, count, 1);
                    world.context().fence();
                    flags.put(0, round, 1);
                } else {
                    flags.waitUntil(0, Comparison.EQ, round);
                    for (int i = count - 1; i >= count - 1_000; i--) {
                        assertThat((byte) words.get(i))
                                .as("round %d, word %d", round, i)
                                .isEqualTo((byte) round);
                    }
                }
                world.team().barrier();
            }
        }
    }

    private static Context lone(World world) {
        return world.team().createContext(ContextOption.PRIVATE, ContextOption.NOSTORE);
    }

    private static void check(Litmus litmus, LitmusShapes shapes) {
        for (LitmusShape shape : shapes.list()) {
            for (Litmus.Place place : Litmus.Place.all()) {
                LitmusHistogram histogram = litmus.run(shape, ROUNDS, place);
                tell(litmus.world, histogram);
                assertThat(histogram.forbidden()).as("%s", histogram).isZero();
            }
        }
    }

    /// What the page on soak runs keeps.
    private static void tell(World world, LitmusHistogram histogram) {
        if (SOAK && world.pe() == 0) {
            System.out.println(histogram);
        }
    }
}
