// SPDX-License-Identifier: Apache-2.0

package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorModuleTest {
    private static final String NOTICE = "WARNING: Using incubator modules: jdk.incubator.vector\n";

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final LineTarget quiet = VectorModule.withoutNotice(new LineTarget() {
        @Override
        public void lines(byte[] bytes, int from, int to) {
            assertThat(to).as("lines are never none").isGreaterThan(from);
            out.write(bytes, from, to - from);
        }
    });

    private String after(String... texts) throws IOException {
        for (String text : texts) {
            byte[] bytes = ("xx" + text + "yy").getBytes(StandardCharsets.UTF_8);
            quiet.lines(bytes, 2, bytes.length - 2);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("the JVM's line is left out between others, alone and at the ends")
    void leavesLineOut() throws IOException {
        assertThat(after("a\n" + NOTICE + "b\n")).isEqualTo("a\nb\n");
    }

    @Test
    @DisplayName("a chunk of that line alone is left out wholly")
    void leavesLoneLineOut() throws IOException {
        assertThat(after(NOTICE, "b\n")).isEqualTo("b\n");
    }

    @Test
    @DisplayName("lines that only resemble it stay, and so does a second one, which is the program's own")
    void keepsOthers() throws IOException {
        String several = "WARNING: Using incubator modules: jdk.incubator.vector, jdk.incubator.other\n";
        String indented = " " + NOTICE;
        assertThat(after(several, indented, "a\n", NOTICE, NOTICE)).isEqualTo(several + indented + "a\n" + NOTICE);
    }

    @Test
    @DisplayName("the kernels are found as a jar, as classes and in a folder of jars, and nowhere else")
    void findsKernels() throws IOException {
        Path jars = Files.createDirectories(folder.resolve("jars"));
        Files.createFile(jars.resolve("coterie-vector-1.jar"));
        Path classes = folder.resolve("classes");
        Files.createDirectories(classes.resolve("coterie/vector"));
        Files.createFile(classes.resolve("coterie/vector/VectorProvider.class"));
        Path other = Files.createDirectories(folder.resolve("other"));
        assertThat(VectorModule.isOn(List.of(other, jars.resolve("coterie-vector-1.jar"))))
                .isTrue();
        assertThat(VectorModule.isOn(List.of(other, classes))).isTrue();
        assertThat(VectorModule.isOn(List.of(other, jars))).isTrue();
        assertThat(VectorModule.isOn(List.of(other, folder.resolve("absent"), jars.resolve("coterie.jar"))))
                .isFalse();
    }

    @Test
    @DisplayName("a JDK that was linked without the module is known by its release file")
    void knowsJdks() throws IOException {
        assertThat(VectorModule.isIn(folder)).as("no JDK").isFalse();
        Files.writeString(folder.resolve("release"), "MODULES=\"java.base java.logging\"\n");
        assertThat(VectorModule.isIn(folder)).isFalse();
        Files.writeString(folder.resolve("release"), "MODULES=\"java.base jdk.incubator.vector jdk.jfr\"\n");
        assertThat(VectorModule.isIn(folder)).isTrue();
    }
}
