// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    static List<Pes> pes() {
        List<Pes> all = List.of(
                new Pes(4, "processes"), new Pes(2, "threads"), new Pes(1, "processes"), new Pes(2, "processes"));
        return Boolean.getBoolean("coterie.soak") ? all : all.subList(0, 2);
    }

    /// For programs whose results do not depend on what their PEs are, beside others that a build runs as processes.
    static List<Pes> threads() {
        return Boolean.getBoolean("coterie.soak") ? pes() : List.of(new Pes(2, "threads"));
    }

    static List<Path> programs() throws IOException {
        try (Stream<Path> files = Files.list(ProgramRun.EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pes")
    @DisplayName("hello: one greeting of each PE")
    void helloGreets(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Hello.java");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output().stream()
                        .map(line -> line.replaceFirst(", process \\d+$", ""))
                        .sorted())
                .isEqualTo(IntStream.range(0, pes.number())
                        .mapToObj(pe -> "Hello from PE " + pe + " of " + pes.number())
                        .toList());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pes")
    @DisplayName("ring: the token counts every hop")
    void ringCountsHops(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Ring.java", "300");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .singleElement()
                .asString()
                .startsWith(300 * pes.number() + " hops on " + pes.number() + " PEs")
                .endsWith("the token holds " + 300 * pes.number());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("threads")
    @DisplayName("pi: right to the error of its rule")
    void piIsRight(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Pi.java", "1000000");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .singleElement()
                .asString()
                .startsWith("pi is 3.14159265359")
                .contains("from 1000000 strips on " + pes.number() + " PEs");
    }

    static int[] sizes() {
        return Boolean.getBoolean("coterie.soak") ? new int[] {3, 50} : new int[] {3};
    }

    @ParameterizedTest
    @MethodSource("sizes")
    @DisplayName("heat: the plate has the same bits for every number of PEs, of which some may have no rows")
    void heatIsTheSameForAllPes(int size) throws Exception {
        Set<List<String>> plates = new HashSet<>();
        for (Pes pes : pes()) {
            plates.add(heat(pes, size));
        }
        assertThat(plates).hasSize(1);
    }

    private static List<String> heat(Pes pes, int size) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Heat.java", "--size", Integer.toString(size), "--steps", "301");
        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output().getFirst()).containsPattern("[=+*#%@]");
        assertThat(run.output().getLast())
                .contains("on " + pes.number() + " PEs")
                .matches(".*fingerprint is [0-9a-f]{16}");
        return run.output().stream()
                .map(line -> line.replaceFirst("[0-9.]+ us on \\d+ PEs", ""))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("threads")
    @DisplayName("gups: no update is lost, and those that are no atomics may be")
    void gupsLosesNothing(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Gups.java", "--bits", "9", "--updates", "100");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output().getFirst()).startsWith("51200 updates of 512 words on " + pes.number() + " PEs in ");
        assertThat(run.output().getLast()).isEqualTo("0 words are wrong, 0.0000 %");

        ProgramRun unsafe = ProgramRun.of(pes, "Gups.java", "--atomic", "0", "--bits", "9");
        assertThat(unsafe.errors()).isEmpty();
        assertThat(unsafe.exitCode()).isZero();
        assertThat(unsafe.output().getLast()).matches("\\d+ words are wrong, .*");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("threads")
    @DisplayName("pipeline: every item comes, right and in order, through one slot and through several")
    void pipelineKeepsOrder(Pes pes) throws Exception {
        for (String slots : List.of("1", "5")) {
            ProgramRun run = ProgramRun.of(pes, "Pipeline.java", "--items", "2000", "--slots", slots);

            assertThat(run.errors()).isEmpty();
            assertThat(run.exitCode()).isZero();
            assertThat(run.output())
                    .singleElement()
                    .asString()
                    .startsWith("2000 items of 512 B through " + pes.number() + " stages")
                    .endsWith("all are right and in order");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("threads")
    @DisplayName("distributed map: counts as one PE does, of which a test knows how often Ring says token")
    void distributedMapCountsWords(Pes pes) throws Exception {
        Path text = ProgramRun.EXAMPLES.resolve("Ring.java");
        long tokens = Pattern.compile("[a-zA-Z]+")
                .matcher(Files.readString(text))
                .results()
                .filter(word -> word.group().equals("token"))
                .count();

        ProgramRun run = ProgramRun.of(pes, "DistributedMap.java", text.toString());

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output().getFirst()).contains(" in 1 files, counted by " + pes.number() + " PEs");
        assertThat(run.output()).hasSize(11).contains("%7d  token".formatted(tokens));
    }

    @Test
    @Tag("soak")
    @DisplayName("distributed map: without arguments it reads what the JDK brings")
    void distributedMapReadsTheJdk() throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(2, "threads"), "DistributedMap.java");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).hasSize(11);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("threads")
    @DisplayName("counter ring: all blocks come round, and the counters of the slots count all puts")
    void counterRingCounts(Pes pes) throws Exception {
        prints(
                "100 steps round %d PEs: all blocks are right, the counters are 34, 33, 33",
                pes, "CounterRing.java", "100");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("threads")
    @DisplayName("halos: four faces compute the same cells, whose sum is that of the beginning")
    void halosAreEqual(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Halos.java");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        int size = pes.number();
        String sum = size * 500_500L + 1_000_000L * size * (size - 1) / 2 + ".0";
        assertThat(run.output())
                .isEqualTo(Stream.of("puts with signals", "stream", "GIN", "coarrays")
                        .map(face -> face + ": the cells of " + size + " PEs add up to " + sum)
                        .toList());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("threads")
    @DisplayName("put all-to-all: every round has the blocks of its round")
    void putAllToAllKeepsRounds(Pes pes) throws Exception {
        prints("50 rounds of 9 longs from each of %d PEs to each: all are right", pes, "PutAllToAll.java", "50", "9");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("threads")
    @DisplayName("mixture of experts: the tokens are those of one PE, and each visits two experts in each layer")
    void mixtureOfExpertsIsRight(Pes pes) throws Exception {
        int visits = 4 * 10 * 2 * pes.number();
        prints(
                "4 layers, 10 tokens on each of %d PEs: " + visits + " visits to " + 2 * pes.number()
                        + " experts, the results are those of one PE",
                pes,
                "MixtureOfExperts.java",
                "10",
                "4");
    }

    private static void prints(String format, Pes pes, String program, String... arguments) throws Exception {
        ProgramRun run = ProgramRun.of(pes, program, arguments);

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).containsExactly(format.formatted(pes.number()));
    }
}
