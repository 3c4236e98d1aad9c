// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.internal.sync.Membership;

/// Logs a team's collectives and its requests, one by one, if users ask for it. Answers to `UCC_COLL_TRACE`.
public final class CollectiveTrace {
    private static final System.Logger LOGGER = System.getLogger("coterie.collectives");

    /// What has served a barrier or a number that goes with a round, which asks no layer.
    static final String ROUND = "a round";

    private final Membership membership;
    private final DataCollectives data;
    private final boolean isOn;

    CollectiveTrace(Membership membership, DataCollectives data, boolean isOn) {
        this.membership = membership;
        this.data = data;
        this.isOn = isOn;
    }

    /// Logs a collective, unless there is no trace.
    ///
    /// @param operation such as "allReduce"
    /// @param root of the collective, or 0
    /// @param algorithm that has served it, or serves it, or [#ROUND]
    public void log(String operation, CollectiveType type, long bytes, int root, Object algorithm) {
        if (isOn) {
            LOGGER.log(System.Logger.Level.INFO, text(operation, type, bytes, root, algorithm.toString()));
        }
    }

    private String text(String operation, CollectiveType type, long bytes, int root, String algorithm) {
        StringBuilder text = new StringBuilder(membership.messagePrefix(operation))
                .append(bytes)
                .append(" bytes by ")
                .append(algorithm);
        data.explain(type, bytes, root).candidates().stream()
                .filter(each -> algorithm.equals(each.component() + "/" + each.algorithm()))
                .flatMap(each -> each.groups().stream())
                .map(Explanation.Group::toString)
                .forEach(group -> text.append("; ").append(group));
        return text.toString();
    }
}
