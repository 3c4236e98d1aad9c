// SPDX-License-Identifier: Apache-2.0
package coterie.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import coterie.Comparison;
import coterie.SignalWord;
import coterie.SignalOperation;
import coterie.WaitSet;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/// What a fence orders and a quiet completes.
class Order {
    private Order() {}

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing yet")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the data before the flag")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "the flag without the data")
    @State
    public static class Fence extends TwoPeState {
        public Fence() {
            super(Long.BYTES);
        }

        @Actor
        public void puts() {
            ZERO.longs().put(x, 1, 1);
            ZERO.context().fence();
            ZERO.longs().put(y, 1, 1);
        }

        @Actor
        public void looks(IJ_Result result) {
            result.r1 = ONE.longs().test(y, Comparison.EQ, 1) ? 1 : 0;
            result.r2 = ONE.longs().get(x);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing yet")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the data before the signal")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "the signal without the data")
    @State
    public static class PutSignal extends TwoPeState {
        private static final MemorySegment SOURCE = MemorySegment.ofArray(new long[] {1});

        private final SignalWord theirs;
        private final SignalWord mine;

        public PutSignal() {
            super(Long.BYTES);
            theirs = ZERO.memory().signal(y);
            mine = ONE.memory().signal(y);
        }

        @Actor
        public void puts() {
            ZERO.longs().putSignal(x, SOURCE, 0, 1, theirs.setting(1), 1);
        }

        @Actor
        public void looks(IJ_Result result) {
            result.r1 = (int) mine.fetch();
            result.r2 = ONE.longs().get(x);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "PE 1 came last")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "PE 0 came last")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both put before either looked")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "neither saw the other's put")
    @State
    public static class Quiet extends TwoPeState {
        public Quiet() {
            super(Long.BYTES);
        }

        @Actor
        public void zero(JJ_Result result) {
            ZERO.longs().put(x, 1, 1);
            ZERO.context().quiet();
            result.r1 = ZERO.longs().get(y);
        }

        @Actor
        public void one(JJ_Result result) {
            ONE.longs().put(y, 1, 0);
            ONE.context().quiet();
            result.r2 = ONE.longs().get(x);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "PE 1 came last")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "PE 0 came last")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both put before either looked")
    @Outcome(id = "0, 0", expect = ACCEPTABLE_INTERESTING, desc = "what a fence does not forbid, and a quiet does")
    @State
    public static class FenceIsNoQuiet extends TwoPeState {
        public FenceIsNoQuiet() {
            super(Long.BYTES);
        }

        @Actor
        public void zero(JJ_Result result) {
            ZERO.longs().put(x, 1, 1);
            ZERO.context().fence();
            result.r1 = ZERO.longs().get(y);
        }

        @Actor
        public void one(JJ_Result result) {
            ONE.longs().put(y, 1, 0);
            ONE.context().fence();
            result.r2 = ONE.longs().get(x);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing yet")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "the data before the flags")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "all")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "all flags without the data")
    @State
    public static class AllOfASet extends TwoPeState {
        private final WaitSet flags;

        public AllOfASet() {
            super(Long.BYTES);
            flags = ONE.longs().waitSet(y, 2);
        }

        @Actor
        public void puts() {
            ZERO.longs().put(y, 1, 1);
            ZERO.longs().put(x, 1, 1);
            ZERO.context().fence();
            ZERO.longs().put(y + 1, 1, 1);
        }

        @Actor
        public void looks(IJ_Result result) {
            result.r1 = flags.testAll(Comparison.EQ, 1) ? 1 : 0;
            result.r2 = ONE.longs().get(x);
        }
    }

    @JCStressTest
    @Outcome(id = "-1, 0", expect = ACCEPTABLE, desc = "nothing yet")
    @Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "the data before the flag")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "the flag without the data")
    @State
    public static class AnyOfASet extends TwoPeState {
        private final WaitSet flags;

        public AnyOfASet() {
            super(Long.BYTES);
            flags = ONE.longs().waitSet(y, 2);
        }

        @Actor
        public void puts() {
            ZERO.longs().put(x, 1, 1);
            ZERO.context().fence();
            ZERO.longs().put(y + 1, 1, 1);
        }

        @Actor
        public void looks(IJ_Result result) {
            result.r1 = flags.testAny(Comparison.EQ, 1);
            result.r2 = ONE.longs().get(x);
        }
    }
}
