// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.IntegerView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.WaitSet;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// Contexts and the threads that may use them, and contexts that outlive the threads that created them.
class ContextThreadsConformanceTest {
    private static final List<ContextOption[]> SERIALIZED = List.of(
            new ContextOption[] {ContextOption.SERIALIZED},
            new ContextOption[] {ContextOption.SERIALIZED, ContextOption.NOSTORE});

    @EverySize
    @DisplayName("SH-X4 a PRIVATE context refuses other threads whatever they do with it, and names both threads")
    void privateContextsRefuseOtherThreads(World world) throws Exception {
        try (SymmetricMemory block = world.allocate(Long.BYTES);
                Context context = world.team().createContext(ContextOption.PRIVATE)) {
            LongView words = block.longs().through(context);
            MemorySegment one = Longs.counting(1, 1);
            WaitSet set = words.waitSet(0, 1);
            Map<String, ThrowingCallable> operations = Map.ofEntries(
                    Map.entry("get", () -> words.get(0, 0)),
                    Map.entry("set", () -> words.set(0, 1)),
                    Map.entry("put", () -> words.put(0, 1, 0)),
                    Map.entry("getNbi", () -> words.getNbi(0, one, 0, 1, 0)),
                    Map.entry("putStrided", () -> words.putStrided(0, 1, one, 0, 1, 1, 1, 0)),
                    Map.entry("compareAndExchange", () -> words.compareAndExchange(0, 0, 1, 0)),
                    Map.entry("setRelease", () -> words.setRelease(0, 1, 0)),
                    Map.entry("add", () -> block.signal(0).through(context).add(1, 0)),
                    Map.entry("waitUntil", () -> words.waitUntil(0, Comparison.EQ, 0)),
                    Map.entry("waitAll", () -> set.waitAll(Comparison.EQ, 0)),
                    Map.entry("fence", context::fence),
                    Map.entry("quiet", () -> context.quiet(0)),
                    Map.entry("startSession", context::startSession),
                    Map.entry("stopSession", context::stopSession),
                    Map.entry("close", context::close));
            String here = Thread.currentThread().getName();
            inThread("stranger", () -> {
                operations.forEach((name, operation) -> assertThatThrownBy(operation)
                        .as(name)
                        .isInstanceOf(WrongThreadException.class)
                        .hasMessage(name + " on PE " + world.pe() + ": the context belongs to thread \"" + here
                                + "\", not to thread \"stranger\""));
                return null;
            });
            words.put(0, 3, world.pe());
            context.quiet();
            assertThat(words.get(0)).isEqualTo(3);
        }
    }

    @EverySize
    @DisplayName("a SERIALIZED context goes from thread to thread, with what is under way on it")
    void serializedContextsAreHandedOver(World world) throws Exception {
        int right = (world.pe() + 1) % world.size();
        int threads = 10;
        try (SymmetricMemory block = world.allocate(threads * (long) Long.BYTES)) {
            for (ContextOption[] options : SERIALIZED) {
                Context context = world.team().createContext(options);
                for (int thread = 0; thread < threads; thread++) {
                    int index = thread;
                    inThread("hand " + thread, () -> {
                        block.longs().through(context).putNbi(index, Longs.counting(index + 1L, 1), 0, 1, right);
                        return null;
                    });
                }
                inThread("last hand", () -> {
                    context.close();
                    return null;
                });
                world.team().barrier();
                assertThat(Longs.of(block)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
                world.team().barrier();
                block.segment().fill((byte) 0);
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("threads make, use and close contexts of their own at once")
    void threadsHaveTheirOwn(World world) throws Exception {
        int rounds = Rounds.of(200);
        try (SymmetricMemory block = world.allocate(Long.BYTES)) {
            List<FutureTask<Void>> threads = new ArrayList<>();
            for (int thread = 0; thread < 6; thread++) {
                FutureTask<Void> task = new FutureTask<>(() -> {
                    for (int round = 0; round < rounds; round++) {
                        try (Context context = world.team().createContext(ContextOption.PRIVATE)) {
                            block.longs().through(context).add(0, 1, round % world.size());
                        }
                    }
                    return null;
                });
                threads.add(task);
                new Thread(task).start();
            }
            for (FutureTask<Void> thread : threads) {
                thread.get();
            }
            assertThat(world.team().sum(sumOnce(world, block))).isEqualTo(6L * rounds * world.size());
        }
    }

    private static long sumOnce(World world, SymmetricMemory block) {
        world.team().barrier();
        return block.longs().get(0);
    }

    @EverySize
    @DisplayName(
            "SH-X4 at FUNNELED the default context is the thread's that joined; contexts of their own serve others")
    void funneledWorldsRefuseOtherThreads() throws Exception {
        try (World world = World.join(ThreadLevel.FUNNELED)) {
            try (SymmetricMemory block = world.allocate(Long.BYTES)) {
                String here = Thread.currentThread().getName();
                inThread("stranger", () -> {
                    for (ThrowingCallable operation : List.<ThrowingCallable>of(
                            () -> block.longs().put(0, 1, 0), world.context()::quiet, world.context()::fence)) {
                        assertThatThrownBy(operation)
                                .isInstanceOf(WrongThreadException.class)
                                .hasMessageContaining("belongs to thread \"" + here + "\", not to thread \"stranger\"");
                    }
                    return null;
                });
                block.longs().put(0, 1, world.pe());
                world.context().quiet();
                assertThat(block.longs().get(0)).isEqualTo(1);
            }
        }
    }

    @EverySize
    @DisplayName("a world that closes completes and closes the contexts that are left")
    void worldsCloseWhatIsLeft() throws Exception {
        Context left;
        IntegerView words;
        try (World world = World.join()) {
            SymmetricMemory block = world.allocate(Long.BYTES);
            left = world.team().createContext(ContextOption.SERIALIZED);
            words = block.longs().through(left);
            words.putNbi(0, Longs.counting(9, 1), 0, 1, (world.pe() + 1) % world.size());
            world.team().createContext(ContextOption.PRIVATE);
            inThread("maker", () -> world.team().createContext(ContextOption.NOSTORE));
        }
        assertThatThrownBy(left::quiet)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> words.put(0, 1, 0)).isInstanceOf(IllegalStateException.class);
        left.close();
        try (World world = World.join();
                SymmetricMemory block = world.allocate(Long.BYTES)) {
            Context ofTheOldWorld = left;
            assertThatThrownBy(() -> block.longs().through(ofTheOldWorld))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a context of this world");
        }
    }

    @EverySize
    @DisplayName(
            "SH-X4 PRIVATE contexts of other threads that are left fail the world's close, which closes all the same")
    void worldsNamePrivateContextsThatAreLeft() throws Exception {
        World world = World.join();
        Context mine = world.team().createContext(ContextOption.PRIVATE);
        Context foreign = inThread("maker", () -> world.team().createContext(ContextOption.PRIVATE));
        int pe = world.pe();
        assertThatThrownBy(world::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("close of the world on PE " + pe)
                .hasMessageContaining("1 private contexts of other threads were still open");
        assertThat(World.isJoined()).isFalse();
        assertThatThrownBy(mine::fence).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(foreign::fence).isInstanceOf(IllegalStateException.class);
        world.close();
        try (World again = World.join()) {
            again.team().barrier();
        }
    }

    private static <T> T inThread(String name, Callable<T> body) throws Exception {
        FutureTask<T> task = new FutureTask<>(body);
        new Thread(task, name).start();
        return task.get();
    }
}
