// SPDX-License-Identifier: Apache-2.0
package coterie.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/// A symmetric lock admits one PE at a time, which reads what the PE before it wrote. One lock serves all states:
/// each PE acquires it millions of times, and it has to be free in between.
class Locks {
    private Locks() {}

    /// Adds 1 to X on PE 1, in two steps. Returns what was there.
    private static long addPlainly(TwoPeJob.Pe pe, long x) {
        long before = pe.longs().get(x, 1);
        pe.longs().put(x, before + 1, 1);
        return before;
    }

    private static long lockAndAdd(TwoPeJob.Pe pe, long x) {
        pe.lock().lock();
        long before = addPlainly(pe, x);
        pe.lock().unlock();
        return before;
    }

    /// Returns −1 where the lock is taken.
    private static long tryAndAdd(TwoPeJob.Pe pe, long x) {
        if (!pe.lock().tryLock()) {
            return -1;
        }
        long before = addPlainly(pe, x);
        pe.lock().unlock();
        return before;
    }

    @JCStressTest
    @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "PE 0 came first")
    @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "PE 1 came first")
    @State
    public static class LockAndLock extends TwoPeState {
        public LockAndLock() {
            super(Long.BYTES);
        }

        @Actor
        public void zero(JJJ_Result result) {
            result.r1 = lockAndAdd(ZERO, x);
        }

        @Actor
        public void one(JJJ_Result result) {
            result.r2 = lockAndAdd(ONE, x);
        }

        @Arbiter
        public void look(JJJ_Result result) {
            result.r3 = ONE.longs().get(x);
        }
    }

    /// In one state at least one gets the lock, but the other may be in another state by then: that neither does
    /// is no fault.
    @JCStressTest
    @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "PE 0 came first")
    @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "PE 1 came first")
    @Outcome(id = "0, -1, 1", expect = ACCEPTABLE, desc = "PE 0 alone got it")
    @Outcome(id = "-1, 0, 1", expect = ACCEPTABLE, desc = "PE 1 alone got it")
    @Outcome(id = "-1, -1, 0", expect = ACCEPTABLE, desc = "each met the other in another state")
    @State
    public static class TryAndTry extends TwoPeState {
        public TryAndTry() {
            super(Long.BYTES);
        }

        @Actor
        public void zero(JJJ_Result result) {
            result.r1 = tryAndAdd(ZERO, x);
        }

        @Actor
        public void one(JJJ_Result result) {
            result.r2 = tryAndAdd(ONE, x);
        }

        @Arbiter
        public void look(JJJ_Result result) {
            result.r3 = ONE.longs().get(x);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "PE 0 came first")
    @Outcome(id = "1, 0, 2", expect = ACCEPTABLE, desc = "PE 1 came first")
    @Outcome(id = "0, -1, 1", expect = ACCEPTABLE, desc = "PE 1 met the lock taken")
    @State
    public static class LockAndTry extends TwoPeState {
        public LockAndTry() {
            super(Long.BYTES);
        }

        @Actor
        public void zero(JJJ_Result result) {
            result.r1 = lockAndAdd(ZERO, x);
        }

        @Actor
        public void one(JJJ_Result result) {
            result.r2 = tryAndAdd(ONE, x);
        }

        @Arbiter
        public void look(JJJ_Result result) {
            result.r3 = ONE.longs().get(x);
        }
    }
}
