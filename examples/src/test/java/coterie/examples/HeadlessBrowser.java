// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A page after its script has run, in Chromium without a window and without a network.
final class HeadlessBrowser {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final long LIMIT_SECONDS = 120;

    private final String page;

    private HeadlessBrowser(String page) {
        this.page = page;
    }

    /// Loads a page; skips the test if this machine has no browser.
    ///
    /// @param profile a folder for the browser's files
    static HeadlessBrowser load(Path file, Path profile) throws IOException, InterruptedException {
        Optional<Path> browser = find();
        assumeTrue(browser.isPresent(), "skipped: no chromium or google-chrome on the path to show the report");
        Path output = profile.resolve("page.html");
        List<String> command = new ArrayList<>(List.of(
                browser.orElseThrow().toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile.resolve("profile"),
                "--dump-dom",
                file.toUri().toString()));
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("the browser ends")
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return new HeadlessBrowser(Files.readString(output, StandardCharsets.UTF_8));
    }

    private static Optional<Path> find() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Returns an attribute of the body, or an empty string.
    String body(String attribute) {
        Matcher found =
                Pattern.compile("<body[^>]*\\b" + attribute + "=\"([^\"]*)\"").matcher(page);
        return found.find() ? found.group(1) : "";
    }

    /// Returns the text of an element's first occurrence.
    String element(String id) {
        Matcher found = Pattern.compile("<(\\w+)[^>]*\\bid=\"" + id + "\".*?</\\1>", Pattern.DOTALL)
                .matcher(page);
        assertThat(found.find()).as("an element " + id).isTrue();
        return found.group();
    }

    /// Returns how often a text occurs in an element.
    static int count(String element, String text) {
        return element.split(Pattern.quote(text), -1).length - 1;
    }
}
