// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds comments that don't say what their author meant: tables that Javadoc shows as text, and names of types that
/// don't exist.
final class Comments {
    private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
    private static final Pattern PIPE = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern SEPARATOR = Pattern.compile("\\|[-:| ]+\\|");
    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w*)");

    /// A type's name in backquotes, perhaps with a member. A name in capitals is a constant's.
    private static final Pattern QUOTED =
            Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z]\\w*)?)(?:[.#]\\w+)?(?:\\([^`]*\\))?`");

    /// A type's name as a link, perhaps with its package and a member.
    private static final Pattern LINKED =
            Pattern.compile("\\[(?:[a-z]\\w*\\.)*([A-Z][a-z0-9]+(?:[A-Z]\\w*)?)(?:#[^\\]]*)?\\](?![(:])");

    /// A name of several words in a drawing or a program, where a single word may be any.
    private static final Pattern DRAWN = Pattern.compile("\\b([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)\\b");

    private Comments() {}

    /// Returns the text of a documentation comment's line, or null if the line is none.
    private static @Nullable String documentation(String line) {
        String text = line.strip();
        return text.startsWith("///") ? text.substring(3).strip() : null;
    }

    /// Returns the text of a line's comment; empty if it has none.
    private static String comment(String line) {
        String code = LITERAL.matcher(line)
                .replaceAll(literal -> "\"" + "_".repeat(literal.group().length() - 2) + "\"");
        int begin = code.indexOf("//");
        return begin < 0 ? "" : line.substring(begin);
    }

    /// Finds rows of tables that a line wrap has broken, and tables that are none for another reason.
    static List<String> brokenTables(String name, List<String> lines) {
        List<String> found = new ArrayList<>();
        boolean isCode = false;
        int rows = 0;
        int pipes = 0;
        String before = "";
        for (int i = 0; i < lines.size(); i++) {
            String text = documentation(lines.get(i));
            String complaint = "";
            if (text == null) {
                isCode = false;
                rows = 0;
                text = "";
            } else if (text.startsWith("```")) {
                isCode = !isCode;
            } else if (!isCode && text.startsWith("|")) {
                rows++;
                int own = (int) PIPE.matcher(text).results().count();
                pipes = rows == 1 ? own : pipes;
                if (!text.endsWith("|")) {
                    complaint = "a row has one line, and ends with |";
                } else if (rows == 1 && !before.isEmpty()) {
                    complaint = "an empty line comes before a table";
                } else if (rows == 2 && !SEPARATOR.matcher(text).matches()) {
                    complaint = "the second row of a table is |---|";
                } else if (own != pipes) {
                    complaint = "a row has as many cells as the first one";
                }
            } else if (!isCode && rows > 0) {
                complaint = text.isEmpty() ? "" : "a row has one line, or an empty line comes after a table";
                rows = 0;
            }
            if (!complaint.isEmpty()) {
                found.add(name + ":" + (i + 1) + " " + complaint);
            }
            before = text;
        }
        return found;
    }

    /// Finds names of types that are unknown.
    static List<String> unknownTypes(String name, List<String> lines, Predicate<String> isKnown) {
        List<String> found = new ArrayList<>();
        boolean isCode = false;
        for (int i = 0; i < lines.size(); i++) {
            String text = documentation(lines.get(i));
            boolean isFence = text != null && text.startsWith("```");
            isCode = text != null && isCode != isFence;
            if (!isFence) {
                String comment = comment(lines.get(i));
                String place = name + ":" + (i + 1) + " ";
                (isCode ? Stream.of(DRAWN) : Stream.of(QUOTED, LINKED))
                        .flatMap(pattern -> pattern.matcher(comment).results())
                        .map(match -> match.group(1))
                        .filter(isKnown.negate())
                        .forEach(type -> found.add(place + type));
            }
        }
        return found;
    }

    /// Returns the types that a source declares.
    static Stream<String> declared(String source) {
        return DECLARATION.matcher(source).results().map((MatchResult match) -> match.group(1));
    }

    /// Returns the simple names of the JDK's types.
    static Set<String> typesOfJdk() {
        Set<String> names = new HashSet<>();
        for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
            try (ModuleReader reader = module.open();
                    Stream<String> entries = reader.list()) {
                entries.filter(entry -> entry.endsWith(".class"))
                        .map(entry -> entry.substring(0, entry.length() - ".class".length()))
                        .map(entry -> entry.substring(Math.max(entry.lastIndexOf('/'), entry.lastIndexOf('$')) + 1))
                        .forEach(names::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return names;
    }
}
