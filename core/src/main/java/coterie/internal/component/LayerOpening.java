// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.CoterieException;
import coterie.internal.layer.Component;
import coterie.internal.layer.LayerErrors;
import coterie.internal.memory.StatusLabel;
import coterie.internal.p2p.TeamPort;
import coterie.internal.p2p.WordExchange;
import coterie.internal.schedule.IdleProbe;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PolledRounds;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How the members of a team open the layers that plug in, step by step and without waiting:
///
/// ```
///  do members have the same? which work?        a round
///  all members' addresses                       rounds, layer by layer
///  each layer opens its part                    rounds: see PartsOpening
///  does each offer the same everywhere?         a round
///  the groups of collective layers              rounds: see GroupsOpening
/// ```
///
/// The rounds are those of a [WordExchange] through the team's port for requests, so that a member may come by a
/// collective that waits or by a request that does not. Once begun, every thread of the PE that waits goes on
/// with it. All members come to the same end.
final class LayerOpening implements IdleProbe {
    private static final System.Logger LOGGER = System.getLogger("coterie");
    private static final OperationKind KIND = OperationKind.LAYERS;

    private final TeamSync teamSync;
    private final Membership membership;
    private final CollectiveResources resources;
    private final TeamPort port;
    private final WordExchange exchange;
    private final PolledRounds rounds;
    private final ComponentAgreement agreement;

    /// Held while a thread goes on with it.
    private final ReentrantLock going = new ReentrantLock();

    /// The members' addresses, for each layer that works on all of them.
    private final Map<Component, byte[][]> addresses = new LinkedHashMap<>();

    private final List<TeamComponent> opening = new ArrayList<>();
    private final List<TeamComponent> ofGroups = new ArrayList<>();
    private String id = "";
    private @Nullable LayerExchanges exchanges;
    private Map<String, GroupLevels> levels = Map.of();

    /// Written last: null as long as they are not open.
    private volatile @Nullable List<TeamComponent> serving;

    private volatile @Nullable RuntimeException failure;

    /// Begins.
    ///
    /// @throws CoterieException if the member has no memory for the rounds
    LayerOpening(TeamSync teamSync, CollectiveResources resources, TeamPort port) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.resources = resources;
        this.port = port;
        this.exchange = port.layerExchange();
        this.rounds = exchange.polled();
        this.agreement = new ComponentAgreement(
                teamSync, resources, rounds, resources.runtime().room().nanoTime());
        agreement.everywhere(resources.registry().nextTeam(), (ofTeam, atAll, serial) -> {
            id = membership.pe(0) + "." + serial;
            openNext(0, ofTeam, atAll);
        });
    }

    boolean isOpen() {
        return serving != null;
    }

    /// The layers that serve the team; none as long as they are not open.
    List<TeamComponent> serving() {
        List<TeamComponent> all = serving;
        return all == null ? List.of() : all;
    }

    /// Goes as far as possible; returns whether the layers are open.
    ///
    /// @throws RuntimeException on all members, if they can't be
    boolean advance() {
        poll();
        RuntimeException why = failure;
        if (why != null) {
            throw why;
        }
        return serving != null;
    }

    /// Goes as far as possible, for a thread that waits for something else.
    @Override
    public void poll() {
        if (serving == null && failure == null && going.tryLock()) {
            try {
                step();
            } finally {
                going.unlock();
            }
        }
    }

    /// Waits until the layers are open.
    ///
    /// @return false if they can't be, since a member has come to a round of the team instead, or ended the team
    boolean await() {
        Opened opened = new Opened();
        resources.runtime().room().awaitWork(opened, WaitingRoom.FOREVER);
        return advance() || !opened.hasMissed;
    }

    /// That the layers are open, or will not be.
    private final class Opened implements Awaitable {
        private boolean hasMissed;

        @Override
        public boolean poll() {
            LayerOpening.this.poll();
            hasMissed = serving == null && failure == null && isMissed();
            return serving != null || failure != null || hasMissed;
        }

        /// A member that has come to the next round of the team has opened its layers before, if it has any.
        private boolean isMissed() {
            FlatRound flat = (FlatRound) teamSync.syncRound();
            boolean isMissed = flat.notice().round() != 0;
            for (int member = 0; member < membership.size(); member++) {
                isMissed |= port.isUnknown(member) && flat.isBehind(member);
            }
            return isMissed;
        }

        @Override
        public OperationKind kind() {
            return KIND;
        }

        @Override
        public StatusLabel team() {
            return membership.label();
        }

        @Override
        public int awaitedPe() {
            return exchange.awaitedPe();
        }
    }

    private void step() {
        try {
            int without = port.firstWithoutLayers();
            if (without >= 0) {
                throw agreement.differ(membership.myPe(), membership.pe(without));
            }
            rounds.advance();
        } catch (RuntimeException | Error e) {
            RuntimeException why = e instanceof RuntimeException its ? its : new CoterieException(String.valueOf(e), e);
            failure = why;
            resources.engine().forget(this);
            if (!rounds.isConcluding() || !(e instanceof CoterieException)) {
                exchange.abort(why);
            }
            closeAll();
            LayerErrors.passOnFatal(e);
        }
    }

    private void closeAll() {
        ofGroups.forEach(TeamComponent::close);
        opening.forEach(TeamComponent::close);
    }

    /// Collects the addresses of the layers that work everywhere, from a place on, and then has these open.
    ///
    /// @param ofTeam bits of the layers that serve teams of this size
    /// @param atAll bits of all that work
    private void openNext(int from, long ofTeam, long atAll) {
        List<Component> components = resources.components().list();
        for (int place = from; place < components.size(); place++) {
            if (ComponentAgreement.has(atAll, place)) {
                Component component = components.get(place);
                int next = place + 1;
                boolean isOfTeam = ComponentAgreement.has(ofTeam, place)
                        && resources.registry().admits(component.name());
                rounds.gather(component.address(), all -> {
                    addresses.put(component, all);
                    if (isOfTeam) {
                        opening.add(
                                TeamComponent.ofTeam(component, new TeamView(membership, id, resources.nodes(), all)));
                    }
                    openNext(next, ofTeam, atAll);
                });
                return;
            }
        }
        new PartsOpening(agreement, opening, false, () -> agreement.compareOffers(opening, this::judge)).start();
    }

    private void judge() {
        for (TeamComponent part : opening) {
            if (!part.serves() && part.component().isNamed()) {
                throw part.cantServe(membership, "TLS");
            }
        }
        List<TeamComponent> all = opening.stream()
                .filter(TeamComponent::serves)
                .sorted(Comparator.comparing(part -> part.component().name()))
                .toList();
        ComponentRegistry registry = resources.registry();
        List<String> idle = all.stream()
                .flatMap(part -> registry.remarks(part.component(), part.table(), membership.size()).stream())
                .toList();
        if (registry.areStrict() && !all.isEmpty()) {
            rounds.words(() -> judge(all, idle), idle.size());
            return;
        }
        idle.stream()
                .filter(each -> membership.me() == 0 && registry.isNews(each))
                .forEach(
                        each -> LOGGER.log(System.Logger.Level.WARNING, "team \"" + membership.name() + "\": " + each));
        end(all);
    }

    /// Where tuning is strict, all members refuse what of tuning strings changes nothing of what layers offer.
    private void judge(List<TeamComponent> all, List<String> idle) {
        for (int member = 0; member < membership.size(); member++) {
            if (rounds.received(member, 0) != 0) {
                throw new CoterieException(membership.messagePrefix(KIND.label())
                        + (idle.isEmpty()
                                ? "tuning is strict, and PE " + membership.pe(member) + " has tuning tokens without "
                                        + "effect"
                                : String.join("\n", idle)));
            }
        }
        end(all);
    }

    private void end(List<TeamComponent> all) {
        all.stream()
                .filter(part -> !part.offersAnything())
                .forEach(part -> ComponentAgreement.warnOfNamed(
                        membership, part.component(), "it offers no algorithm to this team"));
        opening.stream().filter(part -> !part.serves()).forEach(TeamComponent::close);
        new GroupsOpening(agreement, id, all, addresses, ofGroups, its -> end(all, its))
                .start(TeamTopology.of(teamSync, resources.nodes()));
    }

    private void end(List<TeamComponent> all, Map<String, GroupLevels> its) {
        ofGroups.stream().filter(part -> !part.serves()).forEach(TeamComponent::close);
        all.stream().filter(part -> !part.serves()).forEach(TeamComponent::close); // since its groups were asked for
        resources.engine().forget(this);
        levels = its;
        List<TeamComponent> those = all.stream().filter(TeamComponent::serves).toList();
        LayerExchanges life = new LayerExchanges(
                exchange,
                membership,
                those,
                ofGroups.stream().filter(TeamComponent::serves).toList());
        exchanges = life;
        if (!life.isEmpty()) {
            resources.engine().watch(life);
        }
        serving = those;
    }

    /// Returns what serves the groups of the collective layers, by their names, once the layers are open.
    Map<String, GroupLevels> levels() {
        return levels;
    }

    /// Lets go of all; nothing is under way.
    void close() {
        IllegalStateException ended =
                new IllegalStateException(membership.messagePrefix(KIND.label()) + "the team has ended");
        resources.engine().forget(this);
        LayerExchanges life = exchanges;
        if (life != null) {
            resources.engine().forget(life);
            life.end(ended);
        }
        if (failure == null) {
            failure = ended;
            if (serving == null) {
                closeAll();
            } else {
                Stream.concat(ofGroups.stream().filter(TeamComponent::serves), serving().stream())
                        .forEach(part -> resources
                                .endings()
                                .add(part, resources.runtime().room(), agreement.openTimeoutNanos()));
            }
            serving = null;
        }
    }
}
