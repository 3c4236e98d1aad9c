// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.mapped.HeapAddresses;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.memory.JobSegment;
import coterie.spi.Conduit;
import coterie.spi.Network;
import coterie.spi.Simulator;
import coterie.spi.WaitStrategy;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// The simplest simulator there is: PEs on mapped memory take turns, and a waiter passes its turn on.
///
/// Its script may be `kill=PE`: that PE is killed when it first waits.
final class TurnsSimulator implements Simulator {
    private static final int NO_PE = -1;

    private final Host host;
    private final JobSegment segment;
    private final HeapAddresses[] heaps;
    private final int victim;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final BitSet playing = new BitSet();
    private int turn = NO_PE;
    private int performances;

    private TurnsSimulator(int size, String script, Host host) {
        this.host = host;
        this.segment = JobSegment.attach(Path.of(System.getenv("COTERIE_SEGMENT")));
        this.heaps = new HeapAddresses[size];
        for (int pe = 0; pe < size; pe++) {
            heaps[pe] = new HeapAddresses(size);
        }
        if (!script.isEmpty() && !script.matches("kill=\\d+|rounds=\\d+")) {
            throw new IllegalArgumentException("script \"" + script + "\": not kill=PE");
        }
        this.victim = script.startsWith("kill=") ? Integer.parseInt(script.substring(5)) : NO_PE;
    }

    /// Found by the launcher and its hosts in these tests.
    public static final class Turns implements Provider {
        @Override
        public String name() {
            return "turns";
        }

        @Override
        public Simulator open(int size, String script, Host host) {
            return new TurnsSimulator(size, script, host);
        }
    }

    @Override
    public Network network(int pe) {
        return new Network() {
            @Override
            public Conduit open(long syncBytes) {
                return new MappedConduit(segment, pe, heaps[pe]);
            }

            @Override
            public WaitStrategy waitStrategy() {
                return new Turn(pe);
            }
        };
    }

    private final class Turn implements WaitStrategy {
        private final int pe;

        Turn(int pe) {
            this.pe = pe;
        }

        @Override
        public int spins() {
            return 0;
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void idle(long waitedNanos, long leftNanos) {
            if (pe == victim) {
                host.killed(pe, "its turn came");
                leave(pe, Optional.empty());
                while (true) {
                    LockSupport.park();
                }
            }
            lock.lock();
            try {
                handOn(pe);
                awaitTurn(pe);
            } finally {
                lock.unlock();
            }
        }
    }

    private void handOn(int pe) {
        int next = playing.nextSetBit(pe + 1);
        turn = next >= 0 ? next : playing.nextSetBit(0);
        moved.signalAll();
    }

    private void awaitTurn(int pe) {
        while (turn != pe) {
            moved.awaitUninterruptibly();
        }
    }

    @Override
    public void enter(int pe, String script) {
        lock.lock();
        try {
            playing.set(pe);
            if (playing.cardinality() == heaps.length) {
                performances++;
                handOn(NO_PE);
            }
            awaitTurn(pe);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void leave(int pe, Optional<Throwable> thrown) {
        lock.lock();
        try {
            playing.clear(pe);
            handOn(pe);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String story() {
        return "performance=" + performances;
    }

    @Override
    public boolean hasTerminated() {
        return false;
    }

    @Override
    public void close() {}
}
