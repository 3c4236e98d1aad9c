// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes what a distribution has in its folder `share`: the manual page, and completion scripts of shells.
final class SharedFiles {
    private SharedFiles() {}

    /// Writes the files below a folder, which need not exist.
    static void write(Path folder) throws IOException {
        write(folder.resolve("man/man1/coterie.1"), ManualPage.text());
        write(folder.resolve("bash-completion/completions/coterie"), ShellCompletion.script("bash"));
        write(folder.resolve("zsh/site-functions/_coterie"), ShellCompletion.zshFunction());
        write(folder.resolve("fish/vendor_completions.d/coterie.fish"), ShellCompletion.script("fish"));
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
