// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.Team;
import coterie.World;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A member passes these steps of an agreement, of which 4 and 5 come once for each other member:
///
/// ```
///  0   4 4 4   1            2   5 5 5   3
///      tags    polls tags       marks   polls marks
/// ```
@DisplayName("members that return from an agreement have one verdict, whichever member fails in it")
@ExtendWith(TestSettings.class)
class AgreementTest {
    private static final int PES = 4;
    private static final List<String> STEPS =
            List.of("0@%d", "4@%d", "4@%d#2", "4@%d#3", "1@%d", "2@%d", "5@%d", "5@%d#2", "5@%d#3", "3@%d");

    private static String fault(String step, int pe, String action) {
        return "duplicate:" + step.formatted(pe) + "=" + action;
    }

    static Stream<Arguments> faults() {
        return STEPS.stream()
                .flatMap(step -> IntStream.range(0, PES)
                        .boxed()
                        .flatMap(pe -> Stream.of("fail", "throw")
                                .flatMap(action -> Stream.of(true, false)
                                        .map(direct -> Arguments.of(fault(step, pe, action), Set.of(pe), direct)))));
    }

    @ParameterizedTest
    @MethodSource("faults")
    @DisplayName("one fails, or throws, at any step")
    void one(String faults, Set<Integer> failing, boolean direct) {
        agree(faults, failing, direct);
    }

    static Stream<Arguments> pairs() {
        return STEPS.stream()
                .flatMap(first -> STEPS.stream()
                        .flatMap(second -> Stream.of(0, 1)
                                .flatMap(pe -> Stream.of(2, 3)
                                        .map(other -> Arguments.of(
                                                fault(first, pe, "fail") + "," + fault(second, other, "fail"),
                                                Set.of(pe, other))))));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @DisplayName("two fail, each at any step")
    void two(String faults, Set<Integer> failing) {
        agree(faults, failing, true);
    }

    private static void agree(String faults, Set<Integer> failing, boolean direct) {
        setLoadStore(direct);
        set(Setting.FAULT, faults);
        Map<Integer, String> verdicts = new ConcurrentHashMap<>();
        try (LocalJob job = new LocalJob(PES)) {
            job.failures(world -> verdicts.put(world.pe(), verdict(world)));
        }
        verdicts.keySet().removeAll(failing);
        assertThat(verdicts).hasSize(PES - failing.size());
        assertThat(Set.copyOf(verdicts.values())).as(verdicts::toString).hasSize(1);
    }

    private static String verdict(World world) {
        try {
            Team team = world.team().duplicate();
            return "a team of " + team.size();
        } catch (PeFailedException e) {
            assertThat(e.failedPes()).isNotEmpty();
            return "failure";
        } catch (CoterieException e) {
            assertThat(e).hasMessageContaining("PE "); // which threw
            return "failure";
        }
    }
}
