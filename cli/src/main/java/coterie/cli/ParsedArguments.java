// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A command line, parsed by the table of the command's options.
///
/// A value follows its option as the next word (`--heap 1g`) or after `=` (`--heap=1g`); after `-n` and `-J` it
/// may follow without a separator (`-n4`, `-J-Xmx1g`). `--debug` takes the next word only if it is a number. `--`
/// ends the options.
///
/// @param values of each option, in the order of the command line; an option without a value has an empty string
/// @param operands the words that are neither options nor their values
record ParsedArguments(Map<Option, List<String>> values, List<String> operands) {

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /// Words that a shell needs no quotes for.
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    /// @throws UsageException if the command does not accept the words
    static ParsedArguments parse(Command command, List<String> words) {
        return new Parser(command, words).parse();
    }

    boolean has(Option option) {
        return values.containsKey(option);
    }

    /// Returns the last value of an option, or null.
    @Nullable
    String value(Option option) {
        List<String> given = values.get(option);
        return given == null ? null : given.getLast();
    }

    /// Returns all values of an option.
    List<String> all(Option option) {
        return values.getOrDefault(option, List.of());
    }

    /// Returns this command line as a user would type it.
    ///
    /// @param without the options to leave out
    String commandLine(Command command, Set<Option> without) {
        return commandLine(command, null, "", without);
    }

    /// Returns this command line as a user would type it, with another value for one option.
    ///
    /// @param without the options to leave out
    String commandLine(Command command, @Nullable Option changed, String value, Set<Option> without) {
        List<String> words = new ArrayList<>(List.of("coterie", command.label()));
        List<String> last = List.of();
        for (Option option : command.options()) {
            List<String> given = option == changed ? List.of(value) : all(option);
            if (option.takes() == Option.Takes.PROGRAM) {
                last = given.isEmpty() ? last : List.of(option.longestName(), given.getLast());
            } else if (!without.contains(option)) {
                given.forEach(each -> words.addAll(words(option, each)));
            }
        }
        words.addAll(last);
        words.addAll(operands);
        return words.stream().map(ParsedArguments::quoted).collect(Collectors.joining(" "));
    }

    private static List<String> words(Option option, String value) {
        return switch (option.takes()) {
            case NOTHING -> List.of(option.names().getFirst());
            case PERHAPS_VALUE ->
                List.of(
                        value.isEmpty()
                                ? option.names().getFirst()
                                : option.names().getFirst() + "=" + value);
            default -> List.of(option.names().getFirst(), value);
        };
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static final class Parser {
        private final Command command;
        private final List<String> words;
        private final List<Option> options;
        private final Map<Option, List<String>> values = new EnumMap<>(Option.class);
        private final List<String> operands = new ArrayList<>();
        private int next;

        Parser(Command command, List<String> words) {
            this.command = command;
            this.words = words;
            this.options = command.options();
        }

        ParsedArguments parse() {
            while (next < words.size()) {
                String word = words.get(next++);
                if (word.equals("--")) {
                    takeRest();
                } else if (word.length() > 1 && word.charAt(0) == '-') {
                    option(word);
                } else {
                    operands.add(word);
                    if (command.endsOptionsAtOperand()) {
                        takeRest();
                    }
                }
            }
            return new ParsedArguments(values, operands);
        }

        private void takeRest() {
            operands.addAll(words.subList(next, words.size()));
            next = words.size();
        }

        private void option(String word) {
            for (Option option : options) {
                for (String name : option.names()) {
                    if (word.startsWith(name) && takes(option, name, word.substring(name.length()))) {
                        return;
                    }
                }
            }
            int value = word.indexOf('=');
            String name = value < 0 ? word : word.substring(0, value);
            if (Option.SCORES.names().contains(name) || Option.CONFIG.names().contains(name)) {
                throw new UsageException("unknown option " + name + "; 'coterie info' has it");
            }
            if (command == Command.PERF) {
                operands.add(word);
                return;
            }
            List<String> known =
                    options.stream().flatMap(option -> option.names().stream()).toList();
            throw new UsageException("unknown option " + name + DidYouMean.question(name, known));
        }

        /// Adds the option if `rest`, the word without the option's name, is empty or a form of its value. Returns
        /// whether it did.
        private boolean takes(Option option, String name, String rest) {
            boolean joined = rest.startsWith("=");
            return switch (option.takes()) {
                case NOTHING -> {
                    if (joined) {
                        throw new UsageException(name + " takes no value; leave out " + rest);
                    }
                    yield rest.isEmpty() && add(option, "");
                }
                case PERHAPS_VALUE ->
                    (rest.isEmpty() || joined) && add(option, joined ? rest.substring(1) : followingNumber());
                case VALUE, VALUES, PROGRAM -> {
                    if (joined) {
                        yield add(option, rest.substring(1));
                    }
                    yield rest.isEmpty()
                            ? add(option, following(option, name))
                            : isAttached(option, name, rest) && add(option, rest);
                }
            };
        }

        /// Returns whether `rest` is a value without a separator: `-n4` and `-J-Xmx1g` have one, `-name` and
        /// `-parallel` have none.
        private static boolean isAttached(Option option, String name, String rest) {
            return name.length() == 2
                    && (option == Option.JVM || (option == Option.PES && Character.isDigit(rest.charAt(0))));
        }

        private String following(Option option, String name) {
            if (next == words.size()) {
                throw new UsageException(name + " needs a value: " + name + " " + option.label());
            }
            return words.get(next++);
        }

        /// Takes the next word if it is a number, which is no program. Returns it, or an empty string.
        private String followingNumber() {
            return next < words.size() && NUMBER.matcher(words.get(next)).matches() ? words.get(next++) : "";
        }

        private boolean add(Option option, String value) {
            values.computeIfAbsent(option, key -> new ArrayList<>(1)).add(value);
            if (option.takes() == Option.Takes.PROGRAM) {
                takeRest();
            }
            return true;
        }
    }
}
