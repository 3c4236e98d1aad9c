// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import static coterie.sim.mutation.Mutant.dropped;
import static coterie.sim.mutation.OrderCase.FENCE;
import static coterie.sim.mutation.OrderCase.STRONG_SIGNAL;
import static coterie.sim.mutation.Trial.NATIVE;
import static coterie.sim.mutation.Trial.WEAK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// Mutations of the runtime's and the network's order. The cases of the violated guarantee find stale data, and no
/// other cases do. So the cases can fail, and the simulated network gives them the occasion.
class MutationTest {
    private static final String CONTEXT = "coterie.internal.rma.PeContext";

    @Test
    void withoutAMutationNothingIsFound() {
        Trial trial = new Trial(Mutant.NONE);
        assertThat(trial.stale(NATIVE)).isEmpty();
        assertThat(trial.stale(WEAK)).isEmpty();
        assertThat(trial.lost(NATIVE)).isEmpty();
        assertThat(trial.lost(WEAK)).isEmpty();
        assertThat(trial.races(NATIVE)).isEmpty();
        assertThat(trial.races(WEAK)).isEmpty();
    }

    @Test
    void aFenceThatIsSkippedIsCaught() {
        Trial trial = new Trial(Mutant.of(CONTEXT, "fence", "fence", dropped()));
        assertThat(trial.stale(NATIVE)).containsExactly(FENCE, STRONG_SIGNAL);
        assertThat(trial.stale(WEAK)).containsExactly(FENCE, STRONG_SIGNAL);
        assertThat(trial.races(NATIVE)).containsExactly(FENCE, STRONG_SIGNAL);
    }

    @Test
    void aMutationThatFindsNothingToChangeIsAnError() {
        assertThatThrownBy(() -> new Trial(Mutant.of(CONTEXT, "fence", "complete", dropped())))
                .isInstanceOf(AssertionError.class)
                .hasMessage("the mutation needs one call of complete in " + CONTEXT + ".fence, and it has 0");
    }
}
