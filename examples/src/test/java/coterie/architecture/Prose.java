// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Finds sentences that break the rules for words of CONTRIBUTING.md: subjects without an actor, private
/// metaphors, places for times, elliptic openers.
final class Prose {
    /// A rule: what it finds, and what to write instead.
    private record Rule(Pattern pattern, String instead) {
        static Rule of(String words, String instead) {
            return new Rule(Pattern.compile(words), instead);
        }
    }

    private static final List<Rule> RULES = List.of(
            Rule.of(
                    "(?<!(programmers|users|people|readers|authors|reader|user) )\\b[Ww]ho(ever)?\\b",
                    "name the actor: caller, member, root, peer, waiter, writer, target, …"),
            Rule.of("\\b([Nn]o|[Ss]ome|[Ee]very)body\\b", "name the actor, or: no member, some PE, every thread"),
            Rule.of("\\b[Tt]he one that\\b|\\b[Tt]hose who\\b", "name the actor"),
            Rule.of("\\bin vain\\b", "can never be matched; times out; fails"),
            Rule.of("\\b(give|gives|gave|given|giving) (way|up its place)\\b", "yield, release"),
            Rule.of("\\b(heeds?|heeded|farewells?|greets?|undertaker|playhouse|roll call)\\b", "the field's term"),
            Rule.of("\\bahead of (time|it|them|others|the others)\\b", "before, earlier than"),
            Rule.of("(^|[.:;!?] )(As in|But for|The same, but|The same but)\\b", "a sentence with a verb"));

    /// The text of a Java line that is prose: comments and string literals.
    private static final Pattern JAVA_PROSE = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|//.*");

    private static final int WIDTH = 120;

    private Prose() {}

    /// Checks a Markdown page; code blocks are no prose, and rows of tables may be longer than a line.
    static List<String> inPage(String name, List<String> lines) {
        List<String> found = new ArrayList<>();
        boolean isCode = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.strip().startsWith("```")) {
                isCode = !isCode;
            } else if (!isCode) {
                check(name, i + 1, line.replaceAll("`[^`]*`", "`…`"), found);
                if (line.length() > WIDTH && !line.strip().startsWith("|") && !isOnlyLink(line)) {
                    found.add(name + ":" + (i + 1) + " has " + line.length() + " columns; wrap at " + WIDTH);
                }
            }
        }
        return found;
    }

    /// Checks comments and string literals of a Java source.
    static List<String> inSource(String name, List<String> lines) {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            int number = i + 1;
            JAVA_PROSE
                    .matcher(lines.get(i))
                    .results()
                    .forEach(prose -> check(name, number, prose.group().replaceAll("`[^`]*`", "`…`"), found));
        }
        return found;
    }

    private static void check(String name, int number, String text, List<String> found) {
        String prose = text.replaceFirst("^[/\\s|*-]+", "");
        for (Rule rule : RULES) {
            var match = rule.pattern().matcher(prose);
            if (match.find()) {
                found.add(name + ":" + number + " \"" + match.group().strip() + "\": " + rule.instead());
            }
        }
    }

    private static boolean isOnlyLink(String line) {
        return !line.strip().contains(" ");
    }
}
