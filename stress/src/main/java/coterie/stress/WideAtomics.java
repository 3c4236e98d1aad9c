// SPDX-License-Identifier: Apache-2.0
package coterie.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.DDD_Result;
import org.openjdk.jcstress.infra.results.FFF_Result;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/// Atomics of 4 and 8 bytes. Those on floating-point numbers are loops around a compare-and-swap of their bits.
class WideAtomics {
    private WideAtomics() {}

    @JCStressTest
    @Outcome(id = "0.0, 0.5, 2.5", expect = ACCEPTABLE, desc = "PE 0 came first")
    @Outcome(id = "2.0, 0.0, 2.5", expect = ACCEPTABLE, desc = "PE 1 came first")
    @State
    public static class DoubleAdds extends TwoPeState {
        public DoubleAdds() {
            super(Double.BYTES);
        }

        @Actor
        public void zero(DDD_Result result) {
            result.r1 = ZERO.doubles().getAndAdd(x, 0.5, 1);
        }

        @Actor
        public void one(DDD_Result result) {
            result.r2 = ONE.doubles().getAndAdd(x, 2, 1);
        }

        @Arbiter
        public void look(DDD_Result result) {
            result.r3 = ONE.doubles().get(x);
        }
    }

    @JCStressTest
    @Outcome(id = "0.0, 0.5, 2.5", expect = ACCEPTABLE, desc = "PE 0 came first")
    @Outcome(id = "2.0, 0.0, 2.5", expect = ACCEPTABLE, desc = "PE 1 came first")
    @State
    public static class FloatAdds extends TwoPeState {
        public FloatAdds() {
            super(Float.BYTES);
        }

        @Actor
        public void zero(FFF_Result result) {
            result.r1 = ZERO.floats().getAndAdd(x, 0.5f, 1);
        }

        @Actor
        public void one(FFF_Result result) {
            result.r2 = ONE.floats().getAndAdd(x, 2, 1);
        }

        @Arbiter
        public void look(FFF_Result result) {
            result.r3 = ONE.floats().get(x);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "the swap came last")
    @Outcome(id = "2, 0, 3", expect = ACCEPTABLE, desc = "the add came last")
    @State
    public static class AddAndSwap extends TwoPeState {
        public AddAndSwap() {
            super(Long.BYTES);
        }

        @Actor
        public void zero(JJJ_Result result) {
            result.r1 = ZERO.longs().getAndAdd(x, 1, 1);
        }

        @Actor
        public void one(JJJ_Result result) {
            result.r2 = ONE.longs().getAndSet(x, 2, 1);
        }

        @Arbiter
        public void look(JJJ_Result result) {
            result.r3 = ONE.longs().get(x);
        }
    }
}
