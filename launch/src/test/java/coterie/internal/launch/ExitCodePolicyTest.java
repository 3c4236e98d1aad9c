// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// How the ends of PEs make the job's exit code.
class ExitCodePolicyTest {
    @Test
    void theFirstFailureDecidesAndStopsTheJob() {
        ExitCodePolicy exitCodePolicy = new ExitCodePolicy(OnFailure.END);
        assertThat(exitCodePolicy.ended(0, false)).isFalse();
        assertThat(exitCodePolicy.ended(7, true)).isTrue();
        assertThat(exitCodePolicy.ended(8, true)).isFalse();
        assertThat(exitCodePolicy.exitCode()).isEqualTo(7);
    }

    @Test
    void aFailureWithExitCodeZeroCountsAsOne() {
        ExitCodePolicy exitCodePolicy = new ExitCodePolicy(OnFailure.END);
        assertThat(exitCodePolicy.ended(0, true)).isTrue();
        assertThat(exitCodePolicy.exitCode()).isEqualTo(1);
    }

    @Test
    void whereTheJobGoesOnTheFirstThatEndedByItselfDecides() {
        ExitCodePolicy exitCodePolicy = new ExitCodePolicy(OnFailure.CONTINUE);
        assertThat(exitCodePolicy.ended(137, true)).isFalse();
        assertThat(exitCodePolicy.ended(0, false)).isFalse();
        assertThat(exitCodePolicy.exitCode()).isZero();
        assertThat(exitCodePolicy.ended(3, true)).isFalse();
        assertThat(exitCodePolicy.ended(4, true)).isFalse();
        assertThat(exitCodePolicy.exitCode()).isEqualTo(3);
    }

    @Test
    void whereTheJobGoesOnAndNoneEndedByItselfTheFirstSignalDecides() {
        ExitCodePolicy exitCodePolicy = new ExitCodePolicy(OnFailure.CONTINUE);
        exitCodePolicy.ended(137, true);
        exitCodePolicy.ended(139, true);
        assertThat(exitCodePolicy.exitCode()).isEqualTo(137);
    }

    @Test
    void whatIsDecidedStaysDecided() {
        ExitCodePolicy exitCodePolicy = new ExitCodePolicy(OnFailure.END);
        assertThat(exitCodePolicy.decide(124)).isTrue();
        assertThat(exitCodePolicy.decide(9)).isFalse();
        assertThat(exitCodePolicy.ended(143, true)).isFalse();
        assertThat(exitCodePolicy.exitCode()).isEqualTo(124);
    }

    @Test
    void exitCodesOfSignalsAreThoseFrom129To192() {
        assertThat(ExitCodePolicy.isSignal(128)).isFalse();
        assertThat(ExitCodePolicy.isSignal(129)).isTrue();
        assertThat(ExitCodePolicy.isSignal(192)).isTrue();
        assertThat(ExitCodePolicy.isSignal(193)).isFalse();
    }
}
