// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static coterie.sim.race.RaceScenario.DEFAULT;
import static coterie.sim.race.RaceScenario.assertRace;

import coterie.spi.Channel;
import org.junit.jupiter.api.Test;

/// Fences and quiets of several channels, and towards several peers; collective rounds, and locks.
class OrderRaceTest {
    private static final int OTHER = 2;
    private static final long DATA = 64;
    private static final long SIGNAL = 1024;
    private static final long LOCK = 2048;

    private final RaceScenario raceScenario = new RaceScenario(3);

    @Test
    void aFenceOrdersItsChannelOnly() {
        raceScenario.put(0, OTHER, 1, DATA, 8).lands();
        raceScenario.put(0, DEFAULT, 1, DATA + 8, 8).lands();
        raceScenario.fence(0);
        raceScenario.update(0, DEFAULT, 1, SIGNAL).lands();
        raceScenario.observe(1, SIGNAL);
        raceScenario.read(1, DATA + 8, 8);
        assertRace(() -> raceScenario.read(1, DATA, 8));
    }

    @Test
    void whatIsSentThroughAnotherChannelIsNotBehindTheFence() {
        raceScenario.put(0, DEFAULT, 1, DATA, 8).lands();
        raceScenario.fence(0);
        raceScenario.update(0, OTHER, 1, SIGNAL).lands();
        raceScenario.observe(1, SIGNAL);
        assertRace(() -> raceScenario.read(1, DATA, 8));
    }

    @Test
    void aFenceOrdersTowardsEachPeerForItself() {
        raceScenario.put(0, 2, DATA, 8).lands();
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.fence(0);
        raceScenario.update(0, 1, SIGNAL).lands();
        raceScenario.observe(1, SIGNAL);
        raceScenario.read(1, DATA, 8);
        assertRace(() -> raceScenario.get(1, 2, DATA, 8));
        assertRace(() -> raceScenario.read(2, DATA, 8));
    }

    @Test
    void aQuietCompletesItsChannelOnly() {
        raceScenario.put(0, OTHER, 1, DATA, 8).lands();
        raceScenario.barrier();
        assertRace(() -> raceScenario.read(1, DATA, 8));
        raceScenario.quiet(0, OTHER, Channel.ALL_PEERS);
        raceScenario.sync();
        raceScenario.read(1, DATA, 8);
    }

    @Test
    void aQuietTowardsAPeerCompletesWhatGoesThere() {
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.put(0, 2, DATA, 8).lands();
        raceScenario.quiet(0, DEFAULT, 1);
        raceScenario.sync();
        raceScenario.read(1, DATA, 8);
        assertRace(() -> raceScenario.read(2, DATA, 8));
    }

    @Test
    void aQuietCompletesWhatWasThereWhenItWasAskedFor() {
        raceScenario.put(0, 1, DATA, 8).lands();
        long asked = raceScenario.raceDetector.issued(0, DEFAULT);
        raceScenario.put(0, 1, DATA + 8, 8).lands();
        raceScenario.raceDetector.completed(0, DEFAULT, Channel.ALL_PEERS, asked);
        raceScenario.sync();
        raceScenario.read(1, DATA, 8);
        assertRace(() -> raceScenario.read(1, DATA + 8, 8));
    }

    @Test
    void aBarrierCompletesAndARoundDoesNot() {
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.sync();
        assertRace(() -> raceScenario.read(1, DATA, 8));
        assertRace(() -> raceScenario.get(2, 1, DATA, 8));
        raceScenario.barrier();
        raceScenario.read(1, DATA, 8);
        raceScenario.get(2, 1, DATA, 8).returns();
        raceScenario.sync();
        raceScenario.put(2, 1, DATA, 8).lands();
    }

    @Test
    void whoHasNotBeenToARoundKnowsNothing() {
        raceScenario.put(0, 1, DATA, 8).lands();
        raceScenario.quiet(0);
        assertRace(() -> raceScenario.read(1, DATA, 8));
    }

    @Test
    void rowsOfPesPassOnWhatTheyKnow() {
        RaceScenario row = new RaceScenario(8);
        row.put(0, 7, DATA, 8).lands();
        row.quiet(0);
        for (int pe = 0; pe < 7; pe++) {
            int next = pe + 1;
            assertRace(() -> row.get(next, 7, DATA, 8));
            row.putSignal(pe, next, 0, 0, SIGNAL).lands();
            row.observe(next, SIGNAL);
            row.get(next, 7, DATA, 8).returns();
        }
    }

    @Test
    void aLockHandsOnWhatWasDoneUnderIt() {
        raceScenario.lockFree(1, LOCK);
        raceScenario.queueBehind(2, 1, LOCK);
        raceScenario.put(1, 0, DATA, 8).lands();
        assertRace(() -> raceScenario.get(2, 0, DATA, 8));
        raceScenario.handOver(1, 2, LOCK);
        assertRace(() -> raceScenario.get(2, 0, DATA, 8));
        raceScenario.observe(2, LOCK + 8);
        raceScenario.get(2, 0, DATA, 8).returns();
        raceScenario.put(2, 0, DATA, 8).lands();
        raceScenario.letGo(2, LOCK);
        raceScenario.lockFree(0, LOCK);
        raceScenario.read(0, DATA, 8);
    }

    @Test
    void whoComesToTheQueueAfterwardsHidesNothing() {
        RaceScenario four = new RaceScenario(4);
        four.lockFree(1, LOCK);
        four.queueBehind(2, 1, LOCK);
        four.put(1, 0, DATA, 8).lands();
        four.handOver(1, 2, LOCK);
        four.queueBehind(3, 2, LOCK);
        four.observe(2, LOCK + 8);
        four.get(2, 0, DATA, 8).returns();
        four.put(2, 0, DATA, 8).lands();
        assertRace(() -> four.get(3, 0, DATA, 8));
        four.handOver(2, 3, LOCK);
        four.observe(3, LOCK + 8);
        four.get(3, 0, DATA, 8);
    }

    @Test
    void withoutTheQuietOfItsUnlockALockProtectsNothing() {
        raceScenario.lockFree(1, LOCK);
        raceScenario.queueBehind(2, 1, LOCK);
        raceScenario.put(1, 0, DATA, 8).lands();
        raceScenario.atomic(1, 2, LOCK + 8).lands().returns();
        raceScenario.observe(2, LOCK + 8);
        assertRace(() -> raceScenario.get(2, 0, DATA, 8));
    }
}
