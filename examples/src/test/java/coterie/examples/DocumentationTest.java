// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import java.io.File;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compiles what the pages show, so that a reader copies only lines that compile.
///
/// A block with a main method, or with imports, is a whole file. Any other is a piece of one: the test puts it
/// where the names of [#AROUND] are in scope, unless the piece declares them itself.
class DocumentationTest {
    private static final Pattern BLOCK = Pattern.compile("(?m)^```java\\n(.*?)^```", Pattern.DOTALL);
    private static final String AROUND = """
            import coterie.*;
            import coterie.collective.*;
            import module java.base;
            import module jdk.incubator.vector;

            class Piece {
                World world;
                Team team;
                Context context;
                SymmetricMemory memory;
                SymmetricLock lock;
                DoubleView x, best;
                IntegerView table, total, flags;
                VectorSpecies<Double> species;
                MemorySegment row, column, tile, result;
                long n, i, bytes, step, mask, expected, wanted;
                int pe, right, up, down;
                int[] targets;
                boolean cannotGoOn;

                void restore(int failed) {}

                void piece() throws Exception {
            """;

    @TempDir
    Path classes;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "README.md",
                "docs/cheat-sheet.md",
                "docs/clusters.md",
                "docs/coming-from-mpi.md",
                "docs/coming-from-pcj.md",
                "docs/coming-from-shmem.md",
                "docs/coming-from-spark.md",
                "docs/command-line.md",
                "docs/teams.md",
                "docs/failures.md",
                "docs/gpu.md",
                "docs/ide.md",
                "docs/performance.md",
                "docs/testing.md",
                "docs/tutorial.md",
                "docs/writing-a-face.md"
            })
    @DisplayName("all Java in the documentation compiles")
    void javaCompiles(String page) throws Exception {
        List<String> blocks = BLOCK.matcher(Files.readString(ProgramRun.EXAMPLES.resolveSibling(page)))
                .results()
                .map(block -> block.group(1))
                .toList();

        assertThat(blocks).isNotEmpty();
        assertThat(blocks).allSatisfy(block -> assertThat(complaints(block)).isEmpty());
    }

    private String complaints(String block) throws Exception {
        boolean isFile = block.contains("void main(") || block.startsWith("import ");
        String source = isFile ? block : AROUND + block + "}}\n";
        URI name = URI.create("string:///" + (isFile ? "Program" : "Piece") + ".java");
        JavaFileObject file = new SimpleJavaFileObject(name, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        Path core = Path.of(
                World.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        String path = core + File.pathSeparator + System.getProperty("java.class.path");
        List<String> options =
                List.of("-proc:none", "-cp", path, "--add-modules", "jdk.incubator.vector", "-d", classes.toString());
        boolean compiled =
                compiler.getTask(said, null, null, options, null, List.of(file)).call();
        return compiled ? "" : said.toString();
    }
}
