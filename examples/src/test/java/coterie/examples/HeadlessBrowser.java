// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A page after its script has run, in Chromium without a window and without a network.
final class HeadlessBrowser {
    private static final long LIMIT_SECONDS = 120;

    private final String page;

    private HeadlessBrowser(String page) {
        this.page = page;
    }

    /// Loads a page.
    ///
    /// @param profile a folder for the browser's files
    static HeadlessBrowser load(Path file, Path profile) throws IOException, InterruptedException {
        Path output = profile.resolve("page.html");
        List<String> command = new ArrayList<>(List.of(
                Tool.BROWSER.program().toString(),
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
