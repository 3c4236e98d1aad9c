// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RefusalConformanceTest.assertUntouched;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.ElementView;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.WaitSet;
import coterie.World;
import coterie.conformance.Operations.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;

/// Blocks, contexts and worlds that have ended, threads and memory that an operation may not use: each operation
/// says so, and has changed nothing.
class DeadHandleConformanceTest {
    private static final long BYTES = 64;

    @EverySize
    @DisplayName("a freed block: every operation throws with its name and the block, through every context")
    void deadBlocksThrow(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory alive = world.allocate(BYTES);
                Context own = world.team().createContext()) {
            SymmetricMemory memory = world.allocate(BYTES);
            List<Operation> throughDefault = Operations.on(memory, world.context());
            List<Operation> throughOwn = Operations.on(memory, own);
            WaitSet set = memory.longs().waitSet(0, 2);
            SignalWord dead = memory.signal(0);
            memory.close();
            for (List<Operation> operations : List.of(throughDefault, throughOwn)) {
                for (Operation operation : operations) {
                    assertThatThrownBy(() -> operation.runAt(right))
                            .as("%s", operation)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(operation.name() + " on PE " + world.pe())
                            .hasMessageContaining(memory + " was freed");
                }
            }
            for (Runnable use : List.<Runnable>of(
                    memory::segment,
                    () -> memory.segment(right),
                    () -> memory.signal(0),
                    () -> memory.lock(0),
                    () -> memory.longs().segment(),
                    () -> memory.reallocate(8),
                    () -> set.waitAll(Comparison.EQ, 0),
                    () -> set.testAny(Comparison.EQ, new long[2]),
                    () -> set.testSome(Comparison.EQ, 0, new int[2]),
                    () -> alive.longs().putSignal(0, MemorySegment.NULL, 0, 0, dead.setting(1), right))) {
                assertThatThrownBy(use::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("on PE " + world.pe())
                        .hasMessageContaining("was freed");
            }
            assertUntouched(world, alive);
        }
    }

    @EverySize
    @DisplayName(
            "a closed context: every operation through it throws with its name, and the default context still works")
    void closedContextsThrow(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            for (ContextOption option : ContextOption.values()) {
                Context context = world.team().createContext(option);
                List<Operation> operations = Operations.on(memory, context);
                context.close();
                for (Operation operation : operations) {
                    assertThatThrownBy(() -> operation.runAt(right))
                            .as("%s", operation)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(operation.name() + " on PE " + world.pe())
                            .hasMessageContaining("its context was closed");
                }
            }
            assertUntouched(world, memory);
            memory.longs().put(0, 1, right);
            world.team().barrier();
            assertThat(Longs.get(memory, 0)).isEqualTo(1);
        }
    }

    @EverySize
    @DisplayName("SH-X4 a private context: every operation of another thread throws with its name and both threads")
    void privateContextsRefuseOtherThreads(World world) throws Exception {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(BYTES);
                Context mine = world.team().createContext(ContextOption.PRIVATE)) {
            List<Operation> operations = Operations.on(memory, mine);
            FutureTask<Boolean> task = new FutureTask<>(() -> {
                for (Operation operation : operations) {
                    assertThatThrownBy(() -> operation.runAt(right))
                            .as("%s", operation)
                            .isInstanceOf(WrongThreadException.class)
                            .hasMessageContaining(operation.name() + " on PE " + world.pe())
                            .hasMessageContaining("not to thread \"other\"");
                }
                return true;
            });
            new Thread(task, "other").start();
            assertThat(task.get()).isTrue();
            assertUntouched(world, memory);
        }
    }

    @EverySize
    @DisplayName("a world that has ended: its views throw, and neither contexts nor signals cross to the next world")
    void worldsDoNotMix() {
        World first = World.join();
        SymmetricMemory old = first.allocate(BYTES);
        SignalWord oldSignal = old.signal(0);
        Context oldContext = first.context();
        List<Operation> operations = Operations.on(old, oldContext);
        first.close();
        try (World world = World.join();
                SymmetricMemory memory = world.allocate(BYTES)) {
            int right = (world.pe() + 1) % world.size();
            for (Operation operation : operations) {
                assertThatThrownBy(() -> operation.runAt(right))
                        .as("%s", operation)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(operation.name() + " on PE " + world.pe());
            }
            for (Runnable through : List.<Runnable>of(
                    () -> memory.longs().through(oldContext),
                    () -> memory.floats().through(oldContext),
                    () -> memory.doubles().through(oldContext),
                    () -> memory.signal(0).through(oldContext))) {
                assertThatThrownBy(through::run)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("through on PE " + world.pe())
                        .hasMessageContaining("not a context of this world");
            }
            assertThatThrownBy(
                            () -> memory.longs().putSignal(0, Longs.counting(1, 1), 0, 1, oldSignal.adding(1), right))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("putSignal on PE " + world.pe());
            assertUntouched(world, memory);
        }
    }

    @EverySize
    @DisplayName("a target that can't be written is refused by name before anything has happened at the other PE")
    void refusesTargetsThatCannotBeWritten(World world) {
        int right = (world.pe() + 1) % world.size();
        MemorySegment readOnly = MemorySegment.ofArray(new long[8]).asReadOnly();
        Arena arena = Arena.ofConfined();
        MemorySegment gone = arena.allocate(64);
        arena.close();
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            for (ElementView view : List.of(memory.longs(), memory.bytes(), memory.floats(), memory.doubles())) {
                for (Runnable get : List.<Runnable>of(
                        () -> view.get(0, readOnly, 0, 1, right),
                        () -> view.getNbi(0, readOnly, 0, 1, right),
                        () -> view.getStrided(0, 2, readOnly, 0, 2, 1, 2, right))) {
                    assertThatThrownBy(get::run)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("on PE " + world.pe())
                            .hasMessageContaining("target segment is read-only");
                }
            }
            LongView longs = memory.longs();
            for (AtomicOperation operation : AtomicOperation.values()) {
                assertThatThrownBy(() -> longs.fetchNbi(operation, 0, 1, readOnly, 0, right))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("fetchNbi on PE " + world.pe())
                        .hasMessageContaining("result segment is read-only");
                assertThatThrownBy(() -> longs.fetchNbi(operation, 0, 1, gone, 0, right))
                        .isInstanceOf(IllegalStateException.class);
            }
            for (AtomicOperation operation : Operations.floating()) {
                assertThatThrownBy(() -> memory.floats().fetchNbi(operation, 0, 1, readOnly, 0, right))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> memory.doubles().fetchNbi(operation, 0, 1, gone, 0, right))
                        .isInstanceOf(IllegalStateException.class);
            }
            assertThatThrownBy(() -> longs.compareAndExchangeNbi(0, 0, 1, readOnly, 0, right))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("compareAndExchangeNbi on PE " + world.pe());
            assertThatThrownBy(() -> longs.compareAndExchangeNbi(0, 0, 1, gone, 0, right))
                    .isInstanceOf(IllegalStateException.class);
            assertThatCode(() -> longs.put(0, readOnly, 0, 8, right)).doesNotThrowAnyException();
            assertUntouched(world, memory);
        }
    }

    @EverySize
    @DisplayName("a segment of another thread, or of a closed arena, is refused on entry by every operation, by name")
    void refusesSegmentsOutOfReach(World world) throws Exception {
        int right = (world.pe() + 1) % world.size();
        String me = " on PE " + world.pe() + ": the arena of the ";
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            SignalWord signal = memory.signal(1);
            Arena closed = Arena.ofConfined();
            MemorySegment gone = closed.allocate(64, 8);
            closed.close();
            for (ElementView view : List.of(memory.longs(), memory.bytes(), memory.floats(), memory.doubles())) {
                for (long count : new long[] {0, 1, 8}) {
                    refuses(IllegalStateException.class, me, " was closed", view, gone, count, right, signal);
                }
            }
            try (Arena confined = Arena.ofConfined()) {
                MemorySegment others = confined.allocate(64, 8);
                FutureTask<Boolean> task = new FutureTask<>(() -> {
                    String thread = " is confined to another thread than the caller, \"other\"";
                    refuses(WrongThreadException.class, me, thread, memory.longs(), others, 1, right, signal);
                    refuses(WrongThreadException.class, me, thread, memory.bytes(), others, 0, right, signal);
                    return true;
                });
                new Thread(task, "other").start();
                assertThat(task.get()).isTrue();
            }
            assertUntouched(world, memory);
        }
    }

    private static void refuses(
            Class<? extends Exception> type,
            String me,
            String reason,
            ElementView view,
            MemorySegment segment,
            long count,
            int pe,
            SignalWord signal) {
        Map<String, Runnable> calls = Map.of(
                "put", () -> view.put(0, segment, 0, count, pe),
                "putNbi", () -> view.putNbi(0, segment, 0, count, pe),
                "get", () -> view.get(0, segment, 0, count, pe),
                "getNbi", () -> view.getNbi(0, segment, 0, count, pe),
                "putStrided", () -> view.putStrided(0, 1, segment, 0, 1, 1, count, pe),
                "getStrided", () -> view.getStrided(0, 1, segment, 0, 1, 1, count, pe),
                "putSignal", () -> view.putSignal(0, segment, 0, count, signal.adding(1), pe),
                "putSignalNbi", () -> view.putSignalNbi(0, segment, 0, count, signal.adding(1), pe));
        calls.forEach((operation, call) -> assertThatThrownBy(call::run)
                .as("%s of %d, %s", operation, count, view.type())
                .isInstanceOf(type)
                .hasMessageStartingWith(operation + me)
                .hasMessageEndingWith(reason));
    }
}
