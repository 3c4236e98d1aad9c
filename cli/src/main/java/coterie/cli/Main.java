// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.CoterieException;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.HostRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The main class of the `coterie` command.
public final class Main {
    private Main() {}

    /// Runs a command and ends this JVM with its exit code.
    ///
    /// @param words the command and its arguments
    public static void main(String[] words) {
        System.exit(run(Arrays.asList(words), new CommandEnvironment(System.out, System.err, System.getenv())));
    }

    /// Runs a command. Returns its exit code.
    static int run(List<String> words, CommandEnvironment commandEnvironment) {
        Command command = words.isEmpty() ? null : Command.of(words.getFirst());
        try {
            return command == null
                    ? general(words, commandEnvironment)
                    : run(command, words.subList(1, words.size()), commandEnvironment);
        } catch (UsageException e) {
            commandEnvironment.err().println(prefix(command) + e.getMessage());
            commandEnvironment
                    .err()
                    .println("Try 'coterie help" + (command == null ? "" : " " + command.label()) + "'.");
            return ExitCode.USAGE.code();
        } catch (CannotRunException e) {
            if (!e.isReported()) {
                commandEnvironment.err().println(prefix(command) + e.getMessage());
            }
            return e.exitCode().code();
        } catch (IllegalArgumentException e) {
            // Package launch checks the combinations that no single option can exclude.
            commandEnvironment.err().println(prefix(command) + e.getMessage());
            return ExitCode.USAGE.code();
        } catch (HostRefusedException e) {
            commandEnvironment.err().println(prefix(command) + e.getMessage());
            return ExitCode.HOST_LOST.code();
        } catch (CoterieException | IOException e) {
            commandEnvironment.err().println(prefix(command) + describe(e));
            return ExitCode.INTERNAL.code();
        } catch (RuntimeException e) {
            commandEnvironment.err().println(prefix(command) + "internal error; please report this stack trace:");
            e.printStackTrace(commandEnvironment.err());
            return ExitCode.INTERNAL.code();
        }
    }

    private static String prefix(@Nullable Command command) {
        return command == null ? "coterie: " : "coterie " + command.label() + ": ";
    }

    private static String describe(Throwable e) {
        String text = e instanceof IOException ? e.toString() : String.valueOf(e.getMessage());
        return e.getCause() == null ? text : text + ": " + e.getCause();
    }

    /// Handles a command line without a command: `--help`, `--version`, no word, and unknown words.
    private static int general(List<String> words, CommandEnvironment commandEnvironment) {
        if (words.isEmpty()) {
            commandEnvironment.err().print(HelpText.help(width(commandEnvironment)));
            return ExitCode.USAGE.code();
        }
        switch (words.getFirst()) {
            case "--version", "-V" -> commandEnvironment.out().println(Version.line());
            case "--help", "-h" -> commandEnvironment.out().print(HelpText.help(width(commandEnvironment)));
            default -> {
                String word = words.getFirst();
                throw new UsageException(
                        word.startsWith("-")
                                ? "unknown option " + word + DidYouMean.question(word, List.of("--help", "--version"))
                                : unknownCommand(word));
            }
        }
        return ExitCode.SUCCESS.code();
    }

    private static int run(Command command, List<String> words, CommandEnvironment commandEnvironment)
            throws IOException {
        ParsedArguments arguments = ParsedArguments.parse(command, words);
        if (arguments.has(Option.HELP)) {
            commandEnvironment.out().print(HelpText.help(command, width(commandEnvironment)));
            return ExitCode.SUCCESS.code();
        }
        if (command.operands().isEmpty() && !arguments.operands().isEmpty()) {
            throw new UsageException(
                    "takes no arguments; leave out " + arguments.operands().getFirst());
        }
        return switch (command) {
            case RUN -> new RunCommand(commandEnvironment).run(arguments);
            case PERF -> new RunCommand(commandEnvironment).perf(arguments);
            case SCALE -> new ScaleCommand(commandEnvironment, arguments).run();
            case COMPARE -> CompareCommand.run(arguments);
            case PS -> new PsCommand(commandEnvironment).run(arguments);
            case DIAGNOSE -> new DiagnoseCommand(commandEnvironment).run(arguments);
            case TRACE -> new TraceCommand(commandEnvironment).run(arguments);
            case KILL -> new KillCommand(commandEnvironment).run(arguments);
            case INFO -> new InfoCommand(commandEnvironment).run(arguments);
            case DOCTOR -> new DoctorCommand(commandEnvironment).run();
            case CACHE -> {
                if (arguments.operands().size() != 1) {
                    throw new UsageException("name one FILE, which the cache is written to");
                }
                yield new RunCommand(commandEnvironment)
                        .makeStartupCache(Path.of(arguments.operands().getFirst()));
            }
            case SHARE -> {
                if (arguments.operands().size() != 1) {
                    throw new UsageException("name one FOLDER, which the files are written to");
                }
                SharedFiles.write(Path.of(arguments.operands().getFirst()));
                yield ExitCode.SUCCESS.code();
            }
            case COMPLETION -> {
                if (arguments.operands().size() > 1) {
                    throw new UsageException("name one SHELL");
                }
                String shell = arguments.operands().isEmpty()
                        ? "bash"
                        : arguments.operands().getFirst();
                commandEnvironment.out().print(ShellCompletion.script(shell));
                yield ExitCode.SUCCESS.code();
            }
            case HELP_COMMAND -> help(arguments.operands(), commandEnvironment);
        };
    }

    private static int width(CommandEnvironment commandEnvironment) {
        return TerminalWidth.of(commandEnvironment.environment());
    }

    private static int help(List<String> words, CommandEnvironment commandEnvironment) {
        if (words.isEmpty()) {
            commandEnvironment.out().print(HelpText.help(width(commandEnvironment)));
            return ExitCode.SUCCESS.code();
        }
        Command command = Command.of(words.getFirst());
        if (command == null) {
            throw new UsageException(unknownCommand(words.getFirst()));
        }
        commandEnvironment.out().print(HelpText.help(command, width(commandEnvironment)));
        return ExitCode.SUCCESS.code();
    }

    private static String unknownCommand(String word) {
        List<String> commands = Arrays.stream(Command.values())
                .filter(command -> !command.isHidden())
                .map(Command::label)
                .toList();
        return "unknown command " + word + DidYouMean.question(word, commands);
    }
}
