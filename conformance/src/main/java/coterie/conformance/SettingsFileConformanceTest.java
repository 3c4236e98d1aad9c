// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.collective.CollectiveType.ALL_REDUCE;
import static coterie.collective.CollectiveType.BROADCAST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Team;
import coterie.collective.Explanation.Candidate;
import coterie.internal.launch.PeMode;
import coterie.junit.SpmdTest;
import coterie.junit.job.EndedJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Settings that are kept in a file.
class SettingsFileConformanceTest {
    private static final long[] SIZES = {64, 65536};

    /// A file of a PE's own.
    private record OwnFile(Path path) implements AutoCloseable {
        static OwnFile of(String... lines) throws IOException {
            return new OwnFile(Files.write(Files.createTempFile("coterie", ".conf"), List.of(lines)));
        }

        String setting() {
            return "config.file=" + path;
        }

        @Override
        public void close() throws IOException {
            Files.delete(path);
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-11 what a file says holds for all members; a property wins; what is wrong in a value has its line")
    void applied() throws IOException {
        try (OwnFile file = OwnFile.of(
                "# layers", "", "  COTERIE_TLS = p2p ", "COTERIE_TL_P2P_TUNE=allreduce:64k-inf:@ring#allreduce:@no")) {
            try (Joined joined = Joined.with(file.setting());
                    Sums sums = new Sums(joined.world(), SIZES[1])) {
                Team team = joined.world().team();
                assertThat(Explained.first(team, ALL_REDUCE, SIZES)).isEqualTo("knomial ring");
                assertThat(team.explain(BROADCAST, 64).candidates())
                        .extracting(Candidate::component)
                        .containsOnly("p2p");
                assertThat(sums.check(team, SIZES[0])).isEqualTo("p2p/knomial");
                assertThat(sums.check(team, SIZES[1])).isEqualTo("p2p/ring");
                assertThat(joined.told())
                        .hasSize(team.member() == 0 ? 1 : 0)
                        .allSatisfy(line -> assertThat(line)
                                .startsWith("setting TL_P2P_TUNE (from " + file.path
                                        + ":4), column 35: \"allreduce:@no\" is not used"));
            }
            try (Joined joined = Joined.with(file.setting(), "tl.p2p.tune=allreduce:@dbt");
                    Sums sums = new Sums(joined.world(), SIZES[0])) {
                assertThat(sums.check(joined.world().team(), SIZES[0])).isEqualTo("p2p/dbt");
                assertThat(joined.told()).isEmpty();
            }
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-11 a file that is named and not there ends the join of every PE, and so does what is wrong in it")
    void refused() throws IOException {
        OwnFile none = OwnFile.of();
        none.close();
        assertThat(Joined.refusal(none.setting()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("setting CONFIG_FILE (from coterie.config.file): " + none.path
                        + " can't be read: there is no such file");
        checkRefusal("  COTERIE_TSL = all", ":2:3: there is no setting COTERIE_TSL; the nearest is COTERIE_TLS; ");
        checkRefusal("COTERIE_TLS", ":2:1: \"COTERIE_TLS\" is not a setting; lines are NAME = value");
        checkRefusal("COTERIE_SPINS=7", ":2:1: COTERIE_SPINS is set in line 1 already");
        checkRefusal("COTERIE_CONFIG_FILE = x", ":2:1: COTERIE_CONFIG_FILE can't be set in the file");
    }

    private static void checkRefusal(String line, String message) throws IOException {
        try (OwnFile file = OwnFile.of("COTERIE_SPINS = 100", line)) {
            assertThat(Joined.refusal(file.setting()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(file.path + message);
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-11 members whose files say different things are told so, with their numbers")
    void different() throws IOException {
        int pe;
        try (Joined plain = Joined.with()) {
            pe = plain.world().pe();
        }
        try (OwnFile file = OwnFile.of("COTERIE_TL_P2P_TUNE = allreduce:" + (pe == 1 ? "@ring" : "@dbt"));
                Joined joined = Joined.with(file.setting());
                Sums sums = new Sums(joined.world(), SIZES[0]);
                Team team = joined.world().team().duplicate()) {
            assertThatThrownBy(() -> sums.call(team, SIZES[0]))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll("the selection of algorithms", "on PEs [1]");
        }
    }

    @ParameterizedTest
    @EnumSource(PeMode.class)
    @DisplayName("UC-11 a file in its usual place is found by itself; an empty name leaves it out, and a property wins")
    void usualPlace(PeMode mode, @TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("coterie.conf"), "COTERIE_TL_P2P_TUNE = allreduce:@ring\n");
        assertThat(run(mode, Map.of("XDG_CONFIG_HOME", folder.toString(), "COTERIE_CONFIG_FILE", "auto")))
                .containsExactlyInAnyOrder(
                        "0 as it is: ring", "1 as it is: ring", "0 property: sra", "0 no file: knomial");
    }

    @ParameterizedTest
    @EnumSource(PeMode.class)
    @DisplayName("UC-11 the environment wins over the file that it names; there need be none in the usual place")
    void environment(PeMode mode, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("other.conf"), "COTERIE_TL_P2P_TUNE = allreduce:@ring\nCOTERIE_TLS = p2p\n");
        assertThat(run(
                        mode,
                        Map.of(
                                "XDG_CONFIG_HOME",
                                folder.toString(),
                                "COTERIE_CONFIG_FILE",
                                file.toString(),
                                "COTERIE_TL_P2P_TUNE",
                                "allreduce:@dbt")))
                .containsExactlyInAnyOrder("0 as it is: dbt", "1 as it is: dbt", "0 property: sra", "0 no file: dbt");
    }

    /// Runs [Learning] on two PEs, and returns what they print, each line after its PE's number.
    private static Collection<String> run(PeMode mode, Map<String, String> environment) {
        EndedJob job =
                EndedJob.of(EndedJob.spec("settings", 2, Learning.class, mode).withEnvironment(environment));
        assertThat(job.exitCode()).as("%s", job.lines()).isZero();
        return job.lines();
    }

    /// What the PEs run: sums by requests, and prints the algorithm.
    static final class Learning {
        /// So short that it goes by messages, also where members load and store each other's memory.
        private static final int MESSAGE = 32;

        private Learning() {}

        public static void main(String[] args) {
            tell("as it is");
            tell("property", "tl.p2p.tune=allreduce:@sra");
            tell("no file", "config.file=");
        }

        /// All print what they have been started with; PE 0 alone what it has set.
        private static void tell(String what, String... settings) {
            try (Joined joined = Joined.with(settings);
                    Sums sums = new Sums(joined.world(), MESSAGE)) {
                String served = sums.check(joined.world().team(), MESSAGE);
                if (settings.length == 0 || joined.world().pe() == 0) {
                    System.out.println(what + ": " + served.substring(served.indexOf('/') + 1));
                }
            }
        }
    }
}
