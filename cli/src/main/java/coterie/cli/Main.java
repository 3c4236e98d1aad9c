// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.CoterieException;
import coterie.internal.launch.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the `coterie` command begins.
public final class Main {
    private Main() {}

    /// Runs a command and ends this JVM with its exit code.
    ///
    /// @param words the command and its arguments
    public static void main(String[] words) {
        System.exit(run(Arrays.asList(words), new Session(System.out, System.err, System.getenv())));
    }

    /// Runs a command. Returns its exit code.
    static int run(List<String> words, Session session) {
        Command command = words.isEmpty() ? null : Command.of(words.getFirst());
        try {
            return command == null ? general(words, session) : run(command, words.subList(1, words.size()), session);
        } catch (UsageException e) {
            session.err().println(prefix(command) + e.getMessage());
            session.err().println("Try 'coterie help" + (command == null ? "" : " " + command.word()) + "'.");
            return ExitCode.USAGE.code();
        } catch (RefusalException e) {
            if (!e.isTold()) {
                session.err().println(prefix(command) + e.getMessage());
            }
            return e.exitCode().code();
        } catch (IllegalArgumentException e) {
            // The launch room refuses combinations that the options by themselves allow.
            session.err().println(prefix(command) + e.getMessage());
            return ExitCode.USAGE.code();
        } catch (CoterieException | IOException e) {
            session.err().println(prefix(command) + describe(e));
            return ExitCode.INTERNAL.code();
        } catch (RuntimeException e) {
            session.err().println(prefix(command) + "a mistake of our own; please report it");
            e.printStackTrace(session.err());
            return ExitCode.INTERNAL.code();
        }
    }

    private static String prefix(@Nullable Command command) {
        return command == null ? "coterie: " : "coterie " + command.word() + ": ";
    }

    private static String describe(Throwable e) {
        String text = e instanceof IOException ? e.toString() : String.valueOf(e.getMessage());
        return e.getCause() == null ? text : text + ": " + e.getCause();
    }

    /// What is no command: `--help` and `--version`, nothing at all, and mistakes.
    private static int general(List<String> words, Session session) {
        if (words.isEmpty()) {
            session.err().print(Wording.help());
            return ExitCode.USAGE.code();
        }
        switch (words.getFirst()) {
            case "--version", "-V" -> session.out().println(Version.line());
            case "--help", "-h" -> session.out().print(Wording.help());
            default -> {
                String word = words.getFirst();
                throw new UsageException(
                        word.startsWith("-")
                                ? "unknown option " + word + Nearest.question(word, List.of("--help", "--version"))
                                : unknownCommand(word));
            }
        }
        return ExitCode.SUCCESS.code();
    }

    private static int run(Command command, List<String> words, Session session) throws IOException {
        Arguments arguments = Arguments.parse(command, words);
        if (arguments.has(Option.HELP)) {
            session.out().print(Wording.help(command));
            return ExitCode.SUCCESS.code();
        }
        if (command.operands().isEmpty() && !arguments.operands().isEmpty()) {
            throw new UsageException(
                    "takes no arguments; leave out " + arguments.operands().getFirst());
        }
        return switch (command) {
            case RUN -> new RunCommand(session).run(arguments);
            case PERF -> new RunCommand(session).perf(arguments);
            case SCALE -> new ScaleCommand(session, arguments).run();
            case COMPARE -> CompareCommand.run(arguments);
            case PS -> new PsCommand(session).run(arguments);
            case INFO -> new InfoCommand(session).run(arguments);
            case DOCTOR -> new DoctorCommand(session).run();
            case CACHE -> {
                if (arguments.operands().size() != 1) {
                    throw new UsageException("one file is needed");
                }
                yield new RunCommand(session)
                        .makeStartupCache(Path.of(arguments.operands().getFirst()));
            }
            case COMPLETION -> {
                session.out().print(Wording.completion());
                yield ExitCode.SUCCESS.code();
            }
            case HELP_COMMAND -> help(arguments.operands(), session);
        };
    }

    private static int help(List<String> words, Session session) {
        if (words.isEmpty()) {
            session.out().print(Wording.help());
            return ExitCode.SUCCESS.code();
        }
        Command command = Command.of(words.getFirst());
        if (command == null) {
            throw new UsageException(unknownCommand(words.getFirst()));
        }
        session.out().print(Wording.help(command));
        return ExitCode.SUCCESS.code();
    }

    private static String unknownCommand(String word) {
        List<String> commands = Arrays.stream(Command.values())
                .filter(command -> !command.isHidden())
                .map(Command::word)
                .toList();
        return "unknown command " + word + Nearest.question(word, commands);
    }
}
