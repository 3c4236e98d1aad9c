// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Both checks against all orders of many small programs.
class RandomProgramsTest {
    private static final int PROGRAMS = Boolean.getBoolean("coterie.soak") ? 200_000 : 10_000;

    private static final int STATES = 200_000;

    private int certain;
    private int hazards;
    private int flagged;
    private int diagnosed;
    private int clean;

    @Test
    @DisplayName("the certain check raises no false alarm, and the hazard check misses nothing")
    void againstAllOrders() {
        Random random = new Random(20261124);
        for (int program = 0; program < PROGRAMS; program++) {
            check(program, random(random));
        }
        System.out.printf(
                "%d programs: %d certain deadlocks, %d hazards, %d clean; the hazard check named %d, the diagnosis %d%n",
                PROGRAMS, certain, hazards, clean, flagged, diagnosed);
        assertThat(List.of(certain, hazards, clean))
                .as("programs of each kind")
                .allSatisfy(count -> assertThat(count).isGreaterThan(PROGRAMS / 50));
        assertThat(diagnosed)
                .as("hazards after the search for an order, certain deadlocks among them")
                .isEqualTo(hazards + certain);
    }

    private void check(int number, Snapshot snapshot) {
        Model model = new Model(snapshot);
        OrderSearch.Result free = OrderSearch.concurrent(model, STATES);
        OrderSearch.Result serial = OrderSearch.serial(model, STATES);
        assertThat(free.isCut() || serial.isCut()).isFalse();
        boolean isCertain =
                !CertainCheck.residue(model, CertainCheck.Helpers.ALL).isEmpty();
        if (isCertain) {
            assertThat(free.canComplete())
                    .as("program " + number + " can complete: " + snapshot)
                    .isFalse();
        }
        boolean isFlagged = !HazardCheck.unsafe(model).isEmpty();
        boolean isHazard = serial.deadlock() != null;
        if (isHazard) {
            assertThat(isFlagged)
                    .as("program " + number + " has a deadlock after " + serial.deadlock() + ": " + snapshot)
                    .isTrue();
        }
        certain += isCertain ? 1 : 0;
        hazards += isHazard && !isCertain ? 1 : 0;
        clean += isHazard || isCertain ? 0 : 1;
        flagged += isFlagged ? 1 : 0;
        diagnosed += Diagnosis.of(snapshot).verdict() == Verdict.NONE ? 0 : 1;
    }

    private static Snapshot random(Random random) {
        int pes = 2 + random.nextInt(2);
        boolean isMonotone = random.nextInt(4) > 0;
        List<List<List<PendingOperation>>> all = new ArrayList<>();
        for (int pe = 0; pe < pes; pe++) {
            int streams = 1 + random.nextInt(pes == 2 ? 3 : 2);
            List<List<PendingOperation>> mine = new ArrayList<>();
            for (int stream = 0; stream < streams; stream++) {
                List<PendingOperation> operations = new ArrayList<>();
                int length = random.nextInt(streams == 3 ? 2 : 3);
                for (int i = 0; i < length; i++) {
                    operations.add(operation(random, pe, pes, mine, isMonotone));
                }
                mine.add(operations);
            }
            all.add(mine);
        }
        int meetings = random.nextInt(3);
        for (int meeting = 0; meeting < meetings; meeting++) {
            PendingOperation barrier = SnapshotPrograms.barrier(
                    "T" + random.nextInt(2), pes == 2 ? new int[] {0, 1} : new int[] {0, 1, 2});
            for (List<List<PendingOperation>> mine : all) {
                List<PendingOperation> stream = mine.get(random.nextInt(mine.size()));
                stream.add(random.nextInt(stream.size() + 1), barrier);
            }
        }
        SnapshotPrograms programs = new SnapshotPrograms(pes);
        for (int pe = 0; pe < pes; pe++) {
            for (List<PendingOperation> stream : all.get(pe)) {
                programs.stream(pe, stream.toArray(PendingOperation[]::new));
            }
        }
        return programs.snapshot();
    }

    private static PendingOperation operation(
            Random random, int pe, int pes, List<List<PendingOperation>> earlier, boolean isMonotone) {
        int to = random.nextInt(pes);
        return switch (random.nextInt(8)) {
            case 0, 1, 2, 3 ->
                isMonotone || random.nextBoolean()
                        ? SnapshotPrograms.add(SnapshotPrograms.word(to), 1 + random.nextInt(2))
                        : SnapshotPrograms.set(SnapshotPrograms.word(to), random.nextInt(3));
            case 4, 5 ->
                SnapshotPrograms.await(
                        SnapshotPrograms.word(pe),
                        isMonotone || random.nextBoolean() ? Comparison.GE : Comparison.EQ,
                        1 + random.nextInt(2));
            default -> earlier.isEmpty() ? SnapshotPrograms.local() : event(random, earlier);
        };
    }

    private static PendingOperation event(Random random, List<List<PendingOperation>> earlier) {
        int lane = random.nextInt(earlier.size());
        return SnapshotPrograms.after(lane, random.nextInt(earlier.get(lane).size() + 1));
    }
}
