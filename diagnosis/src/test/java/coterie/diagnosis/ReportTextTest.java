// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The report for people.
class ReportTextTest {
    private static StuckOperation stuck(int pe, String label, String site, String why) {
        Blocker blocker = new Blocker(Blocker.Kind.PE, "", why);
        return new StuckOperation(
                "P" + pe + ".main#0", pe, "main", label, site, 2_000_000_000L, List.of(blocker), Map.of());
    }

    private static List<String> report(List<StuckOperation> stuck) {
        return new Diagnosis(
                        "App",
                        stuck.size(),
                        0,
                        Verdict.DEADLOCK,
                        List.of(),
                        stuck,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of("send it"),
                        List.of(),
                        new Source("", Instant.EPOCH, List.of(), List.of()))
                .text()
                .lines()
                .toList();
    }

    @Test
    @DisplayName("operations of several PEs that are alike are one line, which begins with the line of the program")
    void alike() {
        List<StuckOperation> stuck = IntStream.of(0, 1, 2, 4)
                .mapToObj(pe -> stuck(pe, "barrier #3", "App.java:9", "waits for PE 3"))
                .toList();
        assertThat(report(stuck))
                .contains("  App.java:9  PEs 0-2, 4 main#0  barrier #3, for 2.0 s: waits for PE 3", "  try: send it");
    }

    @Test
    @DisplayName("operations that differ by their line or cause have lines of their own, with their ids")
    void different() {
        assertThat(report(List.of(
                        stuck(0, "barrier #3", "App.java:9", "waits for PE 1"),
                        stuck(1, "barrier #3", "App.java:12", "waits for PE 0"),
                        stuck(2, "lock", "", "waits for PE 0"))))
                .contains(
                        "  App.java:9  P0.main#0  barrier #3, for 2.0 s: waits for PE 1",
                        "  App.java:12  P1.main#0  barrier #3, for 2.0 s: waits for PE 0",
                        "  P2.main#0  lock, for 2.0 s: waits for PE 0");
    }

    @Test
    @DisplayName("a report that has no room for all says how many operations it leaves out")
    void room() {
        List<StuckOperation> stuck = IntStream.range(0, 60)
                .mapToObj(pe -> stuck(pe, "barrier #3", "App.java:" + pe / 2, "waits for PE 3"))
                .toList();
        List<String> lines = report(stuck);
        assertThat(lines).hasSizeLessThanOrEqualTo(25);
        long folded = lines.stream().filter(line -> line.contains(" PEs ")).count();
        assertThat(lines).contains("  … " + (60 - 2 * folded) + " more");
    }
}
