// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Programs that are modules, on a module path with the runtime.
class ModuleTest {
    private static final String MAIN = """
            package app.inside;
            class Main {
                static int count;
                static void main() {
                    try (var world = coterie.World.join()) {
                        count++;
                        world.team().barrier();
                        System.out.println(Main.class.getModule() + " " + world.pe() + " counts " + count);
                    }
                }
            }
            """;

    // The tests' simulator is on the class path; the modules are on another path, without it.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
    void aMainClassInAPackageThatItsModuleKeepsToItselfRunsAsAModule(PeMode mode, @TempDir Path folder)
            throws IOException {
        List<Path> runtime = Launching.classPath().subList(0, 2);
        Path module = compile(folder, runtime.getFirst());
        String path = SearchPath.format(List.of(runtime.getFirst(), runtime.getLast(), module));
        String options = "mode=" + mode + " modules=" + path;
        try (Launch launch = Launch.start(Map.of(), options, "app/app.inside.Main")) {
            assertThat(launch.awaitEnd()).as("%s", launch.err()).isZero();
            assertThat(launch.out()).containsExactlyInAnyOrder("module app 0 counts 1", "module app 1 counts 1");
        }
        try (Launch launch = Launch.start(Map.of(), "pes=1 " + options, "absent/app.inside.Main")) {
            assertThat(launch.awaitEnd()).isEqualTo(ExitCode.NOT_FOUND.code());
            assertThat(launch.err()).contains("coterie: PE 0 can't start the program: there is no module absent");
        }
    }

    private static Path compile(Path folder, Path runtime) throws IOException {
        Path info = Files.writeString(folder.resolve("module-info.java"), "module app { requires coterie; }");
        Path main = Files.writeString(folder.resolve("Main.java"), MAIN);
        Path module = folder.resolve("app");
        Path annotations = Path.of(NullMarked.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-p",
                        SearchPath.format(List.of(runtime, annotations)),
                        "-d",
                        module.toString(),
                        info.toString(),
                        main.toString());
        assertThat(code).isZero();
        return module;
    }
}
