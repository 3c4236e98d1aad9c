// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.internal.layer.Component;
import coterie.internal.layer.LayerErrors;
import coterie.internal.memory.TeamLabel;
import coterie.internal.p2p.WordExchange;
import coterie.internal.schedule.IdleProbe;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// How the members of a team open the layers that plug in, step by step and without waiting:
///
/// ```
///  do members have the same? which work?        a round
///  all members' addresses                       rounds, layer by layer
///  each layer opens its part
///  repeat                                       until all are through, or have failed
///    each layer goes on
///    which are through, have failed, give bytes? a round
///    what all give                              rounds
///  does each offer the same everywhere?         a round
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
    private final RequestEndpoint endpoint;
    private final WordExchange exchange;
    private final PolledRounds rounds;
    private final ComponentAgreement agreement;
    private final long begin;

    /// Held while a thread goes on with it.
    private final ReentrantLock going = new ReentrantLock();

    private final List<TeamComponent> opening = new ArrayList<>();

    /// Written last: null as long as they are not open.
    private volatile @Nullable List<TeamComponent> serving;

    private volatile @Nullable RuntimeException failure;

    /// Begins.
    ///
    /// @throws CoterieException if the member has no memory for the rounds
    LayerOpening(TeamSync teamSync, CollectiveResources resources, RequestEndpoint endpoint) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.resources = resources;
        this.endpoint = endpoint;
        this.exchange = endpoint.layerExchange();
        this.rounds = new PolledRounds(exchange, membership.size());
        this.agreement = new ComponentAgreement(teamSync, rounds, components());
        this.begin = resources.room().nanoTime();
        agreement.everywhere(working -> openNext(0, working));
    }

    static boolean has(long bits, int place) {
        return (bits >>> place & 1) != 0;
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
        resources.room().awaitWork(opened, WaitingRoom.FOREVER);
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
                isMissed |= endpoint.isUnknown(member) && flat.isBehind(member);
            }
            return isMissed;
        }

        @Override
        public OperationKind kind() {
            return KIND;
        }

        @Override
        public TeamLabel team() {
            return membership.label();
        }

        @Override
        public int awaitedPe() {
            return exchange.awaitedPe();
        }
    }

    private void step() {
        try {
            int without = endpoint.firstWithoutLayers();
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
            opening.forEach(TeamComponent::close);
            LayerErrors.passOnFatal(e);
        }
    }

    private List<Component> components() {
        return resources.components().list();
    }

    /// Collects the addresses of the layers that work everywhere, from a place on, and then has these open.
    private void openNext(int from, long working) {
        for (int place = from; place < components().size(); place++) {
            if (has(working, place)) {
                Component component = components().get(place);
                int next = place + 1;
                rounds.gather(component.address(), addresses -> {
                    opening.add(new TeamComponent(component, new TeamView(membership, resources.nodes(), addresses)));
                    openNext(next, working);
                });
                return;
            }
        }
        opening.forEach(TeamComponent::open);
        goOn(opening.isEmpty() ? 0 : -1L >>> (Long.SIZE - opening.size()));
    }

    /// Has the parts that are left go on, until each is through on all members, or has failed on one.
    private void goOn(long left) {
        if (left == 0) {
            agreement.compareOffers(opening, this::judge);
            return;
        }
        long through = 0;
        long failed = 0;
        long gives = 0;
        for (int place = 0; place < opening.size(); place++) {
            if (has(left, place)) {
                switch (opening.get(place).advance()) {
                    case THROUGH -> through |= 1L << place;
                    case FAILED -> failed |= 1L << place;
                    case GIVES -> gives |= 1L << place;
                    case BUSY -> {}
                }
            }
        }
        long late = resources.room().nanoTime() - begin > resources.components().openTimeoutNanos() ? 1 : 0;
        rounds.words(() -> new Conclusion(left).from(0), through, failed, gives, late);
    }

    /// The conclusions of all members from a round.
    private final class Conclusion {
        private final long[][] heard = new long[membership.size()][3];
        private final boolean isLate;
        private final long left;
        private long still;

        Conclusion(long left) {
            this.left = left;
            this.still = left;
            boolean anyLate = false;
            for (int member = 0; member < heard.length; member++) {
                for (int word = 0; word < 3; word++) {
                    heard[member][word] = rounds.received(member, word);
                }
                anyLate |= rounds.received(member, 3) != 0;
            }
            this.isLate = anyLate;
        }

        /// Draws them of the parts from a place on, and goes on.
        void from(int first) {
            for (int place = first; place < opening.size(); place++) {
                int next = place + 1;
                TeamComponent part = opening.get(place);
                if (!has(left, place)) {
                    continue;
                }
                int failed = first(1, place, true);
                int busy = first(0, place, false);
                if (failed >= 0) {
                    still &= ~(1L << place);
                    Throwable mine = part.failure();
                    agreement.report(mine == null ? "" : LayerErrors.reason(mine), failed, why -> {
                        part.drop("it has failed on PE " + membership.pe(failed) + ": " + why);
                        from(next);
                    });
                    return;
                } else if (busy < 0) {
                    part.complete();
                    still &= ~(1L << place);
                } else if (isLate) {
                    part.drop("PE " + membership.pe(busy) + " did not finish opening it within "
                            + resources.components().openTimeoutNanos() / 1_000_000_000
                            + " s (setting LAYER_OPEN_TIMEOUT_S)");
                    still &= ~(1L << place);
                } else if (first(2, place, false) < 0) {
                    rounds.gather(part.published(), all -> {
                        part.received(all);
                        from(next);
                    });
                    return;
                }
            }
            goOn(still);
        }

        /// The first member that said so of a layer, or −1.
        private int first(int word, int place, boolean so) {
            for (int member = 0; member < heard.length; member++) {
                if (has(heard[member][word], place) == so) {
                    return member;
                }
            }
            return -1;
        }
    }

    private void judge() {
        for (TeamComponent part : opening) {
            if (!part.serves() && part.component().isNamed()) {
                throw cantServe(part);
            }
        }
        List<TeamComponent> all = opening.stream()
                .filter(TeamComponent::serves)
                .sorted(Comparator.comparing(part -> part.component().name()))
                .toList();
        List<String> idle = all.stream()
                .flatMap(part ->
                        resources.registry().remarks(part.component(), part.table(), membership.size()).stream())
                .toList();
        if (!resources.registry().areStrict()) {
            idle.stream()
                    .filter(each -> membership.me() == 0 && resources.registry().isNews(each))
                    .forEach(each ->
                            LOGGER.log(System.Logger.Level.WARNING, "team \"" + membership.name() + "\": " + each));
        }
        if (resources.registry().areStrict() && !all.isEmpty()) {
            rounds.words(() -> judge(all, idle), idle.size());
        } else {
            end(all);
        }
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
                .forEach(part -> agreement.warnOfNamed(part.component(), "it offers no algorithm to " + "this team"));
        opening.stream().filter(part -> !part.serves()).forEach(TeamComponent::close);
        resources.engine().forget(this);
        serving = all;
    }

    /// Lets go of all; nothing is under way.
    void close() {
        resources.engine().forget(this);
        if (failure == null) {
            failure = new IllegalStateException(membership.messagePrefix(KIND.label()) + "the team has ended");
            (serving == null ? opening : serving()).forEach(TeamComponent::close);
            serving = null;
        }
    }

    private CoterieException cantServe(TeamComponent part) {
        CoterieException why = new CoterieException(membership.messagePrefix(KIND.label()) + part.component()
                + ", which the setting TLS names, can't serve this team: " + part.terminationCause());
        Throwable mine = part.failure();
        if (mine != null) {
            why.initCause(mine);
        }
        return why;
    }
}
