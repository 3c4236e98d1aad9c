// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.wait.OperationKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Texts about groups of PEs in messages, which stay short in large teams.
public final class PeRanges {
    private PeRanges() {}

    /// Returns the PEs of members by what they mean, in the order of the members.
    ///
    /// @param value of a member, or null if it does not count
    public static <T> Map<T, List<Integer>> byValue(Membership membership, IntFunction<@Nullable T> value) {
        Map<T, List<Integer>> pes = new LinkedHashMap<>();
        for (int member = 0; member < membership.size(); member++) {
            T its = value.apply(member);
            if (its != null) {
                pes.computeIfAbsent(its, _ -> new ArrayList<>()).add(membership.pe(member));
            }
        }
        return pes;
    }

    /// Returns "members call different collectives: PE 3 barrier, PEs 0-2, 4-69 broadcast".
    public static String calls(Map<OperationKind, List<Integer>> pes) {
        return "members call different collectives: "
                + pes.entrySet().stream()
                        .map(each -> text(each.getValue()) + " " + each.getKey().label())
                        .collect(Collectors.joining(", "));
    }

    /// Returns "PE 3", or "PEs 0-2, 4", with a range for each run of PEs that follow one another.
    static String text(List<Integer> pes) {
        StringBuilder text = new StringBuilder(pes.size() == 1 ? "PE " : "PEs ");
        for (int begin = 0; begin < pes.size(); ) {
            int end = begin + 1;
            while (end < pes.size() && pes.get(end) == pes.get(end - 1) + 1) {
                end++;
            }
            text.append(begin == 0 ? "" : ", ").append(pes.get(begin));
            if (end - begin > 1) {
                text.append('-').append(pes.get(end - 1));
            }
            begin = end;
        }
        return text.toString();
    }
}
