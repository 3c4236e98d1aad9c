// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.team.Teams;
import coterie.internal.wait.OperationKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Phaser;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// A job inside the test's own JVM: each PE is a thread, without launcher or class loaders. For tests that look
/// at packages from inside; tests of what users see run real jobs.
public final class LocalJob implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(Boolean.getBoolean("coterie.soak") ? 300 : 30);

    private final JobSegment segment;
    private final int size;
    private @Nullable IntFunction<ClassLoader> loaders;
    private static final long HEAP_BYTES = 64 << 20;

    private Runnable first = () -> {};
    private Phaser living = new Phaser();

    /// What a PE does.
    @FunctionalInterface
    public interface Body {
        void run(World world) throws Exception;
    }

    private record Member(int pe, int size, Path segment) implements LaunchedPe {
        @Override
        public String description() {
            return "thread of a test";
        }
    }

    public LocalJob(int size) {
        this(Collections.nCopies(size, 0), HEAP_BYTES);
    }

    private LocalJob(List<Integer> nodes, long heapBytes) {
        this.size = nodes.size();
        this.segment = JobSegment.create(new JobSegment.Parameters("test", size, heapBytes, 2, true, nodes));
    }

    /// A job whose PEs have so much symmetric memory each.
    public static LocalJob withHeap(int size, long heapBytes) {
        return new LocalJob(Collections.nCopies(size, 0), heapBytes);
    }

    /// A job whose PEs are taken to be on these nodes.
    public static LocalJob onNodes(List<Integer> nodes) {
        return new LocalJob(nodes, HEAP_BYTES);
    }

    /// Has each PE find its classes by a loader of its own.
    public LocalJob loadBy(IntFunction<ClassLoader> loaderOfPe) {
        loaders = loaderOfPe;
        return this;
    }

    /// Has each PE's thread do this before it joins.
    public LocalJob startWith(Runnable beforeJoin) {
        first = beforeJoin;
        return this;
    }

    /// The teams of a PE's world, from inside.
    public static Teams teams(World world) {
        return PeWorld.of(world).teams();
    }

    /// Publishes a PE's counters on its status page.
    public static void publishCounters(World world) {
        PeWorld.of(world).publishCounters();
    }

    public JobSegment segment() {
        return segment;
    }

    /// Waits, without the runtime, until a PE has told its status page that it waits in an operation.
    public void awaitWaiting(int pe, OperationKind kind) {
        while (OperationKind.of(segment.status(pe).get(StatusField.WAIT_KIND)) != kind) {
            Thread.onSpinWait();
        }
    }

    /// Waits, without the runtime, until all PEs that have not ended have come here. A member that has passed a
    /// collective knows only that all others have begun it. Before one fails or revokes a team, all come here: so
    /// none is in the collective any more, and the failure ends no call but those that the test expects to end.
    public void meet() {
        living.arriveAndAwaitAdvance();
    }

    /// Runs the body on every PE, and expects all to end well and to close their world.
    public void run(Body body) {
        assertThat(failures(world -> {
                    body.run(world);
                    world.close();
                }))
                .isEmpty();
    }

    /// Runs the body on every PE, once all have joined. A PE whose body throws is marked as failed, as its launcher
    /// would.
    ///
    /// @return what each PE threw
    public Map<Integer, Throwable> failures(Body body) {
        Map<Integer, Throwable> failures = new ConcurrentSkipListMap<>();
        Map<Integer, Thread> threads = new TreeMap<>();
        living = new Phaser(size);
        for (int pe = 0; pe < size; pe++) {
            int me = pe;
            PeThreadGroup threadGroup = new PeThreadGroup(new Member(pe, size, segment.path()));
            threads.put(pe, new Thread(threadGroup, () -> {
                Throwable thrown = caught(body);
                if (thrown != null) {
                    failures.put(me, thrown);
                    segment.end(me, 1);
                }
                living.arriveAndDeregister();
            }));
            if (loaders != null) {
                threads.get(pe).setContextClassLoader(loaders.apply(pe));
            }
        }
        threads.values().forEach(Thread::start);
        threads.forEach((pe, thread) -> {
            try {
                assertThat(thread.join(PATIENCE)).as("PE %s ends", pe).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        return failures;
    }

    private @Nullable Throwable caught(Body body) {
        try {
            first.run();
            World world = World.join();
            meet();
            body.run(world);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    @Override
    public void close() {
        segment.close();
    }
}
