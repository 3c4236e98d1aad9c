// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An operation that a diagnosis has found stuck.
///
/// @param id the PE, the lane and the number of the operation, such as `P0.S#3`
/// @param pe its PE
/// @param lane the name of its lane
/// @param label what it is
/// @param site the line of the program that has called it, or empty
/// @param waitedNanos for how long it has been the first of its lane; 0 if it is not
/// @param blockers what it waits for
/// @param details what it needs and does, as fields for programs, see docs/observing/diagnosis.md
public record StuckOperation(
        String id,
        int pe,
        String lane,
        String label,
        String site,
        long waitedNanos,
        List<Blocker> blockers,
        Map<String, Object> details) {
    public StuckOperation {
        blockers = List.copyOf(blockers);
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
    }
}
