// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.CoterieException;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.layer.LayerErrors;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.ScoreTable;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import coterie.layer.Arguments;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What a layer that plugs in has of a team, or of a group of its members, from the begin of its opening on.
final class TeamComponent {
    private static final System.Logger LOGGER = System.getLogger("coterie");

    private final Component component;

    /// What it serves, for messages.
    private final String purpose;

    /// Null where the layer has groups, and this member is in none of them.
    private final @Nullable TeamView view;

    private final List<int[]> groups;

    private @Nullable LayerTeam team;
    private ScoreTable<CollectiveAlgorithm> table = ScoreTable.empty();
    private boolean isThrough;
    private @Nullable Throwable failure;

    /// Why it does not serve the team, or null if it does.
    private @Nullable String fate = "it is not open";

    /// How far it is on this member.
    enum Progress {
        /// goes on at the next call
        BUSY,
        /// waits for what all members give
        GIVES,
        THROUGH,
        FAILED
    }

    /// @param view of the group with this member, or null if there is none
    /// @param groups for each member the group that it is in, of members of the team; empty if it has no part
    /// @param purpose such as `groups NODE of layer hier`
    TeamComponent(Component component, @Nullable TeamView view, List<int[]> groups, String purpose) {
        this.component = component;
        this.view = view;
        this.groups = groups;
        this.purpose = purpose;
        this.isThrough = view == null;
    }

    /// Makes what a layer has of a whole team.
    static TeamComponent ofTeam(Component component, TeamView view) {
        int[] everyone = IntStream.range(0, view.size()).toArray();
        return new TeamComponent(component, view, Collections.nCopies(view.size(), everyone), "this team");
    }

    /// Returns whether it has a part on this member.
    boolean isHere() {
        return view != null;
    }

    Component component() {
        return component;
    }

    TeamView view() {
        return Objects.requireNonNull(view, component::toString);
    }

    List<int[]> groups() {
        return groups;
    }

    LayerTeam team() {
        return Objects.requireNonNull(team, component::toString);
    }

    ScoreTable<CollectiveAlgorithm> table() {
        return table;
    }

    /// Begins; a failure is told by [#advance].
    void open() {
        if (view != null) {
            trying(() -> team = component.context().open(view));
        }
    }

    /// Goes on, unless it waits for what the others give.
    Progress advance() {
        if (!isThrough && failure == null && pending() == null) {
            trying(this::test);
        }
        if (failure != null) {
            return Progress.FAILED;
        }
        if (isThrough) {
            return Progress.THROUGH;
        }
        return pending() == null ? Progress.BUSY : Progress.GIVES;
    }

    private void test() {
        isThrough = team().test();
        if (isThrough && pending() != null) {
            throw new IllegalStateException(
                    "test() returned true with an exchange under way, which would never complete");
        }
        if (isThrough) {
            view().open(); // offers() begins no exchange
            table = table(team().offers());
        }
    }

    private void trying(Runnable step) {
        try {
            component.callGuarded(step);
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            fails(e);
        }
    }

    /// The layer has failed on this member before it serves the team.
    void fails(Throwable why) {
        failure = why;
        LOGGER.log(
                System.Logger.Level.WARNING, "team \"" + view().name() + "\": " + component + " failed to open", why);
    }

    private ScoreTable<CollectiveAlgorithm> table(List<Offer> offers) {
        AlgorithmTable<CollectiveAlgorithm> algorithmTable =
                CollectiveAlgorithm.Plugged.table(component.layerAttributes());
        return offers.stream()
                .map(offer -> DefaultScores.offer(
                        offer.collective(),
                        offer.from(),
                        offer.to(),
                        offer.score(),
                        algorithmTable.algorithm(offer.collective(), offer.algorithm())))
                .reduce(ScoreTable.empty(), ScoreTable::merge);
    }

    /// Whether there is anything that it would do for the team.
    boolean offersAnything() {
        return !table.equals(ScoreTable.empty());
    }

    /// See [LayerTeam#prepare].
    ///
    /// @throws CoterieException if the layer throws anything, or has no answer
    @SuppressWarnings("OptionalAssignedToNull") // by the layer
    Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
        String what = component + " has failed to prepare "
                + arguments.type().label() + " by " + algorithm + " on team \"" + view().name() + "\", PE "
                + view().pe(view().me()) + ": ";
        Optional<LayerWork> work;
        try {
            work = component.callGuarded(() -> team().prepare(algorithm, arguments));
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            throw new CoterieException(what + LayerErrors.reason(e), e);
        }
        if (work == null) {
            throw new CoterieException(what + "it returned null; required: a task, a composition or Optional.empty()");
        }
        return work;
    }

    /// Why it has failed on this member, or an empty string if it has not.
    String reason() {
        return failure == null ? "" : LayerErrors.reason(failure);
    }

    /// What it lets the others have and they have not got, or null if there is nothing.
    byte @Nullable [] pending() {
        return view == null ? null : view.pending();
    }

    /// What it lets the others have, which may be nothing.
    byte[] published() {
        return Objects.requireNonNullElse(pending(), new byte[0]);
    }

    /// All have what all have given.
    void received(byte[][] all) {
        if (view != null) {
            view.complete(all);
        }
    }

    /// All members are through.
    void complete() {
        fate = null;
    }

    /// It does not serve the team.
    void drop(String why) {
        fate = why;
        if (view != null && view.me() == 0 && failure == null) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "team \"" + view.name() + "\": " + component + " does not serve " + purpose + ": " + why);
        }
    }

    boolean serves() {
        return fate == null;
    }

    /// Makes the exception for a layer that settings name and that does not serve.
    ///
    /// @param setting that names it
    CoterieException cantServe(Membership membership, String setting) {
        CoterieException why = new CoterieException(membership.messagePrefix(OperationKind.LAYERS.label()) + component
                + ", which the setting " + setting + " names, can't serve " + purpose + ": " + fate);
        if (failure != null) {
            why.initCause(failure);
        }
        return why;
    }

    /// Advances the layer's end of the team; returns whether it is over, or can't be reached.
    boolean tryFinish() {
        LayerTeam mine = team;
        if (mine == null || failure != null) {
            return true;
        }
        boolean[] isOver = {true}; // where it throws
        Components.quietly(name(), () -> isOver[0] = component.tryGuarded(mine::finish));
        return isOver[0];
    }

    private String name() {
        return component + " of team \"" + view().name() + "\"";
    }

    /// Releases what the layer has of the team.
    void close() {
        LayerTeam mine = team;
        if (mine != null) {
            Components.quietly(name(), () -> component.callGuarded(mine::close));
        }
    }
}
