// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.Terminal;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// How many characters a line of help has.
final class TerminalWidth {
    /// Where it is not known.
    static final int USUAL = 80;

    /// Narrower columns have little more than a word, and longer lines are hard to read.
    private static final int LEAST = 60;

    private static final int MOST = 120;

    private TerminalWidth() {}

    /// Returns the width: that of `COLUMNS`, else of the terminal, else the usual one.
    static int of(Map<String, String> environment) {
        int columns = number(environment.getOrDefault("COLUMNS", ""));
        if (columns == 0 && Terminal.is(Terminal.OUT)) {
            columns = ofTerminal();
        }
        return columns == 0 ? USUAL : Math.clamp(columns, LEAST, MOST);
    }

    private static int ofTerminal() {
        try {
            Process stty = new ProcessBuilder(List.of("stty", "size"))
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return number(size.substring(size.indexOf(' ') + 1));
        } catch (IOException e) {
            return 0; // the tool is missing, or the terminal is not this process's
        }
    }

    private static int number(String text) {
        return text.matches("[1-9]\\d{0,3}") ? Integer.parseInt(text) : 0;
    }
}
