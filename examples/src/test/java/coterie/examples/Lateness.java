// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.spi.FaceSupport;
import coterie.spi.ProgressHook;
import coterie.stream.WorkStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The ways in which a PE is late. In all but the first its thread waits, like those of all other PEs perhaps, and
/// something of its own ends the wait later.
final class Lateness {
    private static final int ALARM = 0;
    private static final int NEVER = 1;

    enum Way {
        /// Its thread runs code of the program.
        COMPUTES,
        /// A wait has a deadline.
        DEADLINE,
        /// A request of the PE alone starts on a condition.
        CONDITION,
        /// The thread polls a condition.
        PROGRESS_UNTIL,
        /// A hook of the program writes a word.
        HOOK,
        /// Another thread writes a word.
        THREAD,
        /// A host function of a stream runs, and a word is written after it.
        HOST_FUNCTION,
        /// A stream polls a condition.
        STREAM_CONDITION,
        /// A virtual thread writes a word. A JVM that has run one is never called dead, so that this comes last.
        VIRTUAL_THREAD
    }

    /// All but virtual threads.
    static final List<Way> REPEATABLE = repeatable();

    private final World world;
    private final Team self;
    private final SymmetricMemory memory;
    private final WorkStream stream;
    private long alarms;

    /// @param self a team of this PE alone
    /// @param memory of at least two words, which no other PE writes
    Lateness(World world, Team self, SymmetricMemory memory, WorkStream stream) {
        this.world = world;
        this.self = self;
        this.memory = memory;
        this.stream = stream;
    }

    private static List<Way> repeatable() {
        List<Way> ways = new ArrayList<>(List.of(Way.values()));
        ways.remove(Way.VIRTUAL_THREAD);
        return List.copyOf(ways);
    }

    /// Returns after so long.
    void pass(Way way, long millis) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        BooleanSupplier isOver = () -> System.nanoTime() - end >= 0;
        switch (way) {
            case COMPUTES -> Thread.sleep(millis);
            case DEADLINE -> untilDeadline(Duration.ofMillis(millis));
            case CONDITION -> {
                try (Request request = self.prepare(Collective.barrier())) {
                    request.postWhen(isOver);
                    request.await();
                }
            }
            case PROGRESS_UNTIL -> world.progressUntil(isOver);
            case HOOK -> byHook(isOver);
            case THREAD -> byThread(Thread.ofPlatform().unstarted(() -> ringAfter(millis)));
            case HOST_FUNCTION -> {
                stream.execute(() -> sleep(millis));
                stream.atomic(AtomicOperation.ADD, memory.longs(), ALARM, 1, world.pe());
                awaitAlarm();
                stream.synchronize();
            }
            case STREAM_CONDITION -> {
                stream.executeUntil(isOver);
                stream.synchronize();
            }
            case VIRTUAL_THREAD -> byThread(Thread.ofVirtual().unstarted(() -> ringAfter(millis)));
        }
    }

    private void untilDeadline(Duration time) {
        try {
            memory.signal(NEVER).waitUntil(Comparison.GE, 1, time);
        } catch (WaitTimeoutException expected) {
            return;
        }
        throw new AssertionError("PE " + world.pe() + ": a word that no PE writes has changed");
    }

    private void byHook(BooleanSupplier isOver) {
        ProgressHook hook = new ProgressHook() {
            private boolean hasRung;

            @Override
            public boolean progress() {
                boolean rings = !hasRung && isOver.getAsBoolean();
                if (rings) {
                    hasRung = true;
                    ring();
                }
                return rings;
            }
        };
        ProgressHook.Registration registration = FaceSupport.of(world).addProgress(hook);
        try {
            awaitAlarm();
        } finally {
            registration.close();
        }
    }

    private void byThread(Thread thread) throws InterruptedException {
        thread.start();
        awaitAlarm();
        thread.join();
    }

    private void ringAfter(long millis) {
        sleep(millis);
        ring();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void ring() {
        memory.longs().add(ALARM, 1, world.pe());
    }

    private void awaitAlarm() {
        alarms++;
        memory.signal(ALARM).waitUntil(Comparison.GE, alarms);
    }
}
