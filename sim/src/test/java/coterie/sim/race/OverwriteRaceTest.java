// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static coterie.sim.race.Play.DEFAULT;
import static coterie.sim.race.Play.assertRace;

import coterie.sim.network.Watcher.Kind;
import coterie.sim.race.Play.Operation;
import org.junit.jupiter.api.Test;

/// Writes over what others have read or written.
class OverwriteRaceTest {
    private static final long DATA = 64;
    private static final long FLAG = 1024;

    private final Play play = new Play(3);

    @Test
    void aPutOverWhatItsTargetHasRead() {
        play.read(1, DATA, 8);
        assertRace(() -> play.put(0, 1, DATA + 7, 8));
        play.put(0, 1, DATA + 8, 8).lands();
        play.word(1, 0, FLAG, 1).lands();
        play.observe(0, FLAG);
        play.put(0, 1, DATA, 8);
    }

    @Test
    void whatIsReadAfterHavingToldRacesAgain() {
        play.read(1, DATA, 8);
        play.word(1, 0, FLAG, 1).lands();
        play.read(1, DATA, 8);
        play.observe(0, FLAG);
        assertRace(() -> play.put(0, 1, DATA, 8));
    }

    @Test
    void aPutOverWhatAnotherIsGetting() {
        Operation get = play.get(2, 1, DATA, 8);
        play.word(2, 0, FLAG, 1).lands();
        play.observe(0, FLAG);
        assertRace(() -> play.put(0, 1, DATA, 8));
        get.returns();
        play.word(2, 0, FLAG, 1).lands();
        play.observe(0, FLAG);
        play.put(0, 1, DATA, 8);
    }

    @Test
    void aPutBehindOnesOwnGetThatIsUnderWay() {
        Operation get = play.get(0, 1, DATA, 8);
        assertRace(() -> play.put(0, 1, DATA, 8));
        get.returns();
        play.put(0, 1, DATA, 8);
    }

    @Test
    void aStoreOverWhatAnotherIsGetting() {
        Operation get = play.get(2, 1, DATA, 8);
        assertRace(() -> play.write(1, DATA, 8));
        get.returns();
        assertRace(() -> play.write(1, DATA, 8));
        play.barrier();
        play.write(1, DATA, 8);
    }

    @Test
    void aStoreOverWhatWasPut() {
        play.put(0, 1, DATA, 8).lands();
        assertRace(() -> play.write(1, DATA, 1));
        play.barrier();
        play.write(1, DATA, 8);
    }

    @Test
    void aPutOverWhatWasStored() {
        play.write(1, DATA, 8);
        assertRace(() -> play.put(0, 1, DATA, 8));
        play.barrier();
        play.put(0, 1, DATA, 8);
    }

    @Test
    void putsOfTwoPesToTheSameBytes() {
        play.put(0, 1, DATA, 8).lands();
        assertRace(() -> play.put(2, 1, DATA + 4, 8));
        play.put(2, 1, DATA + 8, 8).lands();
        play.barrier();
        play.put(2, 1, DATA, 8);
    }

    @Test
    void putsOfOnePeToTheSameBytesNeedAFence() {
        play.put(0, 1, DATA, 8);
        assertRace(() -> play.put(0, 1, DATA, 8)).hasMessageContaining("a fence or quiet");
        play.fence(0);
        play.put(0, 1, DATA, 8);
        assertRace(() -> play.put(0, DEFAULT + 1, 1, DATA, 8));
        play.quiet(0);
        play.put(0, DEFAULT + 1, 1, DATA, 8);
    }

    @Test
    void equalWordsMayComeInAnyOrder() {
        play.word(0, 1, DATA, 1).lands();
        play.word(2, 1, DATA, 1).lands();
        play.word(2, 1, DATA, 1).lands();
        assertRace(() -> play.word(2, 1, DATA, 2));
        play.quiet(2);
        assertRace(() -> play.read(1, DATA, 8));
        play.quiet(0);
        play.sync();
        play.read(1, DATA, 8);
    }

    @Test
    void equalBytesMayComeInAnyOrder() {
        play.start(Kind.PUT, 0, DEFAULT, 1, DATA, 24, 7).lands();
        play.start(Kind.PUT, 2, DEFAULT, 1, DATA, 24, 7).lands();
        assertRace(() -> play.start(Kind.PUT, 2, DEFAULT, 1, DATA, 24, 8));
        assertRace(() -> play.start(Kind.PUT, 2, DEFAULT, 1, DATA, 16, 7));
        play.quiet(0);
        play.sync();
        assertRace(() -> play.read(1, DATA, 8)).hasMessageContaining("by PE 2");
        play.barrier();
        play.read(1, DATA, 8);
    }

    @Test
    void ofEqualWordsAllMustBeKnown() {
        play.word(0, 1, DATA, 1).lands();
        play.word(2, 1, DATA, 1);
        play.observe(1, DATA);
        assertRace(() -> play.read(1, DATA, 8)).hasMessageContaining("by PE 2");
    }
}
