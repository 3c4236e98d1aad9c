// SPDX-License-Identifier: Apache-2.0
package coterie.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Atomics of 1 and 2 bytes, which are compare-and-swaps of the 4 bytes around them: what lies beside is left
/// alone.
class NarrowAtomics {
    private NarrowAtomics() {}

    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "neither is lost")
    @State
    public static class AddBesidePut extends TwoPeState {
        public AddBesidePut() {
            super(Byte.BYTES);
        }

        @Actor
        public void adds() {
            ZERO.bytes().add(x, 1, 1);
        }

        @Actor
        public void puts() {
            ONE.bytes().put(y, 1, 1);
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = (int) ONE.bytes().get(x);
            result.r2 = (int) ONE.bytes().get(y);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 7", expect = ACCEPTABLE, desc = "the sum wraps, and does not carry into the neighbour")
    @State
    public static class AddThatWrapsBesidePut extends TwoPeState {
        public AddThatWrapsBesidePut() {
            super(Byte.BYTES);
            ONE.bytes().set(x, -1);
        }

        @Actor
        public void adds() {
            ZERO.bytes().add(x, 1, 1);
        }

        @Actor
        public void puts() {
            ONE.bytes().put(y, 7, 1);
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = (int) ONE.bytes().get(x);
            result.r2 = (int) ONE.bytes().get(y);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "neither is lost")
    @State
    public static class AddBesideAdd extends TwoPeState {
        public AddBesideAdd() {
            super(Short.BYTES);
        }

        @Actor
        public void addsToX() {
            ZERO.shorts().add(x, 1, 1);
        }

        @Actor
        public void addsToY() {
            ONE.shorts().add(y, 1, 1);
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = (int) ONE.shorts().get(x);
            result.r2 = (int) ONE.shorts().get(y);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "PE 0 came first")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "PE 1 came first")
    @State
    public static class AddAndAdd extends TwoPeState {
        public AddAndAdd() {
            super(Short.BYTES);
        }

        @Actor
        public void zero(II_Result result) {
            result.r1 = (int) ZERO.shorts().getAndAdd(x, 1, 0);
        }

        @Actor
        public void one(II_Result result) {
            result.r2 = (int) ONE.shorts().getAndAdd(x, 1, 0);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "PE 0 won")
    @Outcome(id = "2, 0", expect = ACCEPTABLE, desc = "PE 1 won")
    @State
    public static class CompareAndSwap extends TwoPeState {
        public CompareAndSwap() {
            super(Byte.BYTES);
        }

        @Actor
        public void zero(II_Result result) {
            result.r1 = (int) ZERO.bytes().compareAndExchange(x, 0, 1, 1);
        }

        @Actor
        public void one(II_Result result) {
            result.r2 = (int) ONE.bytes().compareAndExchange(x, 0, 2, 1);
        }
    }
}
