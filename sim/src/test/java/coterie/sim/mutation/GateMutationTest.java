// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import static coterie.sim.mutation.GateCase.ENDED;
import static coterie.sim.mutation.GateCase.HEARD;
import static coterie.sim.mutation.GateCase.ONE_THREAD;
import static coterie.sim.mutation.GateCase.ONE_THREAD_AMONG_THE_LIVING;
import static coterie.sim.mutation.GateCase.OVER;
import static coterie.sim.mutation.GateCase.POISONED;
import static coterie.sim.mutation.Mutant.dropped;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/// Mutations of the gate through which all collectives of a team go: each of its calls is needed, by one law.
class GateMutationTest {
    private static final String GATE = "coterie.internal.sync.CallGate";

    @Test
    void theGateItselfBreaksNothing() {
        assertThat(broken(Mutant.NONE)).isEmpty();
    }

    @Test
    void aLockThatIsNotReleasedIsCaught() {
        assertThat(broken(Mutant.of(GATE + "$Passage", "close", "release", dropped())))
                .contains(OVER);
    }

    @Test
    void aLockThatIsNotTakenIsCaught() {
        assertThat(broken(Mutant.of(GATE, "enter", "acquire", dropped()))).contains(ONE_THREAD);
    }

    @Test
    void aLockThatIsNotTakenByTheLivingIsCaught() {
        assertThat(broken(Mutant.of(GATE, "enterToEnd", "acquire", dropped())))
                .containsExactly(ONE_THREAD_AMONG_THE_LIVING);
    }

    @Test
    void aListenerThatIsNotToldIsCaught() {
        assertThat(broken(Mutant.of(GATE, "enter", "begin", dropped()))).containsExactly(HEARD);
    }

    @Test
    void aPoisonThatIsNotSeenIsCaught() {
        assertThat(broken(Mutant.of(GATE, "enter", "checkNotPoisoned", dropped())))
                .containsExactly(POISONED);
    }

    @Test
    void anEndThatIsNotSeenIsCaught() {
        assertThat(broken(Mutant.of(GATE, "enterToEnd", "checkAlive", dropped())))
                .containsExactly(ENDED);
    }

    private static Set<GateCase> broken(Mutant mutant) {
        BinaryOperator<String> runner = new MutantLoader(mutant).runner(GateRun.class);
        Set<GateCase> broken = EnumSet.noneOf(GateCase.class);
        Arrays.stream(GateCase.values())
                .filter(each -> runner.apply(each.name(), "").equals(GateRun.BROKEN))
                .forEach(broken::add);
        return broken;
    }
}
