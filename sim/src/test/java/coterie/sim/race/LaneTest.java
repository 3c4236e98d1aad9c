// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Who knows how much of a lane, and that it does not remember that for ever.
class LaneTest {
    private long horizon;
    private final Lane lane = new Lane(1, pe -> horizon);

    private static Past past(long clock) {
        return Past.beginning(0, 2).at(clock);
    }

    @Test
    void aNumberIsKnownFromTheFirstTimeOn() {
        lane.wrote(9);
        lane.known(3, 0, 10);
        lane.known(7, 0, 20);
        assertThat(lane.isKnown(3, past(9))).isFalse();
        assertThat(lane.isKnown(3, past(10))).isTrue();
        assertThat(lane.isKnown(4, past(19))).isFalse();
        assertThat(lane.isKnown(7, past(20))).isTrue();
        assertThat(lane.isKnown(8, past(99))).isFalse();
    }

    @Test
    void anotherPeMayKnowItEarlier() {
        lane.wrote(5);
        lane.known(5, 0, 10);
        lane.known(5, 1, 3);
        assertThat(lane.isKnown(5, past(9).join(new Past(1, 3, new long[2])))).isTrue();
        assertThat(lane.isKnown(5, past(9).join(new Past(1, 2, new long[2])))).isFalse();
    }

    @Test
    void laneWithoutWritesRemembersNothing() {
        lane.known(5, 0, 10);
        assertThat(lane.longest()).isZero();
    }

    @Test
    void whatEverybodyKnowsIsForgotten() {
        for (int n = 1; n <= 10_000; n++) {
            lane.wrote(n);
            lane.known(n, 0, n);
            horizon = n - 2L;
        }
        assertThat(lane.longest()).isLessThan(10);
        assertThat(lane.isKnown(10_000, past(9_999))).isFalse();
        assertThat(lane.isKnown(10_000, past(10_000))).isTrue();
        assertThat(lane.isKnown(9_999, past(9_998))).isFalse();
        assertThat(lane.isKnown(3, past(9_998))).isTrue();
    }

    @Test
    void whatSomebodyDoesNotKnowIsKept() {
        for (int n = 1; n <= 100; n++) {
            lane.wrote(n);
            lane.known(n, 0, n);
        }
        for (int n = 1; n <= 100; n++) {
            assertThat(lane.isKnown(n, past(n - 1))).isFalse();
            assertThat(lane.isKnown(n, past(n))).isTrue();
        }
    }
}
