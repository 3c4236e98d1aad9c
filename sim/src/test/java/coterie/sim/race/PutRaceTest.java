// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static coterie.sim.race.Play.assertRace;

import org.junit.jupiter.api.Test;

/// When what was put may be read, through one channel.
class PutRaceTest {
    private static final long DATA = 100;
    private static final long FLAG = 512;
    private static final long SIGNAL = 1024;

    private final Play play = new Play(3);

    @Test
    void nothingButThePut() {
        play.put(0, 1, DATA, 50).lands();
        assertRace(() -> play.read(1, DATA, 4));
    }

    @Test
    void whatIsUnderWayRacesAlready() {
        play.put(0, 1, DATA, 50);
        assertRace(() -> play.read(1, DATA + 49, 1));
        assertRace(() -> play.get(2, 1, DATA + 10, 1));
    }

    @Test
    void neighboursDoNotRace() {
        play.put(0, 1, DATA, 50).lands();
        play.read(1, DATA - 1, 1);
        play.read(1, DATA + 50, 8);
        play.read(0, DATA, 50);
        play.read(2, DATA, 50);
        assertRace(() -> play.read(1, DATA - 8, 9));
        assertRace(() -> play.read(1, DATA + 49, 100));
    }

    @Test
    void aSignalBringsItsBytesOnceItIsObserved() {
        play.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        assertRace(() -> play.read(1, DATA, 50));
        play.observe(1, SIGNAL);
        play.read(1, DATA, 50);
        play.read(1, SIGNAL, 8);
        assertRace(() -> play.get(2, 1, DATA, 50));
    }

    @Test
    void aSignalThatIsUnderWayTellsNothing() {
        play.putSignal(0, 1, DATA, 50, SIGNAL);
        play.observe(1, SIGNAL);
        assertRace(() -> play.read(1, DATA, 50));
    }

    @Test
    void aSignalBringsNothingElse() {
        play.put(0, 1, DATA, 8).lands();
        play.putSignal(0, 1, DATA + 8, 8, SIGNAL).lands();
        play.observe(1, SIGNAL);
        play.read(1, DATA + 8, 8);
        assertRace(() -> play.read(1, DATA, 8));
    }

    @Test
    void aSignalWithoutBytesBringsNothing() {
        play.put(0, 1, DATA, 8).lands();
        play.putSignal(0, 1, 0, 0, SIGNAL).lands();
        play.observe(1, SIGNAL);
        assertRace(() -> play.read(1, DATA, 8));
    }

    @Test
    void aSignalBehindAFenceBringsWhatWasBeforeIt() {
        play.put(0, 1, DATA, 8).lands();
        play.fence(0);
        play.put(0, 1, DATA + 8, 8).lands();
        play.putSignal(0, 1, 0, 0, SIGNAL).lands();
        play.observe(1, SIGNAL);
        play.read(1, DATA, 8);
        assertRace(() -> play.read(1, DATA + 8, 8));
    }

    @Test
    void aPutOfAWordIsAFlagToo() {
        play.put(0, 1, DATA, 50).lands();
        play.fence(0);
        play.word(0, 1, FLAG, 1).lands();
        play.observe(1, FLAG);
        play.read(1, FLAG, 8);
        play.read(1, DATA, 50);
    }

    @Test
    void aFlagThatIsNotObservedBringsNothing() {
        play.put(0, 1, DATA, 50).lands();
        play.fence(0);
        play.word(0, 1, FLAG, 1).lands();
        assertRace(() -> play.read(1, DATA, 50));
        assertRace(() -> play.read(1, FLAG, 8));
    }

    @Test
    void ofAPutWhoseFirstWordIsObservedThatWordIsKnown() {
        play.put(0, 1, FLAG, 64).lands();
        play.observe(1, FLAG);
        play.read(1, FLAG, 8);
        assertRace(() -> play.read(1, FLAG + 8, 1));
        play.quiet(0);
        play.barrier();
        play.read(1, FLAG, 64);
        play.get(2, 1, FLAG, 64);
    }

    @Test
    void aStoreOfOnesOwnEndsWhatAWordTells() {
        play.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        play.barrier();
        play.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        assertRace(() -> play.write(1, SIGNAL, 8));
        Play other = new Play(2);
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
        play.put(0, 1, DATA, 50).lands();
        play.quiet(0);
        assertRace(() -> play.get(2, 1, DATA, 50));
        play.word(0, 2, FLAG, 1).lands();
        play.observe(2, FLAG);
        play.get(2, 1, DATA, 50);
        assertRace(() -> play.read(1, DATA, 50));
    }

    @Test
    void whatIsToldBeforeTheQuietIsNot() {
        play.put(0, 1, DATA, 50).lands();
        play.word(0, 2, FLAG, 1).lands();
        play.quiet(0);
        play.observe(2, FLAG);
        assertRace(() -> play.get(2, 1, DATA, 50));
    }

    @Test
    void whatTheTargetHasObservedItMayPassOn() {
        play.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        play.observe(1, SIGNAL);
        play.word(1, 2, FLAG, 1).lands();
        assertRace(() -> play.get(2, 1, DATA, 50));
        play.observe(2, FLAG);
        play.get(2, 1, DATA, 50);
    }

    @Test
    void whatTheTargetHasToldBeforeItHadObservedItHasNotPassedOn() {
        play.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        play.word(1, 2, FLAG, 1).lands();
        play.observe(1, SIGNAL);
        play.observe(2, FLAG);
        assertRace(() -> play.get(2, 1, DATA, 50));
    }

    @Test
    void aGetOfOnesOwnPutNeedsAQuiet() {
        play.put(0, 1, DATA, 50).lands();
        play.fence(0);
        assertRace(() -> play.get(0, 1, DATA, 50));
        play.quiet(0);
        play.get(0, 1, DATA, 50);
    }

    @Test
    void aReadOfAPutToOneselfNeedsAQuiet() {
        play.put(0, 0, DATA, 50).lands();
        assertRace(() -> play.read(0, DATA, 50));
        play.quiet(0);
        play.read(0, DATA, 50);
    }

    @Test
    void theSourceOfAnOperationIsRead() {
        play.putSignal(0, 1, DATA, 50, SIGNAL).lands();
        assertRace(() -> play.source(1, DATA, 8));
        play.observe(1, SIGNAL);
        play.source(1, DATA, 8);
    }

    @Test
    void whatAPeHasStoredItselfOthersMustHaveBeenTold() {
        play.write(1, DATA, 8);
        play.read(1, DATA, 8);
        assertRace(() -> play.get(0, 1, DATA, 8));
        play.word(1, 0, FLAG, 1).lands();
        play.write(1, DATA + 8, 8);
        play.observe(0, FLAG);
        play.get(0, 1, DATA, 8);
        assertRace(() -> play.get(0, 1, DATA + 8, 8));
    }

    @Test
    void ofOverwrittenBytesTheLatestCounts() {
        play.put(0, 1, DATA, 50).lands();
        play.barrier();
        play.put(2, 1, DATA + 13, 3).lands();
        play.read(1, DATA, 13);
        play.read(1, DATA + 16, 34);
        for (int at = 13; at < 16; at++) {
            long byteAt = DATA + at;
            assertRace(() -> play.read(1, byteAt, 1));
        }
        play.barrier();
        play.read(1, DATA, 50);
    }

    @Test
    void longPutsCrossPages() {
        play.put(0, 1, 4000, 20_001).lands();
        play.read(1, 3999, 1);
        play.read(1, 24_001, 1);
        assertRace(() -> play.read(1, 24_000, 1));
        assertRace(() -> play.read(1, 8191, 1));
        assertRace(() -> play.read(1, 8192, 1));
        play.barrier();
        play.read(1, 4000, 20_001);
    }

    @Test
    void aNewWorldHasANewHeap() {
        play.put(0, 1, DATA, 50).lands();
        play.races.closed(1);
        play.read(1, DATA, 50);
    }
}
