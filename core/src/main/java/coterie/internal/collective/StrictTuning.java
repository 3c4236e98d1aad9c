// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.Membership;
import org.jspecify.annotations.Nullable;

/// Under strict tuning, an algorithm that users have tuned to serve a collective serves it, or none does: a
/// fallback would hide that the tuning string has no effect.
public final class StrictTuning {
    private final Membership membership;
    private final ComponentRegistry registry;
    private final AlgorithmSelector selector;
    private final TeamComponents components;

    /// Who serves what without tuning; made when it is first needed.
    private @Nullable ScoreMap<CollectiveAlgorithm> offered;

    StrictTuning(
            Membership membership, ComponentRegistry registry, AlgorithmSelector selector, TeamComponents components) {
        this.membership = membership;
        this.registry = registry;
        this.selector = selector;
        this.components = components;
    }

    /// Returns the exception for a collective whose first candidate does not serve it, if tuning has put that one
    /// first and is strict; else null. All members come to the same.
    ///
    /// @param operation for the message
    /// @param declining the first candidate
    /// @param use of the collective: few algorithms over memory serve requests
    /// @param reason why it does not serve
    public @Nullable CoterieException refusal(
            String operation,
            CollectiveType type,
            long bytes,
            SelectableAlgorithm<CollectiveAlgorithm> declining,
            Explanation.Use use,
            String reason) {
        if (!registry.areStrict() || registry.areAsBuilt()) {
            return null;
        }
        ScoreMap<CollectiveAlgorithm> made = offered;
        if (made == null) {
            made = registry.offered(selector.topology(), components.offeredTables());
            offered = made;
        }
        SelectedAlgorithm<CollectiveAlgorithm> usual = made.find(type, MemoryType.HOST, bytes);
        while (usual != null
                && use == Explanation.Use.REQUEST
                && !CollectiveAlgorithm.servesRequests(type, usual.algorithm())) {
            usual = usual.next();
        }
        return usual != null && usual.algorithm().equals(declining)
                ? null
                : new CoterieException(membership.messagePrefix(operation)
                        + "tuning is strict, and the settings select "
                        + declining + " for " + type.label() + " of " + bytes + " bytes, which can't serve this call: "
                        + reason + "; Team.explain with the type of the elements shows which algorithms can");
    }
}
