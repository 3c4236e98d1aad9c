// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.ByteView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdTest;
import coterie.testing.AllCompilers;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;

/// Counts what each PE's thread allocates in code of the JVM's second compiler, where a program makes a new object for
/// each call that the compiler has to remove: see [coterie.SignalUpdate].
@ExtendWith(AllCompilers.class)
class CompiledAllocationTest {
    private static final int BYTES = 8192;

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("a compiled loop of puts with signal makes no object for the update of each")
    void updates(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            ByteView view = memory.bytes();
            SignalWord signal = memory.signal(BYTES / 8 - 1);
            MemorySegment mine = MemorySegment.ofArray(new long[512]);
            AllocationTest.assertClean(world, "puts with signal, SET", n -> {
                for (long i = 0; i < n; i++) {
                    view.putSignal(0, mine, 0, 64, signal.setting(i), peer);
                    view.putSignalNbi(0, mine, 0, 4096, signal.setting(i), peer);
                }
            });
            AllocationTest.assertClean(world, "puts with signal, ADD", n -> {
                for (long i = 0; i < n; i++) {
                    view.putSignal(0, mine, 0, 64, signal.adding(i), peer);
                    view.putSignalNbi(0, mine, 0, 4096, signal.adding(i), peer);
                }
            });
        }
    }
}
