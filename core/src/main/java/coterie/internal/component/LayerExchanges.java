// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.CoterieException;
import coterie.internal.layer.Component;
import coterie.internal.layer.LayerErrors;
import coterie.internal.p2p.WordExchange;
import coterie.internal.schedule.IdleProbe;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PolledRounds;
import coterie.layer.Exchange;
import coterie.layer.ExchangeProvider;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The exchanges of layers that serve a team, as long as it lives. All members come to the same rounds:
///
/// ```
///  a member has bytes of which the others do not know, or sees that another one has begun a round
///    which layers have bytes here?                a round
///    for each group of a layer all of whose members have: what they give
///                                                 rounds, or the exchange of a layer that provides one
/// ```
///
/// So layers may begin exchanges in different orders on different members, and none waits for another one's.
final class LayerExchanges implements IdleProbe {
    /// Parts of layers that may exchange bytes: a bit of a round for each.
    static final int MOST = WordExchange.WORDS * Long.SIZE;

    private final WordExchange exchange;
    private final PolledRounds rounds;
    private final Membership membership;

    /// What the layers have of the team or of groups of it.
    private final List<TeamComponent> parts;

    private final @Nullable TeamComponent provider;

    /// Held while a thread goes on with it.
    private final ReentrantLock going = new ReentrantLock();

    /// The parts that have told in the latest round that they have bytes.
    private final long[] told = new long[WordExchange.WORDS];

    /// What the provider is to exchange, and what follows it; or null.
    private @Nullable Provided provided;

    /// What the provider has under way of that, or null.
    private @Nullable Exchange begun;

    private boolean isUnderWay;
    private volatile boolean isOver;

    private record Provided(Supplier<Exchange> beginning, Consumer<byte[][]> then) {}

    /// @param exchange no round of which is under way
    /// @param serving the layers that serve the whole team
    /// @param ofGroups the layers that serve groups of it, on all members in one order
    LayerExchanges(
            WordExchange exchange, Membership membership, List<TeamComponent> serving, List<TeamComponent> ofGroups) {
        this.exchange = exchange;
        this.rounds = exchange.polled();
        this.membership = membership;
        this.parts =
                Stream.concat(serving.stream(), ofGroups.stream()).limit(MOST).toList();
        this.provider = serving.stream()
                .filter(part -> part.team() instanceof ExchangeProvider)
                .max(Comparator.comparingInt(part -> part.component().layer().defaultScore()))
                .orElse(null);
        exchange.serve();
        views().forEach(TeamView::serve);
    }

    /// Returns whether no layer has a part on any member, so that there is nothing to exchange.
    boolean isEmpty() {
        return parts.isEmpty();
    }

    /// Goes as far as possible, for a thread that waits for something else.
    @Override
    public void poll() {
        if (!isOver && going.tryLock()) {
            try {
                if (!isOver) {
                    step();
                }
            } finally {
                going.unlock();
            }
        }
    }

    /// What is under way will not be complete.
    void end(RuntimeException why) {
        going.lock();
        try {
            isOver = true;
        } finally {
            going.unlock();
        }
        views().forEach(view -> view.end(why));
    }

    private Stream<TeamView> views() {
        return parts.stream().filter(TeamComponent::isHere).map(TeamComponent::view);
    }

    private void step() {
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = (isUnderWay || begins()) && advance() && !isUnderWay;
            }
        } catch (RuntimeException | Error e) {
            RuntimeException why = e instanceof RuntimeException its ? its : new CoterieException(String.valueOf(e), e);
            exchange.abort(why);
            end(why);
            LayerErrors.passOnFatal(e);
        }
    }

    /// Begins a round, if there is a reason for one.
    private boolean begins() {
        boolean hasNews = false;
        for (int place = 0; place < parts.size(); place++) {
            hasNews |= hasBytes(place) && !ComponentAgreement.has(told[place / Long.SIZE], place);
        }
        if (!hasNews && !exchange.isBegunElsewhere()) {
            return false;
        }
        Arrays.fill(told, 0);
        for (int place = 0; place < parts.size(); place++) {
            if (hasBytes(place)) {
                told[place / Long.SIZE] |= 1L << place;
            }
        }
        isUnderWay = true;
        rounds.words(this::conclude, told);
        return true;
    }

    /// Returns whether nothing is under way any more.
    private boolean advance() {
        for (Provided its = provided; its != null; its = provided) {
            byte[][] all = tryComplete(its);
            if (all == null) {
                return false;
            }
            provided = null;
            its.then.accept(all);
        }
        return rounds.advance() && provided == null;
    }

    private boolean hasBytes(int place) {
        return parts.get(place).pending() != null;
    }

    private void conclude() {
        boolean[][] ready = new boolean[parts.size()][membership.size()];
        for (int place = 0; place < ready.length; place++) {
            int bit = place;
            for (int member = 0; member < membership.size(); member++) {
                int[] group = parts.get(place).groups().get(member);
                ready[place][member] = group.length > 0
                        && Arrays.stream(group)
                                .allMatch(mate -> ComponentAgreement.has(rounds.received(mate, bit / Long.SIZE), bit));
            }
        }
        complete(ready, 0);
    }

    /// Brings bytes to the members of groups that are ready, from a part on.
    private void complete(boolean[][] ready, int from) {
        for (int place = from; place < ready.length; place++) {
            boolean[] its = ready[place];
            if (IntStream.range(0, its.length).anyMatch(member -> its[member])) {
                int next = place + 1;
                TeamComponent mine = its[membership.me()] ? parts.get(place) : null;
                told[place / Long.SIZE] &= mine == null ? -1L : ~(1L << place);
                gather(mine == null ? new byte[0] : mine.published(), all -> {
                    if (mine != null) {
                        mine.received(all);
                    }
                    complete(ready, next);
                });
                return;
            }
        }
        isUnderWay = false;
    }

    private void gather(byte[] mine, Consumer<byte[][]> then) {
        TeamComponent part = provider;
        if (part == null) {
            rounds.gather(mine, then);
        } else {
            provided = new Provided(() -> ((ExchangeProvider) part.team()).exchange(mine.clone()), then);
        }
    }

    /// Has the provider go on; returns what all members have given, or null if that has not come.
    private byte @Nullable [][] tryComplete(Provided its) {
        Component component = Objects.requireNonNull(provider).component();
        try {
            byte[][] all = new byte[membership.size()][];
            boolean isDone = component.tryGuarded(() -> {
                if (begun == null) {
                    begun = its.beginning.get();
                }
                if (!begun.isDone()) {
                    return false;
                }
                for (int member = 0; member < all.length; member++) {
                    all[member] = begun.get(member).clone();
                }
                begun = null;
                return true;
            });
            return isDone ? all : null;
        } catch (RuntimeException | Error e) {
            LayerErrors.passOnFatal(e);
            throw new CoterieException(
                    "exchange by " + component.name() + ": " + LayerErrors.reason(e), e); // 64 bytes reach the others
        }
    }
}
