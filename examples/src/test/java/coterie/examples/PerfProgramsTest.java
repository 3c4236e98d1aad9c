// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("programs as operations of coterie perf")
class PerfProgramsTest {
    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @Test
    @DisplayName("--ops npb runs the programs of the folder npb, which verify their results, and prints their figures")
    void runsPrograms() throws Exception {
        ProgramRun run =
                PerfCommandTest.perf("-n", "2", "-J-XX:TieredStopAtLevel=1", "--csv", "--class=S", "--ops=npb");

        assertThat(PerfCommandTest.messages(run)).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).first().isEqualTo("system,op,np,bytes,metric,unit,value");
        assertThat(run.output().stream().skip(1).map(row -> row.replaceFirst("\\d+\\.\\d\\d$", "")))
                .containsExactlyElementsOf(Stream.of("ep", "is", "cg", "mg", "ft", "lu", "sp", "bt")
                        .flatMap(name -> Stream.of(
                                "coterie," + name + ".S,2,0,mops,Mop/s,", "coterie," + name + ".S,2,0,time,s,"))
                        .toList());
    }

    @Test
    @DisplayName(
            "programs run as threads too, after the other operations; those that can't run on so many PEs are left out")
    void leavesProgramsOut() throws Exception {
        ProgramRun run = PerfCommandTest.perf(
                "-n",
                "3",
                "--pes",
                "threads",
                "-J-XX:TieredStopAtLevel=1",
                "--warmup",
                "10",
                "--ops",
                "mg,is,cg,barrier");

        assertThat(PerfCommandTest.messages(run)).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .contains("# mg needs a number of PEs that is a power of two: left out")
                .filteredOn(line -> line.matches("# [a-z]+: .*|S +\\d+\\.\\d\\d +\\d+\\.\\d\\d"))
                .extracting(line -> line.replaceFirst(":.*|(?<=S).*", ""))
                .containsExactly("# barrier", "# is", "S", "# cg", "S");
    }

    @Test
    @DisplayName("a program whose results are not verified ends perf, with its name, its class and what it has printed")
    void failsWithWrongResults(@TempDir Path folder) throws Exception {
        Path npb = ProgramRun.EXAMPLES.resolve("npb");
        for (String file : List.of("CG.java", "Npb.java", "SparseRows.java")) {
            String text = Files.readString(npb.resolve(file));
            Files.writeString(folder.resolve(file), text.replace("{8.5971775078648,", "{8.5971775178648,"));
        }
        Path lib = ProgramRun.EXAMPLES.resolveSibling("target/dist/lib");
        int compiled = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        lib.resolve("coterie.jar").toString(),
                        "-sourcepath",
                        folder.toString(),
                        folder.resolve("CG.java").toString());
        assertThat(compiled).isZero();
        // perf looks at the class path first.
        String path = String.join(
                File.pathSeparator,
                folder.toString(),
                lib.resolve("coterie-bench.jar").toString(),
                lib.resolve("HdrHistogram.jar").toString());

        ProgramRun run = ProgramRun.coterie(
                PerfCommandTest.BRIEFLY,
                List.of(
                        "run",
                        "-n",
                        "2",
                        "-cp",
                        path,
                        "coterie.bench.Perf",
                        "--csv",
                        "--warmup",
                        "10",
                        "--ops",
                        "cg,barrier"));

        assertThat(run.exitCode()).isOne();
        assertThat(run.output()).hasSize(3).last().asString().startsWith("coterie,barrier,2,0,lat_min,ns,");
        assertThat(run.errors())
                .contains(" Verification    = %24s".formatted("UNSUCCESSFUL"))
                .anyMatch(line -> line.contains("CG class S: the results are wrong"));
    }

    @Test
    @DisplayName("the problem classes are those of the programs")
    void hasClassesOfPrograms() throws Exception {
        ProgramRun run = PerfCommandTest.perf("-n", "1", "--ops", "cg", "--class", "SWAB");

        assertThat(run.exitCode()).isEqualTo(2);
        Matcher classes = Pattern.compile("CLASSES = \"([A-Z]+)\"")
                .matcher(Files.readString(ProgramRun.EXAMPLES.resolve("npb/Npb.java")));
        assertThat(classes.find()).isTrue();
        assertThat(run.errors())
                .contains("coterie perf: --class: \"SWAB\" is no problem class of npb; these are "
                        + String.join(", ", classes.group(1).split("")));
    }
}
