// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// The processes that a coordinator has refused before its job began: they may be the PEs that the job misses.
final class RefusedProcesses {
    /// A message has room for so many; strangers can't make it longer.
    private static final int MAX = 6;

    private final Map<String, Integer> counts = new LinkedHashMap<>();

    /// Notes a refused process.
    ///
    /// @param which a phrase, the same for the same process
    void add(String which) {
        if (counts.containsKey(which) || counts.size() < MAX) {
            counts.merge(which, 1, Integer::sum);
        }
    }

    /// Returns the processes with a separator before, or an empty string.
    @Override
    public String toString() {
        return counts.isEmpty()
                ? ""
                : counts.entrySet().stream()
                        .map(each -> each.getKey() + (each.getValue() > 1 ? ", " + each.getValue() + " times" : ""))
                        .collect(Collectors.joining("; ", "; refused were ", ""));
    }
}
