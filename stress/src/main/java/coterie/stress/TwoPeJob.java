// SPDX-License-Identifier: Apache-2.0
package coterie.stress;

import coterie.Context;
import coterie.DoubleView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.internal.world.PeThreadGroup;
import coterie.internal.world.LaunchedPe;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// A job of two PEs in this JVM, which lasts as long as the JVM does, and whose PEs any threads may act for.
///
/// Its memory is cut into *cells*, one for each state of a test.
final class TwoPeJob {
    /// More than jcstress has states at a time, which is some ten thousand.
    private static final int CELLS = 1 << 16;

    /// Nothing that neighbours share may be shared by two states.
    private static final int CELL_BYTES = 128;

    private static final long LOCK = (long) CELLS * CELL_BYTES;
    private static final JobSegment JOB = JobSegment.create(new JobSegment.Parameters("stress", 2, 2 * LOCK, 2, false));
    private static final List<Pe> PES = start();
    private static final AtomicInteger CELLS_TAKEN = new AtomicInteger();

    private TwoPeJob() {}

    /// What an actor acts through.
    record Pe(
            Context context,
            SymmetricMemory memory,
            IntegerView bytes,
            IntegerView shorts,
            IntegerView longs,
            FloatView floats,
            DoubleView doubles,
            SymmetricLock lock) {
        private static Pe join() {
            World world = World.join();
            SymmetricMemory memory = world.allocate(LOCK + SymmetricLock.BYTES);
            return new Pe(
                    world.context(),
                    memory,
                    memory.bytes(),
                    memory.shorts(),
                    memory.longs(),
                    memory.floats(),
                    memory.doubles(),
                    memory.lock(LOCK / Long.BYTES));
        }
    }

    private record Member(int pe, int size, Path segment) implements LaunchedPe {
        @Override
        public String description() {
            return "thread of a stress test";
        }

        /// Joins in a thread of the PE. Nothing in here is this class's own, which would wait for itself to be
        /// initialised.
        private CompletableFuture<Pe> join() {
            CompletableFuture<Pe> joined = new CompletableFuture<>();
            Thread thread = new Thread(new PeThreadGroup(this), () -> {
                try {
                    joined.complete(Pe.join());
                } catch (Throwable e) {
                    joined.completeExceptionally(e);
                }
            });
            thread.start();
            return joined;
        }
    }

    private static List<Pe> start() {
        List<CompletableFuture<Pe>> joining =
                Stream.of(0, 1).map(pe -> new Member(pe, 2, JOB.path()).join()).toList();
        return joining.stream().map(CompletableFuture::join).toList();
    }

    static Pe pe(int number) {
        return PES.get(number);
    }

    /// A cell that is zero on both PEs: the byte offset of its first word.
    static long cell() {
        long offset = (long) (CELLS_TAKEN.getAndIncrement() & CELLS - 1) * CELL_BYTES;
        for (Pe pe : PES) {
            pe.memory().segment().asSlice(offset, CELL_BYTES).fill((byte) 0);
        }
        return offset;
    }
}
