// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The scripts with which shells complete commands and options. Picocli makes that of bash, which zsh can use as well;
/// it has none for fish.
final class ShellCompletion {
    private static final String ZSH = """
            #compdef coterie
            # The script of bash, by what zsh has for it.
            autoload -U +X bashcompinit && bashcompinit
            setopt localoptions aliases # the script has an alias for a command of bash
            source "${functions_source[_coterie]:A:h}/../../bash-completion/completions/coterie"
            _bash_complete -o default -F _complete_coterie
            """;

    private ShellCompletion() {}

    /// Returns the script for a shell.
    static String script(String shell) {
        return switch (shell) {
            case "bash", "zsh" -> HelpText.completion();
            case "fish" -> fish();
            default -> throw new UsageException("unknown shell " + shell + "; take bash, zsh or fish");
        };
    }

    /// Returns the file `_coterie` of zsh, which reads the script of bash in the same distribution.
    static String zshFunction() {
        return ZSH;
    }

    private static String fish() {
        List<String> lines = new ArrayList<>();
        for (Command command : Command.values()) {
            if (command.isHidden()) {
                continue;
            }
            lines.add("complete -c coterie -n __fish_use_subcommand -f -a " + command.label() + " -d "
                    + quoted(command.summary()));
            for (Option option : command.options()) {
                lines.add(fish(command, option));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String fish(Command command, Option option) {
        var line = new StringBuilder("complete -c coterie -n '__fish_seen_subcommand_from " + command.label() + "'");
        for (String name : option.names()) {
            String kind = name.startsWith("--") ? " -l " : name.length() == 2 ? " -s " : " -o ";
            line.append(kind).append(name.replaceFirst("^--?", ""));
        }
        String label = option.label();
        if (label != null && option.takes() != Option.Takes.PERHAPS_VALUE) {
            line.append(" -r");
            if (label.indexOf('|') > 0) {
                line.append(" -f -a ").append(quoted(String.join(" ", Arrays.asList(label.split("\\|")))));
            }
        }
        return line.append(" -d ")
                .append(quoted(firstSentence(option.description())))
                .toString();
    }

    private static String firstSentence(String text) {
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
