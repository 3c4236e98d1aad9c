// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.trace.TraceCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A transport layer in a jar of its own, made as a user would make it: `hier` uses it between nodes.
class FileLayerTest {
    private static final Path LAYERS = ProgramRun.EXAMPLES.resolve("src/test/layers");
    private static final String LEADERS = "NODE_LEADERS of 2: allreduce by file/all";

    @TempDir
    Path folder;

    private Path jar;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @BeforeEach
    void makeJar() throws IOException {
        Path classes = Files.createDirectory(folder.resolve("classes"));
        Path runtime = ProgramRun.EXAMPLES.resolveSibling("target/dist/lib/coterie.jar");
        tool(
                "javac",
                "--release",
                "25",
                "-d",
                classes.toString(),
                "-cp",
                runtime.toString(),
                LAYERS.resolve("FileLayer.java").toString());
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("coterie.layer.TransportLayer"), "FileLayer\n");
        jar = folder.resolve("file-layer.jar");
        tool("jar", "--create", "--file", jar.toString(), "-C", classes.toString(), ".");
    }

    private static void tool(String name, String... arguments) {
        assertThat(ToolProvider.findFirst(name).orElseThrow().run(System.out, System.err, arguments))
                .as(name)
                .isZero();
    }

    private ProgramRun run(String command, Map<String, String> more, String... options) throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of(
                "COTERIE_TLS", "^file",
                "COTERIE_CL_HIER_TUNE", "allreduce:@rab:inf#barrier:@2step:inf#allgatherv:0",
                "COTERIE_CL_HIER_NODE_LEADERS_SBGP_TLS", "file",
                "COTERIE_TL_FILE_FOLDER", folder.resolve("files").toString()));
        environment.putAll(more);
        List<String> words = new ArrayList<>(List.of(command, "--timeout", "60s"));
        words.addAll(List.of(options));
        words.addAll(List.of(
                "-cp",
                jar.toString(),
                "--nodes",
                "a:2,b:2",
                LAYERS.resolve("LayeredSums.java").toString()));
        return ProgramRun.coterie(environment, words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"processes", "threads"})
    @DisplayName("hier's leaders go by the layer alone, in calls and requests, and explain shows it")
    void servesLeaders(String mode) throws Exception {
        ProgramRun run = run("run", Map.of(), "--pes", mode);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.output()).anyMatch(line -> line.strip().equals(LEADERS));
        assertThat(run.errors()).isEmpty();
    }

    @Test
    @DisplayName("the trace shows each task of the layer, with its level")
    void isTraced() throws Exception {
        Path traced = folder.resolve("traced");
        ProgramRun run = run("trace", Map.of(), "-o", traced.toString());
        assertThat(run.exitCode()).as(run.toString()).isZero();
        List<String> slices = TraceCheck.of(traced.resolve("trace.json")).slices();
        assertThat(slices.stream().filter("NODE_LEADERS allreduce by file/all"::equals))
                .as("those of requests may overlap other operations, and are no slices then")
                .hasSizeGreaterThanOrEqualTo(2 * 20);
        assertThat(slices).contains("NODE_LEADERS barrier by file/all");
    }

    @Test
    @DisplayName("a level whose list serves no broadcast ends the join of each PE with a line, without a stack")
    void refusedAtJoin() throws Exception {
        ProgramRun run = run("run", Map.of("COTERIE_CL_HIER_TUNE", "allreduce:@rab:inf"));
        assertThat(run.exitCode()).isNotZero();
        assertThat(run.errors())
                .as("PEs that end for the same cause at the same time share a line")
                .anyMatch(line -> line.matches("coterie: PEs? [0-9, -]+: .*")
                        && line.contains("setting CL_HIER_NODE_LEADERS_SBGP_TLS")
                        && line.contains("allgatherv of node_leaders groups"))
                .noneMatch(line -> line.startsWith("\tat "));
    }

    @Test
    @DisplayName("info lists the layer, its algorithms with descriptions, and its settings")
    void isInInfo() throws Exception {
        ProgramRun run = ProgramRun.coterie(Map.of(), List.of("info", "-cp", jar.toString()));
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.output())
                .anyMatch(line -> line.startsWith("algorithms file allreduce")
                        && line.endsWith("0 all (each member writes a file, and reads those of the others)"))
                .anyMatch(line -> line.startsWith("setting coterie.tl.file.folder"));
    }
}
