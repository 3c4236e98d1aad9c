// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.Comparison;
import coterie.SymmetricMemory;
import coterie.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/// Tests whose outcomes other tests assert. They are not run by themselves, and most of them must fail.
final class Samples {
    static final String FOLDER = "coterie.test.folder";
    static final String JUNIT_PID = "coterie.test.junitPid";

    private Samples() {}

    static class Passing {
        @SpmdTest(pes = {1, 3})
        void knowsItsWorld(World world) {
            assertNotEquals(Long.getLong(JUNIT_PID), ProcessHandle.current().pid(), "runs outside of JUnit's JVM");
            world.team().barrier();
            assertEquals(world.size() * (world.size() + 1L) / 2, world.team().sum(world.pe() + 1L));
        }

        @SpmdTest
        void needsNoWorld() {
            try (World world = World.join()) {
                world.team().barrier();
            }
        }
    }

    static class FailingInPe1 {
        @SpmdTest
        void asserts(World world) {
            System.out.println("good day");
            System.err.println("bad day");
            System.out.print("no end of line");
            assertEquals(0, world.pe(), "only PE 0 may pass");
        }

        @SpmdTest
        void throwsWithCause(World world) {
            if (world.pe() == 1) {
                throw new IllegalStateException("outer", new IOException("inner"));
            }
            world.team().barrier();
        }

        @SpmdTest
        void isAborted(World world) {
            assumeTrue(world.pe() == 0, "PE 1 is not in the mood");
        }
    }

    static class FailingEverywhere {
        @SpmdTest
        void each(World world) {
            throw new IllegalArgumentException("this is " + world.pe());
        }
    }

    static class Dying {
        @SpmdTest
        void halts(World world) {
            if (world.pe() == 1) {
                Runtime.getRuntime().halt(9);
            }
            world.team().barrier();
        }

        @SpmdTest(modes = SpmdMode.PROCESSES)
        void isKilled(World world) throws IOException, InterruptedException {
            if (world.pe() == 1) {
                long me = ProcessHandle.current().pid();
                new ProcessBuilder("kill", "-9", Long.toString(me))
                        .inheritIO()
                        .start()
                        .waitFor();
            }
            world.team().barrier();
        }
    }

    static class Hanging {
        @SpmdTest(timeoutSeconds = 2)
        void spinsWithoutTheRuntime(World world) {
            while (world.pe() == 1) {
                Thread.onSpinWait();
            }
        }

        @SpmdTest(timeoutSeconds = 2)
        void waitsForEver(World world) {
            try (SymmetricMemory cell = world.allocate(Long.BYTES)) {
                if (world.pe() == 1) {
                    cell.longs().waitUntil(0, Comparison.EQ, 4711);
                }
            }
        }
    }

    static class Leaking {
        @SpmdTest
        void keepsABlock(World world) {
            world.allocate(1000);
        }

        @SpmdTest
        void keepsItsWorldOpen() {
            World.join();
        }
    }

    /// PE 0 leaves a block behind and is done, and PE 1 waits for it without end.
    static class LeakingBesideAHang {
        @SpmdTest(timeoutSeconds = 2)
        void waitsForPe0(World world) {
            world.allocate(1000);
            if (world.pe() > 0) {
                world.team().barrier();
            }
        }
    }

    /// Its PEs leave a block behind and throw alike, but for one.
    static class FailingAlike {
        @SpmdTest(pes = 4)
        void throwsOnThree(World world) {
            world.team().barrier();
            throw new IllegalStateException(world.pe() == 2 ? "two" : "not two, on PE " + world.pe());
        }
    }

    /// Writes down which process ran what.
    static class Tracing {
        @SpmdTest
        void first(World world) throws IOException {
            note("first", world);
        }

        @SpmdTest
        void second(World world) throws IOException {
            note("second", world);
        }

        @SpmdTest(heapBytes = 1 << 20)
        void withAnotherHeap(World world) throws IOException {
            note("withAnotherHeap", world);
        }

        @SpmdTest(nodes = "a:1,b:1")
        void onNodes(World world) throws IOException {
            note("onNodes", world);
        }

        @SpmdTest(nodes = "a:1,b:1")
        void onTheSameNodes(World world) throws IOException {
            note("onTheSameNodes", world);
        }

        static void note(String method, World world) throws IOException {
            Path folder = Path.of(System.getProperty(FOLDER));
            String who = world.pe() + " in " + ProcessHandle.current().pid();
            Files.createFile(Files.createDirectories(folder.resolve(method)).resolve(who));
        }
    }

    /// Traces like [Tracing], with a failure between the two.
    @TestMethodOrder(MethodOrderer.MethodName.class)
    static class TracingAroundAFailure {
        @SpmdTest
        void a(World world) throws IOException {
            Tracing.note("a", world);
        }

        @SpmdTest
        void b(World world) {
            assertEquals(0, world.pe());
        }

        @SpmdTest
        void c(World world) throws IOException {
            Tracing.note("c", world);
        }
    }

    abstract static class WithSetUp {
        final List<String> calls = new ArrayList<>();

        @Nullable
        World setUpWorld;

        @BeforeEach
        void above() {
            calls.add("above");
        }

        @SpmdTest
        void inherited(World world) {
            assertEquals(List.of("above", "below"), calls);
            assertEquals(world, setUpWorld);
        }
    }

    static class SettingUp extends WithSetUp {
        @BeforeEach
        void below(World world) {
            calls.add("below");
            setUpWorld = world;
        }

        @AfterEach
        void after(World world) {
            if (world.pe() == 1 && calls.contains("spoil")) {
                throw new IllegalStateException("after each");
            }
        }

        @SpmdTest
        void spoiledAfterwards(World world) {
            assertNotNull(world);
            calls.add("spoil");
        }

        @Nested
        class Inner {
            @SpmdTest
            void seesItsEnclosingInstance(World world) {
                assertEquals(List.of("above", "below"), calls);
                assertEquals(world, setUpWorld);
            }
        }
    }

    static class BesideOrdinaryTests {
        private boolean setUp;

        @BeforeEach
        void setUp() {
            setUp = true;
        }

        @Test
        void ordinary() {
            assertTrue(setUp);
            assertEquals(Long.getLong(JUNIT_PID), ProcessHandle.current().pid(), "runs in JUnit's JVM");
        }

        @SpmdTest(pes = 1)
        void spmd() {
            assertTrue(setUp);
        }
    }

    static class Misdeclared {
        @SpmdTest
        void takesTooMuch(World world, int number) {}
    }

    static class OnUnreadableNodes {
        @SpmdTest(nodes = "a:1,b")
        void runs(World world) {}
    }

    static class OnNodesOfOthers {
        @SpmdTest(
                pes = {5, 4},
                nodes = "a:3,b:2")
        void runs(World world) {}
    }

    static class WithoutPes {
        @SpmdTest(pes = 0)
        void runs(World world) {}
    }
}
