// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Core does not know what plugs into it: what it needs to know, modules declare by services.
class ProductNamesTest {
    private static final Pattern PRODUCT = Pattern.compile("cuda|nccl|slurm|ucx|spark", Pattern.CASE_INSENSITIVE);

    /// A tag names the routine of a standard that a member is for.
    private static final String SOURCE = "/// @counterpart ";

    /// Its constants are the words of UCC's tuning strings, which must be readable without a device.
    private static final Set<String> EXEMPT = Set.of("MemoryTypeName.java");

    @Test
    @DisplayName("core's sources name no product that plugs in, neither in code nor in comments")
    void core() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SourceFilesTest.root().resolve("core/src/main"))) {
            files.filter(Files::isRegularFile)
                    .filter(file -> !EXEMPT.contains(file.getFileName().toString()))
                    .forEach(file -> lines(file).stream()
                            .filter(ProductNamesTest::namesProduct)
                            .forEach(line -> found.add(file.getFileName() + ": " + line.strip())));
        }
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName("names in code, in texts and in comments are found, and a source in a comment is not")
    void findsWhatItLooksFor() {
        assertThat(Stream.of(
                        "CUDA_LIBRARY(\"\", \"\"),",
                        "String prefix = \"coterie.cuda.\";",
                        "/// Such as a process of Slurm.",
                        "if (x) { // for UCX",
                        "String text = \"@counterpart NCCL\";"))
                .allMatch(ProductNamesTest::namesProduct);
        assertThat(Stream.of(
                        "/// @counterpart barrier sessions of NCCL", "    /// @counterpart `ncclSignal`", "int i;"))
                .noneMatch(ProductNamesTest::namesProduct);
    }

    private static boolean namesProduct(String line) {
        return !line.strip().startsWith(SOURCE) && PRODUCT.matcher(line).find();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
