// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.LongView;
import coterie.SessionOption;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// Contexts, their completion, their sessions and their end.
class ContextConformanceTest {

    @EverySize
    @DisplayName("SH-X1 the team of the default context is the world's, that of another is the team that made it")
    void contextsKnowTheirTeam(World world) {
        assertThat(world.context().team()).isSameAs(world.team());
        for (ContextOption[] options : choices()) {
            try (Context context = world.team().createContext(options)) {
                assertThat(context.team()).isSameAs(world.team());
            }
        }
    }

    @EverySize
    @DisplayName(
            "SH-X1 Context.INVALID has no team; fence, quiet, sessions and close do nothing, and no view goes by it")
    void invalidIsNoContext(World world) {
        Context invalid = Context.INVALID;
        assertThat(invalid.team()).isSameAs(Team.INVALID);
        invalid.fence();
        invalid.quiet();
        invalid.quiet(world.size());
        invalid.startSession(SessionOption.BATCH);
        invalid.startSession(0, SessionOption.BATCH);
        invalid.stopSession();
        invalid.close();
        invalid.close();
        try (SymmetricMemory block = world.allocate(Long.BYTES)) {
            for (Runnable through : List.<Runnable>of(
                    () -> block.longs().through(invalid), () -> block.signal(0).through(invalid))) {
                assertThatThrownBy(through::run)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("through on PE " + world.pe() + ": Context.INVALID is not a context of this world");
            }
        }
    }

    @EverySize
    @DisplayName("SH-X2 over 32 contexts at once, an increment on each and a quiet of each give 32 from every PE")
    void contextsAreManyAndIndependent(World world) {
        List<ContextOption[]> choices = choices();
        try (SymmetricMemory block = world.allocate(Long.BYTES)) {
            List<Context> contexts = new ArrayList<>();
            for (int i = 0; i < 32; i++) {
                contexts.add(world.team().createContext(choices.get(i % choices.size())));
            }
            for (Context context : contexts) {
                block.longs().through(context).add(0, 1, 0);
            }
            contexts.forEach(Context::quiet);
            world.team().barrier();
            assertThat(block.longs().get(0, 0)).isEqualTo(32L * world.size());
            contexts.forEach(Context::close);
        }
    }

    @EverySize
    @DisplayName("SH-X3 puts that were not waited for have arrived when their context is closed")
    void closingCompletes(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory block = world.allocate(1000 * (long) Long.BYTES)) {
            for (ContextOption[] options : choices()) {
                MemorySegment source = Longs.counting(world.pe() * 1000L, 1000);
                try (Context context = world.team().createContext(options)) {
                    block.longs().through(context).putNbi(0, source, 0, 500, right);
                    block.longs().through(context).putNbi(500, source, 500, 500, right);
                }
                source.fill((byte) 0);
                world.team().barrier();
                assertThat(block.segment().mismatch(Longs.counting(left * 1000L, 1000)))
                        .isEqualTo(-1);
                world.team().barrier();
                block.segment().fill((byte) 0);
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-X5 no number of contexts is asked for beforehand: a thousand can be made, and made again")
    void creationNeedsNoAnnouncement(World world) {
        try (SymmetricMemory block = world.allocate(Long.BYTES)) {
            for (int round = 0; round < 2; round++) {
                List<Context> contexts = new ArrayList<>();
                for (int i = 0; i < 1000; i++) {
                    Context context = world.team().createContext();
                    block.longs().through(context).add(0, 1, world.pe());
                    contexts.add(context);
                }
                contexts.forEach(Context::close);
            }
            assertThat(block.longs().get(0)).isEqualTo(2000);
        }
    }

    @EverySize
    @DisplayName("SH-X7 a PE that the context's team does not have is refused, with the team's name and size")
    void peOutsideOfTheTeamIsRefused(World world) {
        String range = "is outside [0, " + world.size() + ") of team \"world\"";
        try (SymmetricMemory block = world.allocate(Long.BYTES);
                Context context = world.team().createContext()) {
            LongView words = block.longs().through(context);
            for (int pe : new int[] {-1, world.size(), Integer.MAX_VALUE, Integer.MIN_VALUE}) {
                String message = " on PE " + world.pe() + ": PE " + pe + " " + range;
                Map<String, ThrowingCallable> operations = Map.of(
                        "put", () -> words.put(0, 1, pe),
                        "get", () -> words.get(0, pe),
                        "getAndAdd", () -> words.getAndAdd(0, 1, pe),
                        "putNbi", () -> words.putNbi(0, Longs.counting(0, 1), 0, 1, pe),
                        "quiet", () -> context.quiet(0, pe));
                operations.forEach((name, operation) -> assertThatThrownBy(operation)
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessage(name + message));
            }
            assertThat(words.get(0)).isZero();
        }
    }

    @EverySize
    @DisplayName("a quiet towards some PEs takes any list, repeated ones and none, and completes what went to them")
    void quietTowardsSome(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            for (ContextOption[] options : choices()) {
                try (Context context = world.team().createContext(options)) {
                    LongView words = block.longs().through(context);
                    words.putNbi(0, Longs.counting(7, 1), 0, 1, right);
                    context.quiet(right, 0, right, world.size() - 1);
                    words.put(1, 1, right);
                    block.longs().waitUntil(1, Comparison.EQ, 1);
                    assertThat(block.longs().get(0)).isEqualTo(7);
                    context.quiet();
                    context.quiet(new int[0]);
                    context.quiet(new int[1000]);
                }
                world.context().quiet(right, right);
                world.team().barrier();
                block.segment().fill((byte) 0);
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("PRIVATE and SERIALIZED at once are refused")
    void contradictionsAreRefused(World world) {
        assertThatThrownBy(() -> world.team()
                        .createContext(ContextOption.SERIALIZED, ContextOption.NOSTORE, ContextOption.PRIVATE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("createContext on PE " + world.pe() + ", team \"world\"")
                .hasMessageContaining("PRIVATE and SERIALIZED exclude each other");
        world.team().createContext(ContextOption.NOSTORE, ContextOption.NOSTORE).close();
    }

    @EverySize
    @DisplayName("a closed context refuses every operation, through every view; closing it again does nothing")
    void closedContextsRefuse(World world) {
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            Context context = world.team().createContext();
            LongView words = block.longs().through(context);
            context.close();
            context.close();
            MemorySegment one = Longs.counting(0, 1);
            Map<String, ThrowingCallable> operations = Map.ofEntries(
                    Map.entry("get", () -> words.get(0)),
                    Map.entry("put", () -> words.put(0, 1, 0)),
                    Map.entry("putNbi", () -> words.putNbi(0, one, 0, 0, 0)),
                    Map.entry("getAndSet", () -> words.getAndSet(0, 1, 0)),
                    Map.entry("waitUntil", () -> words.waitUntil(0, Comparison.EQ, 0)),
                    Map.entry("add", () -> block.signal(0).through(context).add(1, 0)),
                    Map.entry("test", () -> words.test(0, Comparison.EQ, 0)),
                    Map.entry("fence", context::fence),
                    Map.entry("quiet", context::quiet),
                    Map.entry("startSession", () -> context.startSession(SessionOption.BATCH)),
                    Map.entry("stopSession", context::stopSession));
            operations.forEach((name, operation) -> assertThatThrownBy(operation)
                    .as(name)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(name + " on PE " + world.pe() + ": its context was closed"));
            assertThatThrownBy(() -> context.quiet(0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> context.startSession(5)).isInstanceOf(IllegalStateException.class);
            assertThat(block.longs().get(0)).isZero();
        }
    }

    @EverySize
    @DisplayName("the default context can't be closed, and goes on")
    void theDefaultContextStays(World world) {
        assertThatThrownBy(world.context()::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("close of the default context on PE " + world.pe());
        world.context().quiet();
    }

    @EverySize
    @DisplayName("sessions may be started twice and stopped twice, around any operation; only an empty one is refused")
    void sessionsAreHints(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory block = world.allocate(Long.BYTES);
                Context own = world.team().createContext()) {
            for (Context context : List.of(world.context(), own)) {
                LongView words = block.longs().through(context);
                context.startSession(SessionOption.BATCH);
                context.startSession(4, SessionOption.BATCH);
                words.add(0, 1, right);
                context.quiet();
                world.team().barrier();
                context.startSession(Long.MAX_VALUE);
                context.startSession();
                words.add(0, 1, right);
                context.fence();
                context.stopSession();
                context.stopSession();
                for (long none : new long[] {0, -1, Long.MIN_VALUE}) {
                    assertThatThrownBy(() -> context.startSession(none))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("startSession on PE " + world.pe() + ": " + none + " operations");
                }
            }
            own.quiet();
            world.team().barrier();
            assertThat(block.longs().get(0)).isEqualTo(4);
        }
    }

    @EverySize
    @DisplayName("a context that is made before the first block serves the blocks that come later")
    void contextsMayBeOlderThanTheHeap(World world) throws Exception {
        Context early = world.team().createContext();
        FutureTask<Context> making = new FutureTask<>(world.team()::createContext);
        new Thread(making).start();
        Context earlier = making.get();
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            int right = (world.pe() + 1) % world.size();
            block.longs().through(early).put(0, 5, right);
            block.longs().through(earlier).getAndAdd(1, 6, right);
            early.close();
            earlier.close();
            world.team().barrier();
            assertThat(block.longs().get(0)).isEqualTo(5);
            assertThat(block.longs().get(1)).isEqualTo(6);
        }
    }

    /// All that a program can ask for.
    private static List<ContextOption[]> choices() {
        return List.of(
                new ContextOption[] {},
                new ContextOption[] {ContextOption.NOSTORE},
                new ContextOption[] {ContextOption.SERIALIZED},
                new ContextOption[] {ContextOption.PRIVATE},
                new ContextOption[] {ContextOption.NOSTORE, ContextOption.SERIALIZED},
                new ContextOption[] {ContextOption.PRIVATE, ContextOption.NOSTORE});
    }
}
