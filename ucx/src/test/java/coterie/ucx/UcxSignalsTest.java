// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/// UCX leaves the JVM's signal handlers and its memory alone.
@SuppressWarnings("restricted")
class UcxSignalsTest {
    private static final int EXCEPTIONS = Boolean.getBoolean("coterie.soak") ? 1_000_000 : 100_000;
    private static final int SIGNALS = 32;
    private static final long SIGACTION_BYTES = 256;
    private static final long CODE_BYTES = 16;
    private static final Linker LINKER = Linker.nativeLinker();

    @Nullable
    private static String nothing;

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 120)
    @DisplayName("with UCX at work, very many implicit null checks throw, and collections move and free memory")
    void nullChecksAndCollections(World world) {
        try (SymmetricMemory memory = world.allocate(8)) {
            int caught = 0;
            for (int i = 0; i < EXCEPTIONS; i++) {
                try {
                    assertThat(nothing.length()).as("never computed").isNegative();
                } catch (NullPointerException expected) {
                    caught++;
                }
                if (i % 10_000 == 0) {
                    memory.longs().add(0, 1, 1 - world.pe());
                }
            }
            assertThat(caught).isEqualTo(EXCEPTIONS);
            List<byte[]> kept = new ArrayList<>();
            for (int round = 0; round < 200; round++) {
                for (int i = 0; i < 100; i++) {
                    kept.add(new byte[100_000 + 1000 * i]);
                }
                kept.subList(0, kept.size() / 2).clear();
                memory.longs().add(0, 1, 1 - world.pe());
                if (round % 20 == 0) {
                    System.gc();
                }
            }
            world.team().barrier();
            assertThat(memory.longs().get(0)).isEqualTo(EXCEPTIONS / 10_000 + 200);
        }
    }

    // Another heap than other tests have: the PEs are JVMs that have not loaded UCX before.
    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, heapBytes = 48 << 20)
    @DisplayName("a join over UCX changes no signal handler, and no machine code of the C library's memory functions")
    void nothingIsReplaced() {
        List<Long> handlers = handlers();
        List<String> code = code();
        try (World world = World.join()) {
            world.team().barrier();
            assertThat(handlers()).isEqualTo(handlers);
            assertThat(code()).isEqualTo(code);
        }
    }

    /// Returns the handlers of the signals from 1 on: `int sigaction(int, const struct sigaction *, struct
    /// sigaction *)`.
    private static List<Long> handlers() {
        MethodHandle sigaction = LINKER.downcallHandle(
                LINKER.defaultLookup().find("sigaction").orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
        List<Long> handlers = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment old = arena.allocate(SIGACTION_BYTES, 8);
            for (int signal = 1; signal < SIGNALS; signal++) {
                int error = (int) sigaction.invokeExact(signal, MemorySegment.NULL, old);
                assertThat(error).isZero();
                handlers.add(old.get(JAVA_LONG, 0)); // the handler is the first field
            }
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        return handlers;
    }

    private static List<String> code() {
        return Stream.of("mmap", "munmap", "mremap", "madvise", "brk", "shmat", "shmdt")
                .map(function -> function + " "
                        + HexFormat.of()
                                .formatHex(LINKER.defaultLookup()
                                        .find(function)
                                        .orElseThrow()
                                        .reinterpret(CODE_BYTES)
                                        .toArray(JAVA_BYTE)))
                .toList();
    }
}
