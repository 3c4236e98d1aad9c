// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The statements on teams, as they are, over a [ModelWorld]: one image dies at each of its steps, and the others
/// take their steps in orders that seeds choose.
@DisplayName("images form, synchronize, leave and close teams in any order of their steps, wherever one dies")
class ImageOrdersTest {
    private static final int IMAGES = 3;

    @Test
    @DisplayName("each death of each image, in some orders")
    void someOrders() {
        assertThat(search(IMAGES, 1)).isGreaterThan(300);
    }

    @Tag("soak")
    @Test
    @DisplayName("each death of each of three and of four images, in many orders")
    void manyOrders() {
        assertThat(search(IMAGES, 60)).isGreaterThan(20_000);
        assertThat(search(4, 10)).isGreaterThan(5_000);
    }

    /// Runs the program with each death, with a number of seeds, and returns the number of runs.
    private static int search(int images, int seeds) {
        int runs = 0;
        for (int seed = 1; seed <= seeds; seed++) {
            run(images, seed, -1, -1);
            for (int victim = 0; victim < images; victim++) {
                int fatal = 0;
                int steps;
                do {
                    fatal++;
                    steps = run(images, seed * 10_000L + fatal, victim, fatal);
                    runs++;
                } while (steps >= fatal); // the victim has come to this step
            }
        }
        return runs;
    }

    /// Runs the program once; returns how many steps the victim has done.
    private static int run(int images, long seed, int victim, int fatalStep) {
        StepScheduler scheduler = new StepScheduler(images, seed, victim, fatalStep);
        ModelWorld model = new ModelWorld(scheduler, images);
        Map<Integer, List<String>> formed = new ConcurrentHashMap<>();
        Map<Integer, Throwable> thrown = new ConcurrentHashMap<>();
        List<Thread> threads = new ArrayList<>();
        for (int pe = 0; pe < images; pe++) {
            int me = pe;
            List<String> mine = new ArrayList<>();
            formed.put(me, mine);
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try {
                    scheduler.begin(me);
                    Images.run(model.world(me), scope -> program(scope, mine));
                } catch (Throwable e) {
                    if (!scheduler.isDead(me) && !scheduler.isStuck()) {
                        thrown.put(me, e);
                    }
                } finally {
                    scheduler.finish(me);
                }
            }));
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        String run = images + " images, seed " + seed + ", " + scheduler + ", " + new TreeMap<>(formed);
        thrown.forEach((pe, e) -> {
            throw new AssertionError("image " + (pe + 1) + " of " + run, e);
        });
        assertThat(scheduler.isStuck())
                .as("a statement waits for ever: %s", run)
                .isFalse();
        List<List<String>> survivors = new ArrayList<>(formed.entrySet().stream()
                .filter(entry -> !scheduler.isDead(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList());
        assertThat(survivors).as(run).allMatch(survivors.getFirst()::equals);
        return scheduler.stepsOfVictim();
    }

    private static void program(TeamScope scope, List<String> formed) {
        ImageTeam all = scope.team();
        ImageTeam first = form(all, 1, formed);
        ImageTeam second = form(all, 2, formed);
        accept(first.trySync());
        first.close();
        ImageTeam third = form(all, 3, formed); // in the slot of the first, which others may read
        second.close();
        boolean leaves = third.thisImage() == third.numImages();
        try {
            Outcome outcome = third.tryRun(_ -> {
                if (leaves) {
                    throw new IllegalStateException("leaves");
                }
                form(third, 4, new ArrayList<>());
            });
            assertThat(outcome.code()).isIn(Outcome.OK, Outcome.FAILED, Outcome.ABANDONED);
        } catch (IllegalStateException | StatementException e) {
            assertThat(leaves || e instanceof TeamAbandonedException).isTrue();
        }
        third.close();
        ImageTeam last = form(all, 5, formed);
        accept(last.trySync());
        last.close();
        accept(all.trySync());
    }

    private static void accept(Outcome outcome) {
        assertThat(outcome.code()).isIn(Outcome.OK, Outcome.FAILED);
    }

    private static ImageTeam form(ImageTeam parent, long number, List<String> formed) {
        ImageTeam team = parent.tryForm(number).orThrow();
        List<Integer> members = new ArrayList<>();
        for (int pe : team.roster().pes()) {
            members.add(pe);
        }
        formed.add(number + ": " + members);
        assertThat(members).contains(team.runtime().world().pe());
        return team;
    }
}
