// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static coterie.sim.race.RaceScenario.DEFAULT;
import static coterie.sim.race.RaceScenario.assertRace;

import coterie.sim.network.OperationObserver.Kind;
import coterie.sim.race.RaceScenario.Operation;
import org.junit.jupiter.api.Test;

/// Writes to bytes that other PEs have read or written.
class OverwriteRaceTest {
    private static final long DATA = 64;
    private static final long FLAG = 1024;

    private final RaceScenario raceScenario = new RaceScenario(3);

    @Test
    void aPutOverWhatItsTargetHasRead() {
        raceScenario.read(1, DATA, 8);
        assertRace(() -> raceScenario.put(0, 1, DATA + 7, 8));
        raceScenario.put(0, 1, DATA + 8, 8).lands();
        raceScenario.word(1, 0, FLAG, 1).lands();
        raceScenario.observe(0, FLAG);
        raceScenario.put(0, 1, DATA, 8);
    }

    @Test
    void whatIsReadAfterHavingToldRacesAgain() {
        raceScenario.read(1, DATA, 8);
        raceScenario.word(1, 0, FLAG, 1).lands();
        raceScenario.read(1, DATA, 8);
        raceScenario.observe(0, FLAG);
        assertRace(() -> raceScenario.put(0, 1, DATA, 8));
    }

    @Test
    void aPutOverWhatAnotherIsGetting() {
        Operation get = raceScenario.get(2, 1, DATA, 8);
        raceScenario.word(2, 0, FLAG, 1).lands();
        raceScenario.observe(0, FLAG);
        assertRace(() -> raceScenario.put(0, 1, DATA, 8));
        get.returns();
        raceScenario.word(2, 0, FLAG, 1).lands();
        raceScenario.observe(0, FLAG);
        raceScenario.put(0, 1, DATA, 8);
    }

    @Test
    void aPutBehindOnesOwnGetThatIsUnderWay() {
        Operation get = raceScenario.get(0, 1, DATA, 8);
        assertRace(() -> raceScenario.put(0, 1, DATA, 8));
        get.returns();
        raceScenario.put(0, 1, DATA, 8);
    }

    @Test
    void aStoreOverWhatAnotherIsGetting() {
        Operation get = raceScenario.get(2, 1, DATA, 8);
        assertRace(() -> raceScenario.write(1, DATA, 8));
        get.returns();
        assertRace(() -> raceScenario.write(1, DATA, 8));
        raceScenario.barrier();
        raceScenario.write(1, DATA, 8);
    }

    @Test
    void aStoreOverWhatWasPut() {
        raceScenario.put(0, 1, DATA, 8).lands();
        assertRace(() -> raceScenario.write(1, DATA, 1));
        raceScenario.barrier();
        raceScenario.write(1, DATA, 8);
    }

    @Test
    void aPutOverWhatWasStored() {
        raceScenario.write(1, DATA, 8);
        assertRace(() -> raceScenario.put(0, 1, DATA, 8));
        raceScenario.barrier();
        raceScenario.put(0, 1, DATA, 8);
    }

    @Test
    void putsOfTwoPesToTheSameBytes() {
        raceScenario.put(0, 1, DATA, 8).lands();
        assertRace(() -> raceScenario.put(2, 1, DATA + 4, 8));
        raceScenario.put(2, 1, DATA + 8, 8).lands();
        raceScenario.barrier();
        raceScenario.put(2, 1, DATA, 8);
    }

    @Test
    void putsOfOnePeToTheSameBytesNeedAFence() {
        raceScenario.put(0, 1, DATA, 8);
        assertRace(() -> raceScenario.put(0, 1, DATA, 8)).hasMessageContaining("fence suffices if both use one");
        raceScenario.fence(0);
        raceScenario.put(0, 1, DATA, 8);
        assertRace(() -> raceScenario.put(0, DEFAULT + 1, 1, DATA, 8));
        raceScenario.quiet(0);
        raceScenario.put(0, DEFAULT + 1, 1, DATA, 8);
    }

    @Test
    void equalWordsMayComeInAnyOrder() {
        raceScenario.word(0, 1, DATA, 1).lands();
        raceScenario.word(2, 1, DATA, 1).lands();
        raceScenario.word(2, 1, DATA, 1).lands();
        assertRace(() -> raceScenario.word(2, 1, DATA, 2));
        raceScenario.quiet(2);
        assertRace(() -> raceScenario.read(1, DATA, 8));
        raceScenario.quiet(0);
        raceScenario.sync();
        raceScenario.read(1, DATA, 8);
    }

    @Test
    void equalBytesMayComeInAnyOrder() {
        raceScenario.start(Kind.PUT, 0, DEFAULT, 1, DATA, 24, 7).lands();
        raceScenario.start(Kind.PUT, 2, DEFAULT, 1, DATA, 24, 7).lands();
        assertRace(() -> raceScenario.start(Kind.PUT, 2, DEFAULT, 1, DATA, 24, 8));
        assertRace(() -> raceScenario.start(Kind.PUT, 2, DEFAULT, 1, DATA, 16, 7));
        raceScenario.quiet(0);
        raceScenario.sync();
        assertRace(() -> raceScenario.read(1, DATA, 8)).hasMessageContaining("by PE 2");
        raceScenario.barrier();
        raceScenario.read(1, DATA, 8);
    }

    @Test
    void ofEqualWordsAllMustBeKnown() {
        raceScenario.word(0, 1, DATA, 1).lands();
        raceScenario.word(2, 1, DATA, 1);
        raceScenario.observe(1, DATA);
        assertRace(() -> raceScenario.read(1, DATA, 8)).hasMessageContaining("by PE 2");
    }
}
