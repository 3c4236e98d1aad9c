// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestReportTest {
    @TempDir
    private Path target;

    @Test
    @DisplayName("a report has the class, its time, its number of tests and the reasons of those that did not run")
    void reads() throws IOException {
        Path file = write("surefire-reports/TEST-coterie.ATest.xml", """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="coterie.ATest" time="1,234.567" tests="5" errors="0" skipped="4" failures="0">
              <properties><property name="java.version" value="25"/></properties>
              <testcase name="runs" classname="coterie.ATest" time="1234">
                <system-out><![CDATA[<skipped message="printed"/>]]></system-out>
              </testcase>
              <testcase name="b" classname="coterie.ATest"><skipped message="needs a &lt;tool>"/></testcase>
              <testcase name="c" classname="coterie.ATest"><skipped/></testcase>
              <testcase name="d" classname="coterie.ATest">
                <skipped message="for soak"><![CDATA[a stack]]></skipped>
              </testcase>
              <testcase name="e" classname="coterie.ATest">
                <skipped type="T"><![CDATA[T: needs b\n\tat C.c()]]></skipped>
              </testcase>
            </testsuite>
            """);
        TestReport report = TestReport.read("core", "surefire", file);
        assertThat(report.className()).isEqualTo("coterie.ATest");
        assertThat(report.seconds()).isEqualTo(1234.567);
        assertThat(report.tests()).isEqualTo(5);
        assertThat(report.skipped()).containsExactly("needs a <tool>", "no reason given", "for soak", "T: needs b");
    }

    @Test
    @DisplayName("reports older than the build are left out; the tier is the name of the folder")
    void readsReportsOfTheBuild() throws IOException {
        Instant build = Instant.parse("2026-01-31T12:00:00.123Z");
        age(write("surefire-reports/TEST-coterie.ATest.xml", suite("coterie.ATest")), build);
        age(write("surefire-reports-software-device/TEST-coterie.BTest.xml", suite("coterie.BTest")), build);
        age(write("failsafe-reports/TEST-coterie.CIT.xml", suite("coterie.CIT")), build.plusSeconds(9));
        age(write("failsafe-reports/TEST-coterie.DIT.xml", suite("coterie.DIT")), build.minusMillis(1));
        write("failsafe-reports/failsafe-summary.xml", "<failsafe-summary/>");
        write("surefire/TEST-coterie.ETest.xml", suite("coterie.ETest"));

        assertThat(TestReport.readModule("core", target, build))
                .extracting(TestReport::toString)
                .containsExactlyInAnyOrder(
                        "coterie.ATest (core, surefire)",
                        "coterie.BTest (core, surefire-software-device)",
                        "coterie.CIT (core, failsafe)");
    }

    @Test
    @DisplayName("a report that ends early, or is none, is an error with the name of the file")
    void refuses() throws IOException {
        Path truncated = write("surefire-reports/TEST-a.xml", suite("a").replace("</testsuite>", ""));
        Path other = write("surefire-reports/TEST-b.xml", "<other/>");
        assertThatThrownBy(() -> TestReport.read("core", "surefire", truncated))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(truncated.toString());
        assertThatThrownBy(() -> TestReport.read("core", "surefire", other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(other.toString());
    }

    @Test
    @DisplayName("a report that names other files, as a DTD can, is an error")
    void readsNoOtherFile() throws IOException {
        Path file = write("surefire-reports/TEST-a.xml", "<!DOCTYPE testsuite [<!ENTITY e SYSTEM 'f'>]>" + suite("a"));
        assertThatThrownBy(() -> TestReport.read("core", "surefire", file)).hasMessageContaining("DTD");
    }

    @Test
    @DisplayName("modules in a folder of another module are read, too")
    void readsModulesBelowModules() throws IOException {
        write("core/target/surefire-reports/TEST-coterie.ATest.xml", suite("coterie.ATest"));
        write("examples/target/surefire-reports/TEST-coterie.BTest.xml", suite("coterie.BTest"));
        write("examples/sockets/target/surefire-reports/TEST-coterie.CTest.xml", suite("coterie.CTest"));

        assertThat(TestReport.readAll(target, List.of(), Instant.EPOCH))
                .extracting(TestReport::toString)
                .containsExactlyInAnyOrder(
                        "coterie.ATest (core, surefire)",
                        "coterie.BTest (examples, surefire)",
                        "coterie.CTest (sockets, surefire)");
    }

    private static String suite(String name) {
        return "<testsuite name=\"" + name + "\" time=\"0.5\" tests=\"2\"></testsuite>";
    }

    private Path write(String name, String text) throws IOException {
        Path file = target.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private static void age(Path file, Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }
}
