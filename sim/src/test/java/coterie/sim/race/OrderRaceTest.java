// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static coterie.sim.race.Play.DEFAULT;
import static coterie.sim.race.Play.assertRace;

import coterie.spi.Channel;
import org.junit.jupiter.api.Test;

/// Fences and quiets of several channels, and towards several peers; rounds, and locks.
class OrderRaceTest {
    private static final int OTHER = 2;
    private static final long DATA = 64;
    private static final long SIGNAL = 1024;
    private static final long LOCK = 2048;

    private final Play play = new Play(3);

    @Test
    void aFenceOrdersItsChannelOnly() {
        play.put(0, OTHER, 1, DATA, 8).lands();
        play.put(0, DEFAULT, 1, DATA + 8, 8).lands();
        play.fence(0);
        play.update(0, DEFAULT, 1, SIGNAL).lands();
        play.observe(1, SIGNAL);
        play.read(1, DATA + 8, 8);
        assertRace(() -> play.read(1, DATA, 8));
    }

    @Test
    void whatIsSentThroughAnotherChannelIsNotBehindTheFence() {
        play.put(0, DEFAULT, 1, DATA, 8).lands();
        play.fence(0);
        play.update(0, OTHER, 1, SIGNAL).lands();
        play.observe(1, SIGNAL);
        assertRace(() -> play.read(1, DATA, 8));
    }

    @Test
    void aFenceOrdersTowardsEachPeerForItself() {
        play.put(0, 2, DATA, 8).lands();
        play.put(0, 1, DATA, 8).lands();
        play.fence(0);
        play.update(0, 1, SIGNAL).lands();
        play.observe(1, SIGNAL);
        play.read(1, DATA, 8);
        assertRace(() -> play.get(1, 2, DATA, 8));
        assertRace(() -> play.read(2, DATA, 8));
    }

    @Test
    void aQuietCompletesItsChannelOnly() {
        play.put(0, OTHER, 1, DATA, 8).lands();
        play.barrier();
        assertRace(() -> play.read(1, DATA, 8));
        play.quiet(0, OTHER, Channel.ALL_PEERS);
        play.sync();
        play.read(1, DATA, 8);
    }

    @Test
    void aQuietTowardsAPeerCompletesWhatGoesThere() {
        play.put(0, 1, DATA, 8).lands();
        play.put(0, 2, DATA, 8).lands();
        play.quiet(0, DEFAULT, 1);
        play.sync();
        play.read(1, DATA, 8);
        assertRace(() -> play.read(2, DATA, 8));
    }

    @Test
    void aQuietCompletesWhatWasThereWhenItWasAskedFor() {
        play.put(0, 1, DATA, 8).lands();
        long asked = play.races.issued(0, DEFAULT);
        play.put(0, 1, DATA + 8, 8).lands();
        play.races.completed(0, DEFAULT, Channel.ALL_PEERS, asked);
        play.sync();
        play.read(1, DATA, 8);
        assertRace(() -> play.read(1, DATA + 8, 8));
    }

    @Test
    void aBarrierCompletesAndARoundDoesNot() {
        play.put(0, 1, DATA, 8).lands();
        play.sync();
        assertRace(() -> play.read(1, DATA, 8));
        assertRace(() -> play.get(2, 1, DATA, 8));
        play.barrier();
        play.read(1, DATA, 8);
        play.get(2, 1, DATA, 8).returns();
        play.sync();
        play.put(2, 1, DATA, 8).lands();
    }

    @Test
    void whoHasNotBeenToARoundKnowsNothing() {
        play.put(0, 1, DATA, 8).lands();
        play.quiet(0);
        assertRace(() -> play.read(1, DATA, 8));
    }

    @Test
    void rowsOfPesPassOnWhatTheyKnow() {
        Play row = new Play(8);
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
        play.lockFree(1, LOCK);
        play.queueBehind(2, 1, LOCK);
        play.put(1, 0, DATA, 8).lands();
        assertRace(() -> play.get(2, 0, DATA, 8));
        play.handOver(1, 2, LOCK);
        assertRace(() -> play.get(2, 0, DATA, 8));
        play.observe(2, LOCK + 8);
        play.get(2, 0, DATA, 8).returns();
        play.put(2, 0, DATA, 8).lands();
        play.letGo(2, LOCK);
        play.lockFree(0, LOCK);
        play.read(0, DATA, 8);
    }

    @Test
    void whoComesToTheQueueAfterwardsHidesNothing() {
        Play four = new Play(4);
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
        play.lockFree(1, LOCK);
        play.queueBehind(2, 1, LOCK);
        play.put(1, 0, DATA, 8).lands();
        play.atomic(1, 2, LOCK + 8).lands().returns();
        play.observe(2, LOCK + 8);
        assertRace(() -> play.get(2, 0, DATA, 8));
    }
}
