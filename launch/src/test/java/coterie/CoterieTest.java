// SPDX-License-Identifier: Apache-2.0
package coterie;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Jobs that a program starts with its own class path and options.
class CoterieTest {
    @Test
    void pesGetThisProgramsClassPathOptionsAndInputAndItGetsTheirExitCode() throws IOException, InterruptedException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dtest.word=hello",
                        "-Xmx77m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Starts.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        program.getOutputStream().write('!');
        program.getOutputStream().close();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).isEqualTo(3);
        assertThat(said.lines()).containsExactlyInAnyOrder("0 of 2: hello 33 75", "1 of 2: hello -1 75");
    }

    static final class Starts {
        public static void main(String[] args) {
            System.exit(Coterie.run(2, Started.class, "hello", "3"));
        }
    }

    static final class Started {
        private static final int MEBI = 1 << 20;

        public static void main(String[] args) throws IOException {
            try (World world = World.join()) {
                System.out.println(world.pe() + " of " + world.size() + ": " + System.getProperty("test.word") + " "
                        + System.in.read() + " " + Runtime.getRuntime().maxMemory() / MEBI);
                world.team().barrier();
            }
            System.exit(Integer.parseInt(args[1]));
        }
    }
}
