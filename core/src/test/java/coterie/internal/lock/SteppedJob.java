// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.AtomicOperation;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.BlockHeap;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.wait.Counters;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import coterie.spi.WaitStrategy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;

/// PEs with one lock of which one acts at a time: before each atomic of the lock and in each wait, a [Chooser]
/// decides which PE acts next, and which fails. So all orders of their steps can be tried, with the lock's own
/// code.
final class SteppedJob {
    /// A wait with a timeout ends in its third poll.
    static final long POLL_NANOS = 1_000_000;

    private static final int NO_PE = -1;

    /// So many polls in which nothing happens show that the PEs wait for a failure to be noticed.
    private static final int MAX_IDLES = 40;

    /// The word that names the PE that repairs the lock, and its bits that do.
    private static final long RECORD = 8;

    private static final int REPAIRING = -1 << 19;

    /// Decides between the actions that are possible; 0 is the plainest.
    interface Chooser {
        /// Returns the number of the action to take.
        ///
        /// @param preempts whether the first action goes on with the same PE, which needs no choice
        int choose(List<Action> actions, boolean preempts);
    }

    enum Kind {
        RUN,
        /// a PE fails, and all know it
        FAIL,
        /// a PE fails, and others know it when none of them can act
        FAIL_UNNOTICED
    }

    record Action(Kind kind, int pe) {}

    /// What a PE does.
    interface Body {
        void run(int pe, PeLock lock);
    }

    /// Ends the thread of a PE that has failed.
    static final class FailedPe extends Error {
        private static final long serialVersionUID = 1;

        FailedPe() {
            super("failed", null, false, false);
        }
    }

    private final int size;
    private final Chooser chooser;
    private final JobSegment pages;
    private final MemorySegment memory;
    private final Thread[] threads;
    private final boolean[] failed;
    private final boolean[] noticed;
    private final boolean[] ended;
    private final boolean[] blocked;
    private final long[] polledFrom;
    private final List<Throwable> errors = new ArrayList<>();
    private long changes;
    private long changesOfRepairs;
    private int idles;
    private volatile int turn = NO_PE;

    /// The PE that acted last.
    private int acting;
    private final Thread driver = Thread.currentThread();

    /// Whether the last atomic of a PE has changed its own node by a compare-and-swap.
    private final boolean[] hasChangedOwnNode;

    SteppedJob(int size, Chooser chooser, JobSegment pages, MemorySegment memory) {
        this.size = size;
        this.chooser = chooser;
        this.pages = pages;
        this.memory = memory.fill((byte) 0);
        this.threads = new Thread[size];
        this.failed = new boolean[size];
        this.noticed = new boolean[size];
        this.ended = new boolean[size];
        this.blocked = new boolean[size];
        this.polledFrom = new long[size];
        this.hasChangedOwnNode = new boolean[size];
    }

    static MemorySegment memory(Arena arena, int size) {
        return arena.allocate(8L * (size + 1), 8);
    }

    boolean hasFailed(int pe) {
        return failed[pe];
    }

    void forgetOwnChange(int pe) {
        hasChangedOwnNode[pe] = false;
    }

    boolean hasChangedOwnNode(int pe) {
        return hasChangedOwnNode[pe];
    }

    /// Runs all PEs to their ends; returns what they threw, except for [FailedPe].
    List<Throwable> run(Body body) {
        for (int pe = 0; pe < size; pe++) {
            int me = pe;
            PeLock lock = lock(pe);
            threads[pe] = Thread.ofVirtual().unstarted(() -> {
                try {
                    awaitTurn(me);
                    body.run(me, lock);
                } catch (FailedPe e) {
                    // as intended
                } catch (Throwable e) {
                    errors.add(e);
                }
                ended[me] = true;
                acting = me;
                next(NO_PE);
            });
        }
        for (Thread thread : threads) {
            thread.start();
        }
        next(NO_PE);
        for (Thread thread : threads) {
            boolean isInterrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                driver.interrupt();
            }
        }
        return errors;
    }

    /// Lets another PE act, or this one; throws if this one has failed.
    void step(int me) {
        go(me, me);
    }

    private void go(int me, int preferred) {
        if (!failed[me]) {
            acting = me;
            next(preferred);
            awaitTurn(me);
        }
        if (failed[me]) {
            throw new FailedPe();
        }
    }

    private void awaitTurn(int me) {
        while (turn != me) {
            LockSupport.park(this);
        }
    }

    /// @param me the PE that acts and could go on, or −1
    private void next(int me) {
        while (true) {
            List<Action> actions = new ArrayList<>();
            if (me != NO_PE && canAct(me)) {
                actions.add(new Action(Kind.RUN, me));
            }
            boolean preempts = !actions.isEmpty();
            for (int after = 1; after <= size; after++) {
                int pe = (acting + after) % size;
                if (pe != me && canAct(pe)) {
                    actions.add(new Action(Kind.RUN, pe));
                }
            }
            if (actions.isEmpty() || idles > MAX_IDLES) {
                idles = 0;
                if (notice()) {
                    continue;
                }
                unwind();
                return;
            }
            for (int pe = 0; pe < size; pe++) {
                if (!failed[pe] && !ended[pe]) {
                    actions.add(new Action(Kind.FAIL, pe));
                    actions.add(new Action(Kind.FAIL_UNNOTICED, pe));
                }
            }
            Action action = actions.get(chooser.choose(actions, preempts));
            if (action.kind == Kind.RUN) {
                resume(action.pe);
                return;
            }
            failed[action.pe] = true;
            if (action.kind == Kind.FAIL) {
                notice();
            }
        }
    }

    private boolean canAct(int pe) {
        return !failed[pe] && !ended[pe] && !(blocked[pe] && polledFrom[pe] == changes + changesOfRepairs);
    }

    /// Publishes the failures; returns whether there were any to publish.
    private boolean notice() {
        boolean isNew = false;
        for (int pe = 0; pe < size; pe++) {
            isNew |= failed[pe] && !noticed[pe];
            noticed[pe] = failed[pe];
        }
        if (isNew) {
            changes++;
            memory.set(ValueLayout.JAVA_LONG, 8L * size, changes);
        }
        return isNew;
    }

    /// Ends the threads that are left: of failed PEs, and of PEs whose wait can never end, which is an error.
    private void unwind() {
        for (int pe = 0; pe < size; pe++) {
            if (!failed[pe] && !ended[pe]) {
                errors.add(new AssertionError("PE " + pe + " waits for what can never come"));
                failed[pe] = true;
            }
        }
        for (int pe = 0; pe < size; pe++) {
            if (!ended[pe]) {
                resume(pe);
                return;
            }
        }
    }

    private void resume(int pe) {
        turn = pe;
        LockSupport.unpark(threads[pe]);
    }

    private PeLock lock(int me) {
        PeRuntime runtime =
                new PeRuntime(job(me), pages.status(me), waits(me), conduit(me), new Counters(), Long.MAX_VALUE, "");
        PeContext context = new PeContext(me, size, conduit(me), runtime, null);
        BitSet all = new BitSet();
        all.set(0, size);
        context.peerBases().attach(all);
        BlockHeap heap = proxy(BlockHeap.class, (self, method, arguments) -> switch (method.getName()) {
            case "address" -> address((Integer) arguments[0]);
            case "teamName" -> null;
            default -> throw new AssertionError(method);
        });
        PeMemory block = new PeMemory(heap, context, 1, 0, 8, 8);
        return new PeLock(block, 0, context, runtime, pe -> pe, me, size);
    }

    private long address(int pe) {
        return memory.address() + 8L * pe;
    }

    private WaitStrategy waits(int me) {
        return new WaitStrategy() {
            private long now;

            @Override
            public int spins() {
                return 0;
            }

            @Override
            public long nanoTime() {
                return now;
            }

            @Override
            public void idle(long waitedNanos, long leftNanos) {
                now += POLL_NANOS;
                idles++;
                blocked[me] = leftNanos > 1000 * POLL_NANOS;
                go(me, NO_PE);
                blocked[me] = false;
                polledFrom[me] = changes + changesOfRepairs;
            }
        };
    }

    private PeJob job(int me) {
        return proxy(PeJob.class, (self, method, arguments) -> switch (method.getName()) {
            case "pe" -> me;
            case "size" -> size;
            case "epochAddress" -> address(size);
            case "state" -> noticed[(Integer) arguments[0]] ? PeState.FAILED : PeState.RUNNING;
            case "exitCode" -> 1;
            case "abortCode" -> OptionalInt.empty();
            case "endedAtNanos" -> 0L;
            case "stuckAtNanos" -> 0L;
            default -> throw new AssertionError(method);
        });
    }

    /// A conduit over which each atomic is a step.
    private Conduit conduit(int me) {
        return proxy(Conduit.class, (self, method, arguments) -> switch (method.getName()) {
            case "progress" -> null;
            case "arrivals" -> 0L;
            case "observer" -> Optional.empty();
            case "directBase" -> 0L;
            case "localBase" -> address(me);
            case "remoteBase" -> address((Integer) arguments[1]);
            case "openChannel" -> channel(me);
            default -> throw new AssertionError(method);
        });
    }

    private Channel channel(int me) {
        return proxy(Channel.class, (self, method, arguments) -> switch (method.getName()) {
            case "accepts", "isDone" -> true;
            case "quiet" -> 0L;
            case "fence" -> null;
            case "atomic" -> {
                step(me);
                int operand = ((Long) arguments[1]).intValue();
                AtomicOperation operation = (AtomicOperation) arguments[0];
                yield apply((Long) arguments[4], arguments[5], arguments[6], word -> switch (operation) {
                    case FETCH -> word;
                    case ADD -> word + operand;
                    case OR -> word | operand;
                    case AND -> word & operand;
                    case SWAP -> operand;
                    default -> throw new AssertionError(operation);
                });
            }
            case "compareAndSwap" -> {
                step(me);
                int expected = ((Long) arguments[0]).intValue();
                int value = ((Long) arguments[1]).intValue();
                long address = (Long) arguments[4];
                hasChangedOwnNode[me] |= address == address(me) + 4 && AddressSpace.getIntAcquire(address) == expected;
                yield apply(address, arguments[5], arguments[6], word -> word == expected ? value : word);
            }
            default -> throw new AssertionError(method);
        });
    }

    private long apply(long address, Object result, Object offset, IntUnaryOperator update) {
        long at = address - memory.address();
        int before = memory.get(ValueLayout.JAVA_INT, at);
        int after = update.applyAsInt(before);
        memory.set(ValueLayout.JAVA_INT, at, after);
        if (at == RECORD && ((before ^ after) & ~REPAIRING) == 0) {
            changesOfRepairs += before == after ? 0 : 1;
        } else if (before != after) {
            changes++;
            idles = 0;
        }
        ((MemorySegment) result).set(ValueLayout.JAVA_INT_UNALIGNED, (Long) offset, before);
        return 0;
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
