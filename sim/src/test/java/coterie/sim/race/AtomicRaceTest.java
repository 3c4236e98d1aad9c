// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static coterie.sim.race.Play.assertRace;
import static org.assertj.core.api.Assertions.assertThatCode;

import coterie.sim.race.Play.Operation;
import org.junit.jupiter.api.Test;

/// Words that are changed indivisibly: what they order, and with what they race.
class AtomicRaceTest {
    private static final long DATA = 64;
    private static final long WORD = 1024;

    private final Play play = new Play(4);

    @Test
    void atomicsOnAWordDoNotRace() {
        play.update(0, 1, WORD);
        play.update(0, 1, WORD);
        play.atomic(2, 1, WORD).lands().returns();
        play.compare(3, 1, WORD).lands().returns();
        play.fetch(1, 1, WORD).lands().returns();
        play.putSignal(2, 1, 0, 0, WORD).lands();
        play.observe(1, WORD);
    }

    @Test
    void aPlainReadRacesWithAnAtomicThatIsNotObserved() {
        Operation first = play.update(0, 1, WORD);
        Operation second = play.update(0, 1, WORD);
        second.lands();
        play.observe(1, WORD);
        assertRace(() -> play.read(1, WORD, 8));
        first.lands();
        assertRace(() -> play.read(1, WORD, 8));
        play.observe(1, WORD);
        play.read(1, WORD, 8);
        play.update(2, 1, WORD + 8);
        assertRace(() -> play.read(1, WORD + 8, 8));
    }

    @Test
    void whoFetchesAgainKnowsWhatHasComeLate() {
        Operation first = play.update(0, 1, WORD);
        play.update(0, 1, WORD).lands();
        play.fetch(2, 1, WORD).lands().returns();
        first.lands();
        assertRace(() -> play.get(2, 1, WORD, 8));
        play.fetch(2, 1, WORD).lands().returns();
        play.get(2, 1, WORD, 8);
    }

    @Test
    void ofManyAtomicsOfAChannelTheLatestStandsForAll() {
        for (int n = 0; n < 100; n++) {
            play.update(0, 1, WORD).lands();
        }
        play.observe(1, WORD);
        play.read(1, WORD, 8);
        play.get(1, 1, WORD, 8);
    }

    @Test
    void aPlainPutRacesWithAtomics() {
        play.update(0, 1, WORD).lands();
        assertRace(() -> play.word(2, 1, WORD, 5));
        Play other = new Play(3);
        other.word(2, 1, WORD, 5).lands();
        assertRace(() -> other.update(0, 1, WORD));
        assertRace(() -> other.fetch(0, 1, WORD));
        assertRace(() -> other.compare(0, 1, WORD));
        other.fence(2);
        other.fetch(2, 1, WORD).lands().returns();
    }

    @Test
    void aPlainGetRacesWithAtomics() {
        play.get(2, 1, WORD, 8).returns();
        assertRace(() -> play.update(0, 1, WORD));
        Play other = new Play(3);
        other.update(0, 1, WORD).lands();
        assertRace(() -> other.get(2, 1, WORD, 8));
    }

    @Test
    void whatReadsOnlyRacesWithNoPlainRead() {
        play.fetch(0, 1, WORD).lands().returns();
        play.compare(2, 1, WORD).fails().returns();
        play.read(1, WORD, 8);
        play.get(3, 1, WORD, 8).returns();
        play.fetch(0, 1, WORD);
    }

    @Test
    void aPutRacesWithAnEarlierFetch() {
        play.fetch(0, 1, WORD).lands().returns();
        assertRace(() -> play.word(2, 1, WORD, 5));
        play.word(0, 1, WORD, 5);
    }

    @Test
    void aSwapThatHasFoundWhatItExpectedRacesAtItsReturn() {
        play.read(1, WORD, 8);
        Operation swap = play.compare(0, 1, WORD);
        assertThatCode(swap::lands).doesNotThrowAnyException();
        assertRace(swap::returns).hasMessageContaining("compare-and-swap on PE 0");
    }

    @Test
    void anAtomicThatReturnsBringsWhatItsWordTells() {
        play.put(0, 1, DATA, 8).lands();
        play.quiet(0);
        play.update(0, 2, WORD).lands();
        Operation fetch = play.fetch(3, 2, WORD).lands();
        assertRace(() -> play.get(3, 1, DATA, 8));
        fetch.returns();
        play.get(3, 1, DATA, 8);
    }

    @Test
    void whatLandsBehindAnAtomicIsNotBroughtByIt() {
        Operation fetch = play.fetch(3, 2, WORD).lands();
        play.put(0, 1, DATA, 8).lands();
        play.quiet(0);
        play.update(0, 2, WORD).lands();
        fetch.returns();
        assertRace(() -> play.get(3, 1, DATA, 8));
    }

    @Test
    void aSwapThatFailsTellsNobodyAnything() {
        play.update(1, 2, WORD).lands();
        play.put(0, 1, DATA, 8).lands();
        play.quiet(0);
        play.compare(0, 2, WORD).fails().returns();
        play.observe(2, WORD);
        assertRace(() -> play.get(2, 1, DATA, 8));
    }

    @Test
    void anAtomicKeepsWhatThoseBeforeItHaveMadeVisible() {
        play.putSignal(0, 1, DATA, 8, WORD).lands();
        play.putSignal(2, 1, DATA + 8, 8, WORD).lands();
        play.put(3, 1, DATA + 16, 8).lands();
        play.fence(3);
        play.update(3, 1, WORD).lands();
        play.observe(1, WORD);
        play.read(1, DATA, 24);
    }

    @Test
    void aPutCutsOffWhatWasBeforeIt() {
        play.put(0, 2, DATA, 8).lands();
        play.quiet(0);
        play.word(0, 1, WORD, 1).lands();
        play.word(3, 1, WORD, 1).lands();
        play.observe(1, WORD);
        assertRace(() -> play.get(1, 2, DATA, 8));
    }

    @Test
    void aThirdPeThatFetchesASignalKnowsItsBytes() {
        play.putSignal(0, 1, DATA, 8, WORD).lands();
        play.put(0, 1, DATA + 8, 8).lands();
        play.fetch(2, 1, WORD).lands().returns();
        play.get(2, 1, DATA, 8).returns();
        assertRace(() -> play.get(2, 1, DATA + 8, 8));
        assertRace(() -> play.read(1, DATA, 8));
    }

    @Test
    void anAtomicBehindAFenceTellsItsPeWhatHasLanded() {
        play.put(0, 1, DATA, 8).lands();
        play.fence(0);
        Operation fetch = play.fetch(0, 1, WORD).lands();
        assertRace(() -> play.get(0, 1, DATA, 8));
        fetch.returns();
        play.get(0, 1, DATA, 8);
    }

    @Test
    void signalsWithoutNumberBringTheirBytes() {
        int count = 1000;
        for (int n = 0; n < count; n++) {
            play.putSignal(n % 2 * 2, 1, 4096 + 8L * n, 8, WORD).lands();
        }
        play.observe(1, WORD);
        play.read(1, 4096, 8L * count);
    }
}
