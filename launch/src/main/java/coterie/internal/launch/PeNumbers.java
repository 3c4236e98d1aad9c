// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.List;

/// Numbers of PEs in reports for people.
public final class PeNumbers {
    /// Of so many consecutive PEs, and of more, a report has only the first and the last, so that it stays short.
    private static final int LONG_RUN = 3;

    private PeNumbers() {}

    /// Returns "PE 3", or "PEs 0, 1, 3", or "PEs 0-2, 5" if more than two consecutive PEs are among them.
    public static String text(List<Integer> pes) {
        StringBuilder text = new StringBuilder(pes.size() == 1 ? "PE " : "PEs ");
        for (int from = 0; from < pes.size(); ) {
            int last = from;
            while (last + 1 < pes.size() && pes.get(last + 1) == pes.get(last) + 1) {
                last++;
            }
            text.append(from == 0 ? "" : ", ").append((int) pes.get(from));
            if (last - from + 1 >= LONG_RUN) {
                text.append('-').append((int) pes.get(last));
                from = last;
            }
            from++;
        }
        return text.toString();
    }
}
