// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// How the ends of PEs make the job's exit code.
class VerdictTest {
    @Test
    void theFirstFailureDecidesAndStopsTheJob() {
        Verdict verdict = new Verdict(OnFailure.END);
        assertThat(verdict.ended(0, false)).isFalse();
        assertThat(verdict.ended(7, true)).isTrue();
        assertThat(verdict.ended(8, true)).isFalse();
        assertThat(verdict.exitCode()).isEqualTo(7);
    }

    @Test
    void aFailureWithExitCodeZeroCountsAsOne() {
        Verdict verdict = new Verdict(OnFailure.END);
        assertThat(verdict.ended(0, true)).isTrue();
        assertThat(verdict.exitCode()).isEqualTo(1);
    }

    @Test
    void whereTheJobGoesOnTheFirstThatEndedByItselfDecides() {
        Verdict verdict = new Verdict(OnFailure.CONTINUE);
        assertThat(verdict.ended(137, true)).isFalse();
        assertThat(verdict.ended(0, false)).isFalse();
        assertThat(verdict.exitCode()).isZero();
        assertThat(verdict.ended(3, true)).isFalse();
        assertThat(verdict.ended(4, true)).isFalse();
        assertThat(verdict.exitCode()).isEqualTo(3);
    }

    @Test
    void whereTheJobGoesOnAndNoneEndedByItselfTheFirstSignalDecides() {
        Verdict verdict = new Verdict(OnFailure.CONTINUE);
        verdict.ended(137, true);
        verdict.ended(139, true);
        assertThat(verdict.exitCode()).isEqualTo(137);
    }

    @Test
    void whatIsDecidedStaysDecided() {
        Verdict verdict = new Verdict(OnFailure.END);
        assertThat(verdict.decide(124)).isTrue();
        assertThat(verdict.decide(9)).isFalse();
        assertThat(verdict.ended(143, true)).isFalse();
        assertThat(verdict.exitCode()).isEqualTo(124);
    }

    @Test
    void exitCodesOfSignalsAreThoseFrom129To192() {
        assertThat(Verdict.isSignal(128)).isFalse();
        assertThat(Verdict.isSignal(129)).isTrue();
        assertThat(Verdict.isSignal(192)).isTrue();
        assertThat(Verdict.isSignal(193)).isFalse();
    }
}
