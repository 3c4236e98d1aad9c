// SPDX-License-Identifier: Apache-2.0
package coterie;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the compiler knows of reductions and elements.
class ReductionTypesTest {
    private static final String BEFORE = """
            import coterie.*;
            class Program {
                static final CustomReduction OWN = new CustomReduction("own", 8, (target, left, right, count) -> {});
                void run(Team team, LongView longs, ByteView bytes, IntegerView any, DoubleView doubles, FloatView floats,
                        ElementView unknown, double[] d, float[] f, long[] l, int[] i) {
            """;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "team.allReduce(Reduction.SUM, doubles, 0, doubles, 0, 1);",
                "team.allReduce(Reduction.MAX, unknown, 0, unknown, 0, 1);",
                "team.allReduce(IntegerReduction.AND, longs, 0, longs, 0, 1);",
                "team.inclusiveScan(IntegerReduction.XOR, bytes, 0, bytes, 0, 1);",
                "team.exclusiveScan(IntegerReduction.OR, any, 0, any, 0, 1);",
                "team.reduceScatter(OWN, doubles, 0, doubles, 0, 1);",
                "team.reduce(ExtendedReduction.AVERAGE, floats, 0, floats, 0, 1, 0);",
                "team.allReduce(Reduction.MIN, d); team.allReduce(OWN, l);",
                "team.allReduce(IntegerReduction.LOGICAL_OR, l); team.reduce(IntegerReduction.AND, i, 0);",
                "long all = team.allReduce(IntegerReduction.AND, -1L) + team.allReduce(Reduction.MAX, 3);",
                "double most = team.allReduce(Reduction.MAX, 3.5);",
            })
    @DisplayName("operations compile with the elements that have them")
    void compiles(String statement) {
        assertThat(errors(statement)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "team.allReduce(IntegerReduction.AND, doubles, 0, doubles, 0, 1);",
                "team.allReduce(IntegerReduction.LOGICAL_AND, floats, 0, floats, 0, 1);",
                "team.inclusiveScan(IntegerReduction.OR, doubles, 0, doubles, 0, 1);",
                "team.exclusiveScan(IntegerReduction.XOR, floats, 0, floats, 0, 1);",
                "team.reduceScatter(IntegerReduction.AND, doubles, 0, doubles, 0, 1);",
                "team.reduce(IntegerReduction.AND, doubles, 0, doubles, 0, 1, 0);",
                "team.reduceScatterV(IntegerReduction.AND, doubles, 0, doubles, l, l);",
                "team.allReduce(IntegerReduction.AND, unknown, 0, unknown, 0, 1);",
                "team.allReduce(IntegerReduction.AND, longs, 0, doubles, 0, 1);",
                "team.allReduce(IntegerReduction.AND, d);",
                "team.reduce(IntegerReduction.OR, f, 0);",
                "team.reduceScatter(IntegerReduction.XOR, d, d);",
                "double none = team.allReduce(IntegerReduction.AND, 1.0);",
            })
    @DisplayName("operations on integers do not compile with floating-point numbers, nor where the type is unknown")
    void refuses(String statement) {
        assertThat(errors(statement)).hasSize(1);
    }

    private List<String> errors(String statement) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Program.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return BEFORE + statement + "}}";
                    }
                };
        String path = System.getProperty("java.class.path")
                + System.getProperty("path.separator")
                + System.getProperty("jdk.module.path", "");
        compiler.getTask(
                        null,
                        null,
                        found,
                        List.of("-proc:none", "-d", folder.toString(), "-cp", path),
                        null,
                        List.of(source))
                .call();
        return found.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(each -> each.getMessage(Locale.ROOT))
                .toList();
    }
}
