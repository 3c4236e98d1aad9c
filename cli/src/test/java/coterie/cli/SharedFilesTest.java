// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedFilesTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... words) {
        return Main.run(
                List.of(words),
                new CommandEnvironment(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), Map.of()));
    }

    @Test
    @DisplayName(
            "the manual page has each command with its options and their texts, and no line that troff takes for a request")
    void manualPage() throws Exception {
        assertThat(run("share", folder.toString())).isZero();
        List<String> lines = Files.readAllLines(folder.resolve("man/man1/coterie.1"));
        List<String> text = lines.stream().map(line -> line.replace("\\-", "-")).toList();
        for (Command command : Command.values()) {
            if (!command.isHidden()) {
                assertThat(text).anyMatch(line -> line.startsWith(".SS coterie " + command.label() + " "));
                for (Option option : command.options()) {
                    assertThat(text).contains(option.description());
                }
            }
        }
        Pattern request = Pattern.compile("\\.(TH|SH|SS|TP|PP|B|nf|fi)\\b.*");
        assertThat(lines)
                .filteredOn(line -> line.startsWith(".") || line.startsWith("'"))
                .allMatch(line -> request.matcher(line).matches());
    }

    @Test
    @DisplayName("fish completes each command and each of its options")
    void fish() {
        assertThat(run("completion", "fish")).isZero();
        String script = out.toString(UTF_8);
        for (Command command : Command.values()) {
            if (!command.isHidden()) {
                assertThat(script).contains("-n __fish_use_subcommand -f -a " + command.label() + " ");
                long options = script.lines()
                        .filter(line -> line.contains("__fish_seen_subcommand_from " + command.label() + "'"))
                        .count();
                assertThat(options).isEqualTo(command.options().size());
            }
        }
        assertThat(script)
                .contains(" -l pes -r -f -a 'processes threads' ")
                .contains("separated by spaces, such as \\'ssh");
    }

    @Test
    @DisplayName(
            "the scripts of bash and zsh are those of the command; an unknown shell is an error that names the known ones")
    void shells() throws Exception {
        assertThat(run("share", folder.toString())).isZero();
        assertThat(run("completion")).isZero();
        assertThat(folder.resolve("bash-completion/completions/coterie")).hasContent(out.toString(UTF_8));
        assertThat(folder.resolve("zsh/site-functions/_coterie")).content().startsWith("#compdef coterie\n");
        assertThat(run("completion", "tcsh")).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("unknown shell tcsh; take bash, zsh or fish");
    }
}
