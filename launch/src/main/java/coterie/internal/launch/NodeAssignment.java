// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The node that the runtime assumes for each PE of a job, whatever machine the PE runs on.
///
/// Users write `a:3,b:2`: the first three PEs are on node a, the next two on node b. The same name means the
/// same node: of `a:2,b:1,a:1`, PEs 0, 1 and 3 are on node a.
public final class NodeAssignment {
    private static final Pattern PART = Pattern.compile("([\\w.-]+):([1-9]\\d{0,3})");

    private NodeAssignment() {}

    /// Parses the text of a user.
    ///
    /// @param mostPes the largest number of PEs that the job can have
    /// @return per PE, the number of its node; the first node in the text has number 0, the next one number 1
    /// @throws IllegalArgumentException if the text is invalid; the message is a phrase that the caller appends
    ///     to the text
    public static List<Integer> parse(String text, int mostPes) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        List<Integer> nodes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part);
            int pes = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
            if (pes < 1 || pes > mostPes) {
                throw new IllegalArgumentException("\"" + part + "\" is not NAME:N, N PEs in [1, " + mostPes
                        + "] on a node; write a:3,b:2 for example");
            }
            int number = numbers.computeIfAbsent(matcher.group(1), name -> numbers.size());
            for (int pe = 0; pe < pes; pe++) {
                nodes.add(number);
            }
        }
        if (nodes.size() > mostPes) {
            throw new IllegalArgumentException(nodes.size() + " PEs are outside [1, " + mostPes + "]");
        }
        return List.copyOf(nodes);
    }
}
