// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/// Commands whose processes obey HUP, INT and QUIT. A build that a shell starts in the background, or by `nohup`,
/// ignores these signals, and so would its children and the children of these.
public final class DefaultSignals {
    private static final List<String> ENV = List.of("env", "--default-signal=HUP,INT,QUIT");

    /// Whether `env` knows the option: that of coreutils does, since version 8.31.
    private static final boolean IS_KNOWN = isKnown();

    private DefaultSignals() {}

    /// Returns the command with the default actions of these signals, or the command itself where `env` can't have it.
    public static List<String> of(List<String> command) {
        return IS_KNOWN ? Stream.concat(ENV.stream(), command.stream()).toList() : command;
    }

    private static boolean isKnown() {
        try {
            Process process = new ProcessBuilder(
                            Stream.concat(ENV.stream(), Stream.of("true")).toList())
                    .redirectErrorStream(true)
                    .start();
            process.getInputStream().readAllBytes();
            return process.onExit().join().exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
