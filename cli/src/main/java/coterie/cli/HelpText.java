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

    private HelpText() {}

    /// Returns the help that lists all commands.
    static String help() {
        CommandSpec root = root();
        root.usageMessage()
                .synopsisHeading("Usage: ")
                .customSynopsis("coterie COMMAND [OPTION...]", "")
                .commandListHeading("%nCommands:%n")
                .footer(
                        "",
                        "'coterie help COMMAND' lists a command's options. 'coterie --version' prints the version.");
        return text(new CommandLine(root));
    }

    /// Returns the help of one command.
    static String help(Command command) {
        return text(new CommandLine(spec(command)));
    }

    /// Returns a script with which bash and zsh complete commands and options.
    static String completion() {
        return AutoComplete.bash(PROGRAM, new CommandLine(root()));
    }

    private static String text(CommandLine commandLine) {
        return commandLine.getUsageMessage(Ansi.OFF);
    }

    private static CommandSpec root() {
        CommandSpec root = CommandSpec.create().name(PROGRAM);
        root.usageMessage().description("Runs SPMD Java programs on several processing elements (PEs).");
        for (Command command : Command.values()) {
            if (command.isHidden()) {
                continue;
            }
            root.addSubcommand(command.label(), spec(command));
        }
        return root;
    }

    private static CommandSpec spec(Command command) {
        CommandSpec spec = CommandSpec.create().name(command.label());
        spec.parser().separator(" "); // in the help; `--debug=5005` alone needs the other form
        spec.usageMessage()
                .description(command.summary())
                .synopsisHeading("Usage: ")
                .customSynopsis("coterie " + command.label() + " [OPTION...] " + command.operands())
                .descriptionHeading("%n")
                .optionListHeading("%nOptions:%n")
                .sortOptions(false)
                .width(100)
                .footer(command.details().isEmpty() ? new String[0] : ("\n" + command.details()).split("\n"));
        for (Option option : command.options()) {
            spec.addOption(spec(option));
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

    private static OptionSpec spec(Option option) {
        OptionSpec.Builder builder = OptionSpec.builder(option.names().toArray(String[]::new))
                .description(option.description().replace("%", "%%"));
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
