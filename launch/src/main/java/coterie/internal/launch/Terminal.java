// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// What is known of the terminal that a person looks at, if there is one.
public final class Terminal {
    public static final int OUT = 1;
    public static final int ERR = 2;

    private Terminal() {}

    /// How a word looks on a terminal.
    public enum Style {
        BOLD("1"),
        RED("31"),
        GREEN("32"),
        YELLOW("33");

        private final String code;

        Style(String code) {
            this.code = code;
        }

        /// Returns a text in this style, or as it is where there is no colour.
        public String of(String text, boolean hasColor) {
            return hasColor ? "\033[" + code + "m" + text + "\033[0m" : text;
        }
    }

    /// Returns whether a stream of this process leads to a terminal.
    public static boolean is(int descriptor) {
        try {
            Path stream = Path.of("/proc/self/fd/" + descriptor);
            if (!Files.isSymbolicLink(stream)) {
                return false;
            }
            String target = Files.readSymbolicLink(stream).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException e) {
            return false; // the process has closed it
        }
    }

    /// Returns whether a stream of this process shows colours: a terminal does, unless `NO_COLOR` is not empty, see
    /// no-color.org, or the terminal says that it is dumb.
    public static boolean hasColor(int descriptor, Map<String, String> environment) {
        return is(descriptor) && allowsColor(environment);
    }

    static boolean allowsColor(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }
}
