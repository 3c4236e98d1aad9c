// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// A history knows which PE knows how much of it, and forgets what all PEs know.
class PeerHistoryTest {
    private long horizon;
    private final PeerHistory history = new PeerHistory(1, pe -> horizon);

    private static VectorClock clock(long clock) {
        return VectorClock.beginning(0, 2).at(clock);
    }

    @Test
    void aNumberIsKnownFromTheFirstTimeOn() {
        history.wrote(9);
        history.known(3, 0, 10);
        history.known(7, 0, 20);
        assertThat(history.isKnown(3, clock(9))).isFalse();
        assertThat(history.isKnown(3, clock(10))).isTrue();
        assertThat(history.isKnown(4, clock(19))).isFalse();
        assertThat(history.isKnown(7, clock(20))).isTrue();
        assertThat(history.isKnown(8, clock(99))).isFalse();
    }

    @Test
    void anotherPeMayKnowItEarlier() {
        history.wrote(5);
        history.known(5, 0, 10);
        history.known(5, 1, 3);
        assertThat(history.isKnown(5, clock(9).join(new VectorClock(1, 3, new long[2]))))
                .isTrue();
        assertThat(history.isKnown(5, clock(9).join(new VectorClock(1, 2, new long[2]))))
                .isFalse();
    }

    @Test
    void laneWithoutWritesRemembersNothing() {
        history.known(5, 0, 10);
        assertThat(history.longest()).isZero();
    }

    @Test
    void whatEverybodyKnowsIsForgotten() {
        for (int n = 1; n <= 10_000; n++) {
            history.wrote(n);
            history.known(n, 0, n);
            horizon = n - 2L;
        }
        assertThat(history.longest()).isLessThan(10);
        assertThat(history.isKnown(10_000, clock(9_999))).isFalse();
        assertThat(history.isKnown(10_000, clock(10_000))).isTrue();
        assertThat(history.isKnown(9_999, clock(9_998))).isFalse();
        assertThat(history.isKnown(3, clock(9_998))).isTrue();
    }

    @Test
    void whatSomebodyDoesNotKnowIsKept() {
        for (int n = 1; n <= 100; n++) {
            history.wrote(n);
            history.known(n, 0, n);
        }
        for (int n = 1; n <= 100; n++) {
            assertThat(history.isKnown(n, clock(n - 1))).isFalse();
            assertThat(history.isKnown(n, clock(n))).isTrue();
        }
    }
}
