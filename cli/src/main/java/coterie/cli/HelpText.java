// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The help and the completion script, which picocli makes from the tables [Command] and [Option].
///
/// [ParsedArguments] parses command lines without picocli: loading picocli takes longer than all of `coterie
/// run`'s own work.
final class HelpText {
    private static final String PROGRAM = "coterie";

    /// What picocli gives to the names of options, and one column to spare.
    private static final int NAMES_WIDTH = 28;

    private HelpText() {}

    /// Returns the help that lists all commands, in lines of at most `width` characters.
    static String help(int width) {
        CommandSpec root = root(width);
        root.usageMessage()
                .width(width)
                .synopsisHeading("Usage: ")
                .customSynopsis("coterie COMMAND [OPTION...]", "")
                .commandListHeading("%nCommands:%n")
                .footer(
                        "",
                        "'coterie help COMMAND' lists a command's options. 'coterie --version' prints the version.");
        return text(new CommandLine(root));
    }

    /// Returns the help of one command, in lines of at most `width` characters.
    static String help(Command command, int width) {
        return text(new CommandLine(spec(command, width)));
    }

    /// Returns a script with which bash and zsh complete commands and options.
    static String completion() {
        return AutoComplete.bash(PROGRAM, new CommandLine(root(TerminalWidth.USUAL)));
    }

    private static String text(CommandLine commandLine) {
        return commandLine.getUsageMessage(Ansi.OFF);
    }

    private static CommandSpec root(int width) {
        CommandSpec root = CommandSpec.create().name(PROGRAM);
        root.usageMessage().description("Runs SPMD Java programs on several processing elements (PEs).");
        for (Command command : Command.values()) {
            if (command.isHidden()) {
                continue;
            }
            root.addSubcommand(command.label(), spec(command, width));
        }
        return root;
    }

    private static CommandSpec spec(Command command, int width) {
        CommandSpec spec = CommandSpec.create().name(command.label());
        spec.parser().separator(" "); // in the help; `--debug=5005` alone needs the other form
        spec.usageMessage()
                .description(command.summary())
                .synopsisHeading("Usage: ")
                .customSynopsis("coterie " + command.label() + " [OPTION...] " + command.operands())
                .descriptionHeading("%n")
                .optionListHeading("%nOptions:%n")
                .sortOptions(false)
                .width(width)
                .footer(
                        command.details().isEmpty()
                                ? new String[0]
                                : ("\n" + wrapped(command.details(), width - 1)).split("\n"));
        for (Option option : command.options()) {
            spec.addOption(spec(option, width));
        }
        if (!command.operands().isEmpty()) {
            spec.addPositional(PositionalParamSpec.builder()
                    .paramLabel(command.operands())
                    .arity("0..*")
                    .hidden(true)
                    .build());
        }
        return spec;
    }

    /// Returns a text with its paragraphs wrapped. Lines that begin with blanks are examples: of one that is too long,
    /// the explanation follows on a line of its own.
    static String wrapped(String text, int width) {
        StringBuilder all = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (String each : text.split("\n", -1)) {
            boolean isExample = each.startsWith("  ");
            if (isExample || each.isEmpty()) {
                flush(line, all);
                all.append(isExample && each.length() > width ? each.replaceFirst("(\\S) {2,}", "$1\n      ") : each)
                        .append('\n');
                continue;
            }
            for (String word : each.split(" ", -1)) {
                if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                    flush(line, all);
                }
                line.append(line.isEmpty() ? "" : " ").append(word);
            }
        }
        flush(line, all);
        return all.toString().stripTrailing();
    }

    private static void flush(StringBuilder line, StringBuilder all) {
        if (!line.isEmpty()) {
            all.append(line).append('\n');
            line.setLength(0);
        }
    }

    /// Wraps the description itself: picocli would break lines within words that have dots.
    private static OptionSpec spec(Option option, int width) {
        String description = option.description().replace("%", "%%");
        OptionSpec.Builder builder = OptionSpec.builder(option.names().toArray(String[]::new))
                .description(wrapped(description, width - NAMES_WIDTH).split("\n"));
        String label = option.label();
        if (label == null) {
            return builder.arity("0").type(boolean.class).build();
        }
        builder.paramLabel(label).type(String.class);
        if (option.takes() == Option.Takes.PERHAPS_VALUE) {
            return builder.arity("0..1").build();
        }
        if (label.indexOf('|') > 0) {
            builder.completionCandidates(List.of(label.split("\\|")));
        }
        return builder.arity("1").build();
    }
}
