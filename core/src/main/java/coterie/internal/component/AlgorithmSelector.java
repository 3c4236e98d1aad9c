// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.p2p.TeamPort;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.TeamSync;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which algorithm serves which collective of a team: selects it, has layers prepare it, explains and traces it. All
/// members choose alike: they compare the digests of their selections in each collective that asks.
public final class AlgorithmSelector {
    /// Trace of collectives and requests, one by one. Answers to `UCC_COLL_TRACE`.
    private static final System.Logger TRACE = System.getLogger("coterie.collectives");

    /// What has served a barrier or a number that goes with a round, which asks no layer.
    public static final String ROUND = "a round";

    private final TeamSync teamSync;
    private final CollectiveResources resources;
    private final TeamComponents components;
    private final boolean isTraced;

    /// Made by the first collective that asks for it.
    private volatile @Nullable ScoreMap<CollectiveAlgorithm> scoreMap;

    private long digest;

    /// The algorithms that serve without tuning; made when they are first needed.
    private @Nullable ScoreMap<CollectiveAlgorithm> offered;

    /// @param port of the team, through which members agree on the layers that plug in
    public AlgorithmSelector(TeamSync teamSync, CollectiveResources resources, TeamPort port) {
        this.teamSync = teamSync;
        this.resources = resources;
        this.components = new TeamComponents(teamSync, resources, port);
        this.isTraced = resources.registry().areTraced();
    }

    /// Opens the layers that plug in, with all members, unless they are open.
    public void open() {
        if (!components.isOpen()) {
            components.open();
        }
    }

    /// Opens the layers that plug in as far as possible without waiting; returns whether they are open.
    public boolean tryOpen() {
        return components.tryOpen();
    }

    /// Closes the layers that plug in; nothing is under way.
    public void close() {
        components.close();
    }

    /// Has a layer prepare what it is asked for, once the layers are open.
    ///
    /// @param algorithm other than a native one
    /// @return empty if it declines
    public Optional<PreparedWork> prepare(CollectiveAlgorithm algorithm, WorkOrder order) {
        return components.prepare(algorithm, order);
    }

    /// What members of the team have in common by nature.
    private TeamTopology topology() {
        return TeamTopology.of(teamSync, resources.nodes());
    }

    /// Explains which algorithms serve a collective, as far as it is known: layers that plug in are opened by the
    /// first collective that asks. For any thread.
    public Explanation explain(CollectiveType type, long bytes) {
        return explain(type, null, bytes, 0);
    }

    /// Explains which algorithms serve a reduction of elements.
    public Explanation explain(CollectiveType type, ReductionOperator<?> reduction, ElementType elements, long bytes) {
        return explain(type, new Explainer.Operands(reduction, elements), bytes, 0);
    }

    private Explanation explain(CollectiveType type, Explainer.@Nullable Operands operands, long bytes, int root) {
        TeamTopology topology = topology();
        ScoreMap<CollectiveAlgorithm> made = scoreMap;
        return new Explainer(teamSync.membership(), resources.registry(), topology, components)
                .explain(made == null ? resources.registry().scoreMap(topology) : made, type, operands, bytes, root);
    }

    /// Logs a collective, if users ask for that.
    ///
    /// @param operation such as "allReduce"
    /// @param root of the collective, or 0
    /// @param algorithm that has served it, or serves it, or [#ROUND]
    public void trace(String operation, CollectiveType type, long bytes, int root, Object algorithm) {
        if (isTraced) {
            String by = algorithm.toString();
            String groups = explain(type, null, bytes, root).candidates().stream()
                    .filter(each -> by.equals(each.component() + "/" + each.algorithm()))
                    .flatMap(each -> each.groups().stream())
                    .map(group -> "; " + group)
                    .collect(Collectors.joining());
            TRACE.log(
                    System.Logger.Level.INFO,
                    teamSync.membership().messagePrefix(operation) + bytes + " bytes by " + by + groups);
        }
    }

    /// Returns the algorithms of all collectives, once the layers that plug in are open.
    private ScoreMap<CollectiveAlgorithm> made() {
        ScoreMap<CollectiveAlgorithm> made = scoreMap;
        if (made == null) {
            ComponentRegistry registry = resources.registry();
            made = components.stacked(registry.scoreMap(topology(), components.tables()));
            digest = made.digest() + registry.digest() + registry.groups().digest(topology());
            scoreMap = made;
        }
        return made;
    }

    /// Returns all algorithms that the layers which users admit have for a collective, for whichever sizes and however
    /// users have tuned them.
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

    /// Returns the candidates for a collective, the best first, or null if there is none.
    public @Nullable SelectedAlgorithm<CollectiveAlgorithm> of(CollectiveType type, long bytes) {
        return made().find(type, MemoryType.HOST, bytes);
    }

    /// Whether a barrier or a number needs no more than a round: as the runtime's own tables have it, by any of
    /// the ways over memory, since no layer serves it, or along a tree. All members ask for it.
    ///
    /// @param type BARRIER, or ALLREDUCE for a number
    public boolean goesByRound(CollectiveType type, long bytes) {
        boolean isAsBuilt =
                resources.components().isEmpty() && resources.registry().areAsBuilt();
        if (isAsBuilt || !teamSync.syncRound().isAllToAll()) {
            return true; // without a table, which most programs need for nothing else
        }
        open();
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
            usual = usual.next(); // no stream: a call may come here each time
        }
        return usual != null && usual.algorithm().equals(declining)
                ? null
                : new CoterieException(teamSync.membership().messagePrefix(operation)
                        + "tuning is strict, and the settings select "
                        + declining + " for " + type.label() + " of " + bytes + " bytes, which can't serve this call: "
                        + reason + "; Team.explain with the type of the elements shows which algorithms can");
    }
}
