// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import static coterie.sim.mutation.Mutant.answering;
import static coterie.sim.mutation.OrderCase.FENCE;
import static coterie.sim.mutation.OrderCase.STRONG_SIGNAL;
import static coterie.sim.mutation.Trial.NATIVE;
import static coterie.sim.mutation.Trial.WEAK;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Mutations of what holds a strong signal back until all before it has arrived.
class StrongSignalMutationTest {
    private static final String ORDERED = "coterie.internal.order.OrderedChannel";
    private static final String QUEUE = "coterie.sim.network.InFlightQueue";

    /// Each message takes effect when it arrives. The program is correct, so the detector finds no race.
    @Test
    void aStrongSignalThatIgnoresTheCursorIsCaught() {
        Trial trial = new Trial(Mutant.of(QUEUE, "arrive", "done", answering(Long.MAX_VALUE)));
        assertThat(trial.stale(NATIVE)).containsExactly(FENCE, STRONG_SIGNAL);
        assertThat(trial.races(NATIVE)).isEmpty();
    }

    /// The runtime orders in place of a network without fences. The race detector sees the operations that reach
    /// the network.
    @Test
    void aStrongSignalThatIsNotHeldBackIsCaught() {
        Trial trial = new Trial(Mutant.of(ORDERED, "canStart", "isClear", answering(1)));
        assertThat(trial.stale(WEAK)).containsExactly(FENCE, STRONG_SIGNAL);
        assertThat(trial.races(WEAK)).containsExactly(FENCE, STRONG_SIGNAL);
    }
}
