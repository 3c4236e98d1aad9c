// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Both checks against all orders of many small programs.
class RandomProgramsTest {
    private static final int PROGRAMS = Boolean.getBoolean("coterie.soak") ? 200_000 : 10_000;

    private static final int STATES = 200_000;

    private int certain;
    private int hazards;
    private int flagged;
    private int falseDependencies;
    private int deadlocks;
    private int unfounded;
    private int missed;
    private int clean;
    private int cuts;

    @Test
    @DisplayName("the certain check raises no false alarm, and the hazard check misses nothing")
    void againstAllOrders() {
        Random random = new Random(20261124);
        for (int program = 0; program < PROGRAMS; program++) {
            check(program, RandomProgram.of(random));
        }
        System.out.printf(
                "%d programs: %d certain deadlocks, %d hazards, %d clean; the hazard check named %d; "
                        + "with queues and slots %d more are stuck%n",
                PROGRAMS, certain, hazards, clean, flagged, falseDependencies);
        assertThat(List.of(certain, hazards, clean, falseDependencies))
                .as("programs of each kind")
                .allSatisfy(count -> assertThat(count).isGreaterThan(PROGRAMS / 200));
        assertThat(deadlocks).as("programs that the diagnosis calls a deadlock").isEqualTo(certain);
        assertThat(cuts).as("deadlocks with a cut").isGreaterThan(PROGRAMS / 200);
        assertThat(unfounded).as("hazards that no order has").isZero();
        assertThat(missed).as("hazards of which the diagnosis says nothing").isZero();
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
        checkLimits(number, model);
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
        Diagnosis diagnosis = Diagnosis.of(snapshot);
        Verdict verdict = diagnosis.verdict();
        checkCut(number, model, diagnosis);
        falseDependencies += verdict == Verdict.FALSE_DEPENDENCY ? 1 : 0;
        deadlocks += verdict == Verdict.DEADLOCK ? 1 : 0;
        unfounded += verdict == Verdict.HAZARD && !isHazard ? 1 : 0;
        missed += isHazard && verdict == Verdict.NONE ? 1 : 0;
    }

    /// Without the edges of the cut nothing is stuck, and with any of them something is.
    private void checkCut(int number, Model model, Diagnosis diagnosis) {
        Set<String> ids = diagnosis.cut().stream().map(Diagnosis.Cut::operation).collect(Collectors.toSet());
        Set<Model.Node> all =
                model.nodes().stream().filter(each -> ids.contains(each.id)).collect(Collectors.toSet());
        cuts += ids.isEmpty() ? 0 : 1;
        if (!ids.isEmpty()) {
            assertThat(CertainCheck.residueWithout(model, CertainCheck.Helpers.ALL, all))
                    .as("program " + number + " without " + ids)
                    .isEmpty();
        }
        for (Model.Node each : all) {
            Set<Model.Node> others = new HashSet<>(all);
            others.remove(each);
            assertThat(CertainCheck.residueWithout(model, CertainCheck.Helpers.ALL, others))
                    .as("program " + number + " without " + ids + " but with that of " + each)
                    .isNotEmpty();
        }
    }

    /// What is stuck on a device with its limits no order of that device completes.
    private static void checkLimits(int number, Model model) {
        if (!CertainCheck.limitedResidue(model, CertainCheck.Helpers.ALL).isEmpty()) {
            OrderSearch.Result limited = OrderSearch.limited(model, STATES);
            assertThat(limited.isCut()).isFalse();
            assertThat(limited.canComplete())
                    .as("program " + number + " can complete on its device: " + model.snapshot())
                    .isFalse();
        }
    }
}
