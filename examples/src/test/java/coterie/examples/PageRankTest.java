// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import coterie.examples.ProgramRun.Pes;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The program against itself on other numbers of PEs, and against a serial twin that shares nothing with it:
/// modules are read through their readers, the graph is a list of sets, and the sums run over sources and not over
/// targets.
class PageRankTest {
    private static final Pattern ROW = Pattern.compile("(0\\.\\d{15})  (\\S+)");
    private static final Pattern GRAPH = Pattern.compile("(\\d+) classes, (\\d+) references, read in .*");

    private record Row(double rank, String name) {}

    private record Outcome(int classes, long references, List<Row> top) {}

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @Test
    @DisplayName("the ranks of 4 processes are those of a serial twin")
    void ranksAreRight() throws Exception {
        assertIsThatOfOne(run(new Pes(4, "processes")));
    }

    @Test
    @Tag("soak")
    @DisplayName(
            "the same classes in the same order with the same ranks on 1 and 4 processes and on 2 threads; a serial"
                    + " twin agrees")
    void ranksDoNotDependOnPes() throws Exception {
        Outcome alone = run(new Pes(1, "processes"));

        assertThat(run(new Pes(4, "processes"))).isEqualTo(alone);
        assertThat(run(new Pes(2, "threads"))).isEqualTo(alone);
        assertIsThatOfOne(alone);
    }

    private static void assertIsThatOfOne(Outcome outcome) throws IOException {
        Outcome serial = serially(outcome.top().size());
        assertThat(outcome.classes()).isEqualTo(serial.classes()).isGreaterThan(10_000);
        assertThat(outcome.references()).isEqualTo(serial.references());
        assertThat(outcome.top())
                .extracting(Row::name)
                .isEqualTo(serial.top().stream().map(Row::name).toList());
        for (int i = 0; i < serial.top().size(); i++) {
            assertThat(outcome.top().get(i).rank())
                    .isCloseTo(serial.top().get(i).rank(), within(1e-10));
        }
    }

    private static Outcome run(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "PageRank.java");
        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        Matcher graph = GRAPH.matcher(run.output().getFirst());
        assertThat(graph.matches()).as(run.output().getFirst()).isTrue();
        assertThat(run.output().get(1)).contains("on " + pes.number() + " PEs");
        List<Row> rows = run.output().stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .map(row -> new Row(Double.parseDouble(row.group(1)), row.group(2)))
                .toList();
        assertThat(rows).hasSize(20);
        return new Outcome(Integer.parseInt(graph.group(1)), Long.parseLong(graph.group(2)), rows);
    }

    private static Outcome serially(int top) throws IOException {
        Map<String, Set<String>> named = new TreeMap<>();
        for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
            try (ModuleReader reader = module.open()) {
                for (String file :
                        reader.list().filter(name -> name.endsWith(".class")).toList()) {
                    String type = file.substring(0, file.length() - ".class".length());
                    if (!type.equals("module-info")) {
                        named.put(type, namesIn(reader.open(file).orElseThrow().readAllBytes()));
                    }
                }
            }
        }
        named.forEach((type, names) -> {
            names.retainAll(named.keySet());
            names.remove(type);
        });
        List<String> types = new ArrayList<>(named.keySet());
        Map<String, Integer> numbers = new TreeMap<>();
        types.forEach(type -> numbers.put(type, numbers.size()));
        int[][] targets = named.values().stream()
                .map(names -> names.stream().mapToInt(numbers::get).toArray())
                .toArray(int[][]::new);
        double[] ranks = ranks(targets);
        List<Row> rows = numbers.values().stream()
                .sorted(Comparator.comparingDouble(v -> -ranks[v]))
                .limit(top)
                .map(v -> new Row(ranks[v], types.get(v).replace('/', '.')))
                .toList();
        return new Outcome(
                types.size(), Arrays.stream(targets).mapToLong(of -> of.length).sum(), rows);
    }

    private static Set<String> namesIn(byte[] classFile) {
        Set<String> names = new HashSet<>();
        for (PoolEntry entry : ClassFile.of().parse(classFile).constantPool()) {
            if (entry instanceof ClassEntry type) {
                names.add(type.asInternalName().replaceFirst("^\\[+L(.*);$", "$1"));
            }
        }
        return names;
    }

    private static double[] ranks(int[][] targets) {
        int vertices = targets.length;
        double[] ranks = new double[vertices];
        Arrays.fill(ranks, 1.0 / vertices);
        for (int iteration = 0; iteration < 200; iteration++) {
            double[] next = new double[vertices];
            Arrays.fill(next, 0.15 / vertices);
            for (int source = 0; source < vertices; source++) {
                for (int target : targets[source]) {
                    next[target] += 0.85 * ranks[source] / targets[source].length;
                }
            }
            ranks = next;
        }
        return ranks;
    }
}
