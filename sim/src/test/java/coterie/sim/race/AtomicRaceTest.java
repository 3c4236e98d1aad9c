// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static coterie.sim.race.RaceScenario.assertRace;
import static org.assertj.core.api.Assertions.assertThatCode;

import coterie.sim.race.RaceScenario.Operation;
import org.junit.jupiter.api.Test;

/// Atomics on words: which accesses they order, and with which they race.
class AtomicRaceTest {
    private static final long DATA = 64;
    private static final long WORD = 1024;

    private final RaceScenario raceScenario = new RaceScenario(4);

    @Test
    void atomicsOnAWordDoNotRace() {
        raceScenario.update(0, 1, WORD);
        raceScenario.update(0, 1, WORD);
        raceScenario.atomic(2, 1, WORD).lands().returns();
        raceScenario.compare(3, 1, WORD).lands().returns();
        raceScenario.fetch(1, 1, WORD).lands().returns();
        raceScenario.putSignal(2, 1, 0, 0, WORD).lands();
        raceScenario.observe(1, WORD);
    }

    @Test
    void aPlainReadRacesWithAnAtomicThatIsNotObserved() {
        Operation first = raceScenario.update(0, 1, WORD);
        Operation second = raceScenario.update(0, 1, WORD);
        second.lands();
        raceScenario.observe(1, WORD);
        assertRace(() -> raceScenario.read(1, WORD, 8));
        first.lands();
        assertRace(() -> raceScenario.read(1, WORD, 8));
        raceScenario.observe(1, WORD);
        raceScenario.read(1, WORD, 8);
        raceScenario.update(2, 1, WORD + 8);
        assertRace(() -> raceScenario.read(1, WORD + 8, 8));
    }

    @Test
    void whoFetchesAgainKnowsWhatHasComeLate() {
        Operation first = raceScenario.update(0, 1, WORD);
        raceScenario.update(0, 1, WORD).lands();
        raceScenario.fetch(2, 1, WORD).lands().returns();
        first.lands();
        assertRace(() -> raceScenario.get(2, 1, WORD, 8));
        raceScenario.fetch(2, 1, WORD).lands().returns();
        raceScenario.get(2, 1, WORD, 8);
    }

    @Test
    void ofManyAtomicsOfAChannelTheLatestStandsForAll() {
        for (int n = 0; n < 100; n++) {
            raceScenario.update(0, 1, WORD).lands();
        }
        raceScenario.observe(1, WORD);
        raceScenario.read(1, WORD, 8);
        raceScenario.get(1, 1, WORD, 8);
    }

    @Test
    void aPlainPutRacesWithAtomics() {
        raceScenario.update(0, 1, WORD).lands();
        assertRace(() -> raceScenario.word(2, 1, WORD, 5));
        RaceScenario other = new RaceScenario(3);
        other.word(2, 1, WORD, 5).lands();
        assertRace(() -> other.update(0, 1, WORD));
        assertRace(() -> other.fetch(0, 1, WORD));
        assertRace(() -> other.compare(0, 1, WORD));
        other.fence(2);
        other.fetch(2, 1, WORD).lands().returns();
    }

    @Test
    void aPlainGetRacesWithAtomics() {
        raceScenario.get(2, 1, WORD, 8).returns();
        assertRace(() -> raceScenario.update(0, 1, WORD));
        RaceScenario other = new RaceScenario(3);
        other.update(0, 1, WORD).lands();
        assertRace(() -> other.get(2, 1, WORD, 8));
    }

    @Test
    void whatReadsOnlyRacesWithNoPlainRead() {
        raceScenario.fetch(0, 1, WORD).lands().returns();
        raceScenario.compare(2, 1, WORD).fails().returns();
        raceScenario.read(1, WORD, 8);
        raceScenario.get(3, 1, WORD, 8).returns();
        raceScenario.fetch(0, 1, WORD);
    }

    @Test
    void aPutRacesWithAnEarlierFetch() {
        raceScenario.fetch(0, 1, WORD).lands().returns();
        assertRace(() -> raceScenario.word(2, 1, WORD, 5));
        raceScenario.word(0, 1, WORD, 5);
    }

    @Test
    void aSwapThatHasFoundWhatItExpectedRacesAtItsReturn() {
        raceScenario.read(1, WORD, 8);
        Operation swap = raceScenario.compare(0, 1, WORD);
        assertThatCode(swap::lands).doesNotThrowAnyException();
        assertRace(swap::returns).hasMessageContaining("compare-and-swap on PE 0");
    }

    @Test
    void anAtomicThatReturnsBringsWhatItsWordTells() {
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.quiet(0);
        raceScenario.update(0, 2, WORD).lands();
        Operation fetch = raceScenario.fetch(3, 2, WORD).lands();
        assertRace(() -> raceScenario.get(3, 1, DATA, 8));
        fetch.returns();
        raceScenario.get(3, 1, DATA, 8);
    }

    @Test
    void whatLandsBehindAnAtomicIsNotBroughtByIt() {
        Operation fetch = raceScenario.fetch(3, 2, WORD).lands();
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.quiet(0);
        raceScenario.update(0, 2, WORD).lands();
        fetch.returns();
        assertRace(() -> raceScenario.get(3, 1, DATA, 8));
    }

    @Test
    void aSwapThatFailsTellsNobodyAnything() {
        raceScenario.update(1, 2, WORD).lands();
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.quiet(0);
        raceScenario.compare(0, 2, WORD).fails().returns();
        raceScenario.observe(2, WORD);
        assertRace(() -> raceScenario.get(2, 1, DATA, 8));
    }

    @Test
    void anAtomicKeepsWhatThoseBeforeItHaveMadeVisible() {
        raceScenario.putSignal(0, 1, DATA, 8, WORD).lands();
        raceScenario.putSignal(2, 1, DATA + 8, 8, WORD).lands();
        raceScenario.put(3, 1, DATA + 16, 8).lands();
        raceScenario.fence(3);
        raceScenario.update(3, 1, WORD).lands();
        raceScenario.observe(1, WORD);
        raceScenario.read(1, DATA, 24);
    }

    @Test
    void aPutCutsOffWhatWasBeforeIt() {
        raceScenario.put(0, 2, DATA, 8).lands();
        raceScenario.quiet(0);
        raceScenario.word(0, 1, WORD, 1).lands();
        raceScenario.word(3, 1, WORD, 1).lands();
        raceScenario.observe(1, WORD);
        assertRace(() -> raceScenario.get(1, 2, DATA, 8));
    }

    @Test
    void aThirdPeThatFetchesASignalKnowsItsBytes() {
        raceScenario.putSignal(0, 1, DATA, 8, WORD).lands();
        raceScenario.put(0, 1, DATA + 8, 8).lands();
        raceScenario.fetch(2, 1, WORD).lands().returns();
        raceScenario.get(2, 1, DATA, 8).returns();
        assertRace(() -> raceScenario.get(2, 1, DATA + 8, 8));
        assertRace(() -> raceScenario.read(1, DATA, 8));
    }

    @Test
    void anAtomicBehindAFenceTellsItsPeWhatHasLanded() {
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.fence(0);
        Operation fetch = raceScenario.fetch(0, 1, WORD).lands();
        assertRace(() -> raceScenario.get(0, 1, DATA, 8));
        fetch.returns();
        raceScenario.get(0, 1, DATA, 8);
    }

    @Test
    void signalsWithoutNumberBringTheirBytes() {
        int count = 1000;
        for (int n = 0; n < count; n++) {
            raceScenario.putSignal(n % 2 * 2, 1, 4096 + 8L * n, 8, WORD).lands();
        }
        raceScenario.observe(1, WORD);
        raceScenario.read(1, 4096, 8L * count);
    }
}
