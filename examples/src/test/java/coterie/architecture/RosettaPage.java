// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import coterie.architecture.Counterparts.Counterpart;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Makes the rosetta of its template, where each comment `<!-- rows: World, Team#sync -->` stands for the rows of types
/// and members. A type stands for its members and nested types, but for those that a comment of the page names.
final class RosettaPage {
    private static final Pattern ROWS = Pattern.compile("<!-- rows: ([^>]*)\\s-->\n");

    private final List<Counterpart> counterparts;
    private final Set<String> named;
    private final Set<String> placed = new LinkedHashSet<>();

    /// What is wrong with the template or the tags, a line for each.
    final List<String> complaints = new ArrayList<>();

    final String text;

    RosettaPage(String template, List<Counterpart> counterparts) {
        this.counterparts = counterparts;
        named = ROWS.matcher(template)
                .results()
                .flatMap(rows -> Arrays.stream(selectors(rows)))
                .collect(Collectors.toSet());
        text = ROWS.matcher(template).replaceAll(rows -> Matcher.quoteReplacement(rows(rows)));
        counterparts.stream()
                .map(Counterpart::origin)
                .distinct()
                .filter(origin -> !placed.contains(origin))
                .forEach(origin -> complaints.add("no table has the tag of " + origin));
    }

    private static String[] selectors(MatchResult rows) {
        return rows.group(1).split("[\\s,]+");
    }

    private boolean takes(String selector, Counterpart counterpart) {
        if (selector.equals(counterpart.id())) {
            return true;
        }
        return !named.contains(counterpart.id()) && (counterpart.type() + ".").startsWith(selector + ".");
    }

    /// A row has a member and all that its overloads answer to; members that answer to the same share a row.
    private String rows(MatchResult marker) {
        Map<List<String>, Set<String>> names = new LinkedHashMap<>();
        for (String selector : selectors(marker)) {
            int before = names.size();
            for (Counterpart each : counterparts) {
                if (takes(selector, each)) {
                    placed.add(each.origin());
                    names.computeIfAbsent(List.of(each.qualified(), each.note()), key -> new LinkedHashSet<>())
                            .add(each.names());
                }
            }
            if (names.size() == before) {
                complaints.add("nothing has a tag in " + selector);
            }
        }
        Map<List<String>, List<String>> members = new LinkedHashMap<>();
        names.forEach((key, value) -> members.computeIfAbsent(
                        List.of(String.join("; ", value), key.getLast()), row -> new ArrayList<>())
                .add("`" + key.getFirst() + "`"));
        StringBuilder table = new StringBuilder();
        members.forEach((row, value) -> table.append("| ")
                .append(row.getFirst())
                .append(" | ")
                .append(String.join(" ", value))
                .append(row.getLast().isEmpty() ? "" : "; " + row.getLast())
                .append(" |\n"));
        return table.toString();
    }
}
