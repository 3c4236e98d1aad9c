// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static coterie.sim.race.RaceScenario.assertRace;

import org.junit.jupiter.api.Test;

/// The moment from which on put bytes may be read, through one channel.
class PutRaceTest {
    private static final long DATA = 100;
    private static final long FLAG = 512;
    private static final long SIGNAL = 1024;

    private final RaceScenario raceScenario = new RaceScenario(3);

    @Test
    void nothingButThePut() {
        raceScenario.put(0, 1, DATA, 50).lands();
        assertRace(() -> raceScenario.read(1, DATA, 4));
    }

    @Test
    void whatIsUnderWayRacesAlready() {
        raceScenario.put(0, 1, DATA, 50);
        assertRace(() -> raceScenario.read(1, DATA + 49, 1));
        assertRace(() -> raceScenario.get(2, 1, DATA + 10, 1));
    }

    @Test
    void neighboursDoNotRace() {
        raceScenario.put(0, 1, DATA, 50).lands();
        raceScenario.read(1, DATA - 1, 1);
        raceScenario.read(1, DATA + 50, 8);
        raceScenario.read(0, DATA, 50);
        raceScenario.read(2, DATA, 50);
        assertRace(() -> raceScenario.read(1, DATA - 8, 9));
        assertRace(() -> raceScenario.read(1, DATA + 49, 100));
    }

    @Test
    void aSignalBringsItsBytesOnceItIsObserved() {
        raceScenario.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        assertRace(() -> raceScenario.read(1, DATA, 50));
        raceScenario.observe(1, SIGNAL);
        raceScenario.read(1, DATA, 50);
        raceScenario.read(1, SIGNAL, 8);
        assertRace(() -> raceScenario.get(2, 1, DATA, 50));
    }

    @Test
    void aSignalThatIsUnderWayTellsNothing() {
        raceScenario.putSignal(0, 1, DATA, 50, SIGNAL);
        raceScenario.observe(1, SIGNAL);
        assertRace(() -> raceScenario.read(1, DATA, 50));
    }

    @Test
    void aSignalBringsNothingElse() {
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.putSignal(0, 1, DATA + 8, 8, SIGNAL).lands();
        raceScenario.observe(1, SIGNAL);
        raceScenario.read(1, DATA + 8, 8);
        assertRace(() -> raceScenario.read(1, DATA, 8));
    }

    @Test
    void aSignalWithoutBytesBringsNothing() {
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.putSignal(0, 1, 0, 0, SIGNAL).lands();
        raceScenario.observe(1, SIGNAL);
        assertRace(() -> raceScenario.read(1, DATA, 8));
    }

    @Test
    void aSignalBehindAFenceBringsWhatWasBeforeIt() {
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.fence(0);
        raceScenario.put(0, 1, DATA + 8, 8).lands();
        raceScenario.putSignal(0, 1, 0, 0, SIGNAL).lands();
        raceScenario.observe(1, SIGNAL);
        raceScenario.read(1, DATA, 8);
        assertRace(() -> raceScenario.read(1, DATA + 8, 8));
    }

    @Test
    void aPutOfAWordIsAFlagToo() {
        raceScenario.put(0, 1, DATA, 50).lands();
        raceScenario.fence(0);
        raceScenario.word(0, 1, FLAG, 1).lands();
        raceScenario.observe(1, FLAG);
        raceScenario.read(1, FLAG, 8);
        raceScenario.read(1, DATA, 50);
    }

    @Test
    void aFlagThatIsNotObservedBringsNothing() {
        raceScenario.put(0, 1, DATA, 50).lands();
        raceScenario.fence(0);
        raceScenario.word(0, 1, FLAG, 1).lands();
        assertRace(() -> raceScenario.read(1, DATA, 50));
        assertRace(() -> raceScenario.read(1, FLAG, 8));
    }

    @Test
    void ofAPutWhoseFirstWordIsObservedThatWordIsKnown() {
        raceScenario.put(0, 1, FLAG, 64).lands();
        raceScenario.observe(1, FLAG);
        raceScenario.read(1, FLAG, 8);
        assertRace(() -> raceScenario.read(1, FLAG + 8, 1));
        raceScenario.quiet(0);
        raceScenario.barrier();
        raceScenario.read(1, FLAG, 64);
        raceScenario.get(2, 1, FLAG, 64);
    }

    @Test
    void aStoreOfOnesOwnEndsWhatAWordTells() {
        raceScenario.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        raceScenario.barrier();
        raceScenario.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        assertRace(() -> raceScenario.write(1, SIGNAL, 8));
        RaceScenario other = new RaceScenario(2);
        other.put(0, 1, DATA, 8).lands();
        other.fence(0);
        other.word(0, 1, FLAG, 1).lands();
        other.quiet(0);
        other.putSignal(0, 1, 0, 0, SIGNAL).lands();
        other.observe(1, SIGNAL);
        other.write(1, FLAG, 8);
        other.read(1, DATA, 8);
    }

    @Test
    void whatWasQuietIsKnownToWhomeverThatIsTold() {
        raceScenario.put(0, 1, DATA, 50).lands();
        raceScenario.quiet(0);
        assertRace(() -> raceScenario.get(2, 1, DATA, 50));
        raceScenario.word(0, 2, FLAG, 1).lands();
        raceScenario.observe(2, FLAG);
        raceScenario.get(2, 1, DATA, 50);
        assertRace(() -> raceScenario.read(1, DATA, 50));
    }

    @Test
    void whatIsToldBeforeTheQuietIsNot() {
        raceScenario.put(0, 1, DATA, 50).lands();
        raceScenario.word(0, 2, FLAG, 1).lands();
        raceScenario.quiet(0);
        raceScenario.observe(2, FLAG);
        assertRace(() -> raceScenario.get(2, 1, DATA, 50));
    }

    @Test
    void whatTheTargetHasObservedItMayPassOn() {
        raceScenario.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        raceScenario.observe(1, SIGNAL);
        raceScenario.word(1, 2, FLAG, 1).lands();
        assertRace(() -> raceScenario.get(2, 1, DATA, 50));
        raceScenario.observe(2, FLAG);
        raceScenario.get(2, 1, DATA, 50);
    }

    @Test
    void whatTheTargetHasToldBeforeItHadObservedItHasNotPassedOn() {
        raceScenario.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        raceScenario.word(1, 2, FLAG, 1).lands();
        raceScenario.observe(1, SIGNAL);
        raceScenario.observe(2, FLAG);
        assertRace(() -> raceScenario.get(2, 1, DATA, 50));
    }

    @Test
    void aGetOfOnesOwnPutNeedsAQuiet() {
        raceScenario.put(0, 1, DATA, 50).lands();
        raceScenario.fence(0);
        assertRace(() -> raceScenario.get(0, 1, DATA, 50));
        raceScenario.quiet(0);
        raceScenario.get(0, 1, DATA, 50);
    }

    @Test
    void aReadOfAPutToOneselfNeedsAQuiet() {
        raceScenario.put(0, 0, DATA, 50).lands();
        assertRace(() -> raceScenario.read(0, DATA, 50));
        raceScenario.quiet(0);
        raceScenario.read(0, DATA, 50);
    }

    @Test
    void theSourceOfAnOperationIsRead() {
        raceScenario.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        assertRace(() -> raceScenario.source(1, DATA, 8));
        raceScenario.observe(1, SIGNAL);
        raceScenario.source(1, DATA, 8);
    }

    @Test
    void whatAPeHasStoredItselfOthersMustHaveBeenTold() {
        raceScenario.write(1, DATA, 8);
        raceScenario.read(1, DATA, 8);
        assertRace(() -> raceScenario.get(0, 1, DATA, 8));
        raceScenario.word(1, 0, FLAG, 1).lands();
        raceScenario.write(1, DATA + 8, 8);
        raceScenario.observe(0, FLAG);
        raceScenario.get(0, 1, DATA, 8);
        assertRace(() -> raceScenario.get(0, 1, DATA + 8, 8));
    }

    @Test
    void ofOverwrittenBytesTheLatestCounts() {
        raceScenario.put(0, 1, DATA, 50).lands();
        raceScenario.barrier();
        raceScenario.put(2, 1, DATA + 13, 3).lands();
        raceScenario.read(1, DATA, 13);
        raceScenario.read(1, DATA + 16, 34);
        for (int at = 13; at < 16; at++) {
            long byteAt = DATA + at;
            assertRace(() -> raceScenario.read(1, byteAt, 1));
        }
        raceScenario.barrier();
        raceScenario.read(1, DATA, 50);
    }

    @Test
    void longPutsCrossPages() {
        raceScenario.put(0, 1, 4000, 20_001).lands();
        raceScenario.read(1, 3999, 1);
        raceScenario.read(1, 24_001, 1);
        assertRace(() -> raceScenario.read(1, 24_000, 1));
        assertRace(() -> raceScenario.read(1, 8191, 1));
        assertRace(() -> raceScenario.read(1, 8192, 1));
        raceScenario.barrier();
        raceScenario.read(1, 4000, 20_001);
    }

    @Test
    void aNewWorldHasANewHeap() {
        raceScenario.put(0, 1, DATA, 50).lands();
        raceScenario.raceDetector.closed(1);
        raceScenario.read(1, DATA, 50);
    }
}
