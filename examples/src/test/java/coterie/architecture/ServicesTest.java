// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Programs find what plugs in on a module path as on a class path.
class ServicesTest {
    private static final Pattern PROVIDES = Pattern.compile("provides\\s+([\\w.]+)\\s+with\\s+([^;]+);");
    private static final Path SERVICES = Path.of("src", "main", "resources", "META-INF", "services");

    @Test
    @DisplayName("the descriptor of each module and its META-INF/services declare the same")
    void areDeclaredTwice() throws IOException {
        Map<String, Map<String, List<String>>> modules = new TreeMap<>();
        Map<String, Map<String, List<String>>> paths = new TreeMap<>();
        try (Stream<Path> folders = Files.list(SourceFilesTest.root())) {
            for (Path module : folders.toList()) {
                Path descriptor = module.resolve("src/main/java/module-info.java");
                if (Files.isRegularFile(descriptor)) {
                    String name = module.getFileName().toString();
                    modules.put(name, provided(Files.readString(descriptor)));
                    paths.put(name, services(module.resolve(SERVICES)));
                }
            }
        }
        assertThat(modules.get("cluster")).hasSizeGreaterThan(1);
        assertThat(paths).isEqualTo(modules);
    }

    private static Map<String, List<String>> provided(String descriptor) {
        Map<String, List<String>> provided = new TreeMap<>();
        for (Matcher each = PROVIDES.matcher(descriptor); each.find(); ) {
            provided.put(
                    each.group(1),
                    Arrays.stream(each.group(2).split(",", -1))
                            .map(String::strip)
                            .sorted()
                            .toList());
        }
        return provided;
    }

    private static Map<String, List<String>> services(Path folder) throws IOException {
        Map<String, List<String>> services = new TreeMap<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    List<String> providers =
                            Files.readAllLines(file).stream().sorted().toList();
                    services.put(file.getFileName().toString().replace('$', '.'), providers);
                }
            }
        }
        return services;
    }
}
