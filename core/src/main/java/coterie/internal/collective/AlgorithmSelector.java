// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.TeamSync;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Who serves which collective of a team. All members choose alike: they compare the digests of their selections
/// in each collective that asks.
public final class AlgorithmSelector {
    private final TeamSync teamSync;
    private final CollectiveResources resources;
    private final TeamComponents components;

    /// Made by the first collective that asks for it.
    private volatile @Nullable ScoreMap<CollectiveAlgorithm> scoreMap;

    private long digest;

    /// The algorithms that serve without tuning; made when they are first needed.
    private @Nullable ScoreMap<CollectiveAlgorithm> offered;

    AlgorithmSelector(TeamSync teamSync, CollectiveResources resources, TeamComponents components) {
        this.teamSync = teamSync;
        this.resources = resources;
        this.components = components;
    }

    /// The layers that plug in; all members open them together, the first time.
    TeamComponents components() {
        if (!components.isOpen()) {
            components.open();
        }
        return components;
    }

    /// What members of the team have in common by nature.
    TeamTopology topology() {
        return TeamTopology.of(teamSync, resources.nodes());
    }

    /// Who serves what, as far as it is known: layers that plug in are opened by the first collective that asks.
    /// For any thread.
    ScoreMap<CollectiveAlgorithm> known() {
        ScoreMap<CollectiveAlgorithm> made = scoreMap;
        return made == null ? resources.registry().scoreMap(topology()) : made;
    }

    /// Who serves what, once the layers that plug in are open.
    public ScoreMap<CollectiveAlgorithm> made() {
        ScoreMap<CollectiveAlgorithm> made = scoreMap;
        if (made == null) {
            ComponentRegistry registry = resources.registry();
            made = components.stacked(registry.scoreMap(topology(), components.tables()));
            digest = made.digest() + registry.digest() + registry.groups().digest(topology());
            scoreMap = made;
        }
        return made;
    }

    /// All algorithms that the team's layers have for a collective, for whichever sizes and whatever people want
    /// of them, but for the layers that they don't admit.
    public List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms(CollectiveType type) {
        return components.stacked(Stream.concat(
                        resources.registry().algorithms(topology(), type).stream(),
                        components.algorithms(type).stream())
                .toList());
    }

    /// Of what all members must have alike.
    public long digest() {
        made();
        return digest;
    }

    /// Who serves a collective, or null if nobody does.
    @Nullable
    SelectedAlgorithm<CollectiveAlgorithm> of(CollectiveType type, long bytes) {
        return made().find(type, MemoryType.HOST, bytes);
    }

    /// Whether a barrier or a number needs no more than a round: as the runtime's own tables have it, by any of
    /// the ways over memory, since nobody serves it, or along a tree. All members ask for it.
    ///
    /// @param type BARRIER, or ALLREDUCE for a number
    boolean goesByRound(CollectiveType type, long bytes) {
        boolean isAsBuilt =
                resources.components().isEmpty() && resources.registry().areAsBuilt();
        if (isAsBuilt || !teamSync.syncRound().isAllToAll()) {
            return true; // without a table, which most programs need for nothing else
        }
        components();
        SelectedAlgorithm<CollectiveAlgorithm> selected = of(type, bytes);
        return selected == null || selected.algorithm().factory() instanceof CollectiveAlgorithm.Native;
    }

    /// Returns the exception for a collective whose first candidate does not serve it, if tuning has put that one
    /// first and is strict: an algorithm that users have tuned to serve a collective serves it, or none does, as a
    /// fallback would hide that the tuning string has no effect. Else null. All members come to the same.
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
        ComponentRegistry registry = resources.registry();
        if (!registry.areStrict() || registry.areAsBuilt()) {
            return null;
        }
        if (offered == null) {
            offered = registry.offered(topology(), components.offeredTables());
        }
        SelectedAlgorithm<CollectiveAlgorithm> usual = offered.find(type, MemoryType.HOST, bytes);
        while (usual != null
                && use == Explanation.Use.REQUEST
                && !CollectiveAlgorithm.servesRequests(type, usual.algorithm())) {
            usual = usual.next();
        }
        return usual != null && usual.algorithm().equals(declining)
                ? null
                : new CoterieException(teamSync.membership().messagePrefix(operation)
                        + "tuning is strict, and the settings select "
                        + declining + " for " + type.label() + " of " + bytes + " bytes, which can't serve this call: "
                        + reason + "; Team.explain with the type of the elements shows which algorithms can");
    }
}
