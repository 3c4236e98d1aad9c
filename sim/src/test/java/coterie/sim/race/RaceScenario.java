// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.sim.RaceException;
import coterie.sim.network.OperationObserver.Kind;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/// A job as the race detector observes it: the test makes each event. A PE's operations use channel [#DEFAULT]
/// unless a test names another; words have 8 bytes, and all bytes are in heaps.
final class RaceScenario {
    static final int DEFAULT = 1;
    private static final int ROUNDS = 0;
    private static final long LINE = 64;

    final RaceDetector raceDetector;
    private final int size;

    /// Makes the contents of all puts different.
    private long puts;

    RaceScenario(int size) {
        this.size = size;
        this.raceDetector = new RaceDetector(size);
    }

    /// An operation in flight.
    final class Operation {
        private final List<Object> marks = new ArrayList<>();

        private Operation(Object... marks) {
            this.marks.addAll(List.of(marks));
        }

        Operation lands() {
            marks.forEach(mark -> raceDetector.applied(mark, true));
            return this;
        }

        /// A compare-and-swap lands and finds another value than the expected one.
        Operation fails() {
            raceDetector.applied(marks.getLast(), false);
            return this;
        }

        Operation returns() {
            raceDetector.returned(marks.getLast());
            return this;
        }
    }

    Operation start(Kind kind, int pe, int channel, int peer, long offset, long length, long content) {
        return new Operation(raceDetector.started(pe, channel, peer, kind, Region.HEAP, offset, length, content));
    }

    Operation put(int pe, int peer, long offset, long length) {
        return put(pe, DEFAULT, peer, offset, length);
    }

    Operation put(int pe, int channel, int peer, long offset, long length) {
        return start(Kind.PUT, pe, channel, peer, offset, length, ++puts);
    }

    Operation word(int pe, int peer, long offset, long value) {
        return start(Kind.WORD, pe, DEFAULT, peer, offset, Long.BYTES, value);
    }

    Operation update(int pe, int peer, long offset) {
        return update(pe, DEFAULT, peer, offset);
    }

    Operation update(int pe, int channel, int peer, long offset) {
        return start(Kind.UPDATE, pe, channel, peer, offset, Long.BYTES, 0);
    }

    Operation atomic(int pe, int peer, long offset) {
        return start(Kind.ATOMIC, pe, DEFAULT, peer, offset, Long.BYTES, 0);
    }

    Operation compare(int pe, int peer, long offset) {
        return start(Kind.COMPARE, pe, DEFAULT, peer, offset, Long.BYTES, 0);
    }

    Operation fetch(int pe, int peer, long offset) {
        return start(Kind.FETCH, pe, DEFAULT, peer, offset, Long.BYTES, 0);
    }

    Operation get(int pe, int peer, long offset, long length) {
        return start(Kind.GET, pe, DEFAULT, peer, offset, length, 0);
    }

    /// @param length of the payload, or 0
    Operation putSignal(int pe, int peer, long offset, long length, long signal) {
        return putSignal(pe, DEFAULT, peer, offset, length, signal);
    }

    Operation putSignal(int pe, int channel, int peer, long offset, long length, long signal) {
        Object put = length == 0
                ? null
                : raceDetector.started(pe, channel, peer, Kind.PUT, Region.HEAP, offset, length, ++puts);
        Object word = raceDetector.signals(pe, channel, peer, put, Region.HEAP, signal);
        return put == null ? new Operation(word) : new Operation(put, word);
    }

    void fence(int pe) {
        raceDetector.fenced(pe, DEFAULT);
    }

    void quiet(int pe) {
        quiet(pe, DEFAULT, Channel.ALL_PEERS);
    }

    void quiet(int pe, int channel, int peer) {
        raceDetector.completed(pe, channel, peer, raceDetector.issued(pe, channel));
    }

    private AccessObserver observer(int pe) {
        return raceDetector.observer(pe);
    }

    void read(int pe, long offset, long length) {
        observer(pe).read(offset, length);
    }

    void write(int pe, long offset, long length) {
        observer(pe).wrote(offset, length);
    }

    void observe(int pe, long offset) {
        observer(pe).observed(Region.HEAP, offset, Long.BYTES);
    }

    void source(int pe, long offset, long length) {
        raceDetector.sourced(pe, offset, length);
    }

    /// A synchronization of all PEs, which completes no operation.
    void sync() {
        for (int pe = 0; pe < size; pe++) {
            for (int peer = 0; peer < size; peer++) {
                if (peer != pe) {
                    tell(pe, peer);
                }
            }
        }
        for (int pe = 0; pe < size; pe++) {
            for (int peer = 0; peer < size; peer++) {
                if (peer != pe) {
                    observer(pe).observed(Region.SYNC, peer * LINE, Long.BYTES);
                }
            }
        }
    }

    private void tell(int pe, int peer) {
        raceDetector.fenced(pe, ROUNDS);
        Object tag = raceDetector.started(pe, ROUNDS, peer, Kind.WORD, Region.SYNC, pe * LINE, Long.BYTES, 7);
        raceDetector.applied(tag, true);
    }

    void barrier() {
        for (int pe = 0; pe < size; pe++) {
            quiet(pe);
        }
        sync();
    }

    /// Acquires a lock with an empty queue: the node is at `lock + 8`, the tail at `lock` of PE 0.
    void lockFree(int pe, long lock) {
        compare(pe, pe, lock + 8).lands().returns();
        atomic(pe, 0, lock).lands().returns();
        atomic(pe, pe, lock + 8).lands().returns();
    }

    /// Enqueues a PE at a lock that another PE holds.
    void queueBehind(int pe, int holder, long lock) {
        compare(pe, pe, lock + 8).lands().returns();
        atomic(pe, 0, lock).lands().returns();
        atomic(pe, pe, lock + 8).lands().returns();
        atomic(pe, holder, lock + 8).lands().returns();
    }

    /// Passes a lock to the next PE in its queue.
    void handOver(int pe, int next, long lock) {
        leave(pe, lock);
        atomic(pe, next, lock + 8).lands().returns();
        update(pe, pe, lock + 8).lands();
    }

    /// Releases a lock with an empty queue.
    void letGo(int pe, long lock) {
        leave(pe, lock);
        compare(pe, 0, lock).lands().returns();
        update(pe, pe, lock + 8).lands();
    }

    private void leave(int pe, long lock) {
        fetch(pe, pe, lock + 8).lands().returns();
        quiet(pe);
        compare(pe, pe, lock + 8).lands().returns();
    }

    static AbstractThrowableAssert<?, ? extends @Nullable Throwable> assertRace(ThrowingCallable action) {
        return assertThatThrownBy(action).isInstanceOf(RaceException.class);
    }
}
