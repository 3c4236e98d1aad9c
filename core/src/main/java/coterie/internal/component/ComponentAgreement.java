// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import static java.nio.charset.StandardCharsets.UTF_8;

import coterie.CollectiveMismatchException;
import coterie.internal.layer.Component;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PolledRounds;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import coterie.layer.ExchangeProvider;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// On which members of a team the layers that plug in work, and what people are told where they don't: once of
/// each layer in a world, by the first member. In rounds that are polled: what follows a method is its argument.
/// All steps in which members open layers share it.
///
/// @param begin when the members have begun to open layers
record ComponentAgreement(TeamSync teamSync, CollectiveResources resources, PolledRounds rounds, long begin) {
    private static final System.Logger LOGGER = System.getLogger("coterie");

    /// Characters of the longest reason that members tell each other.
    private static final int MOST_TOLD = 1000;

    /// Returns whether bits have that of a place.
    static boolean has(long bits, int place) {
        return (bits >>> place & 1) != 0;
    }

    Membership membership() {
        return teamSync.membership();
    }

    private List<Component> components() {
        return resources.components().list();
    }

    /// Returns whether the time in which layers must open is over.
    boolean isLate() {
        return resources.runtime().room().nanoTime() - begin > openTimeoutNanos();
    }

    long openTimeoutNanos() {
        return resources.components().openTimeoutNanos();
    }

    /// Gets bits for layers, by their places in the list.
    interface Working {
        /// Goes on with what works.
        ///
        /// @param ofTeam a bit for each layer that works on all members, and serves teams of this size
        /// @param atAll a bit for each layer that works on all members
        /// @param serial number of the team among those for which its first member has opened layers
        void accept(long ofTeam, long atAll, long serial);
    }

    /// Finds a bit for each layer that works on all members, by its place in the list; told where it does not.
    ///
    /// @param serial number of the team among those for which this PE has opened layers
    /// @throws CollectiveMismatchException if members have not the same layers
    void everywhere(long serial, Working then) {
        StringBuilder providers = new StringBuilder();
        long working = 0;
        long atAll = 0;
        for (int place = 0; place < components().size(); place++) {
            Component each = components().get(place);
            providers
                    .append(each.provider())
                    .append(each.isNamed() ? " (asked for)" : "")
                    .append('\n');
            working |= each.whyNot(membership().size()) == null ? 1L << place : 0;
            atAll |= each.refusal() == null ? 1L << place : 0;
        }
        rounds.words(
                () -> everywhere(rounds.firstDifferent(0), then),
                providers.toString().hashCode(),
                working,
                atAll,
                serial);
    }

    private void everywhere(int other, Working then) {
        if (other >= 0) {
            throw differ(membership().pe(0), membership().pe(other));
        }
        long[] works = received(1);
        long ofTeam = inCommon(works);
        long atAll = inCommon(received(2));
        long serial = rounds.received(0, 3);
        report(works, 0, () -> then.accept(ofTeam, atAll, serial));
    }

    private long[] received(int word) {
        return IntStream.range(0, membership().size())
                .mapToLong(member -> rounds.received(member, word))
                .toArray();
    }

    private static long inCommon(long[] bits) {
        return Arrays.stream(bits).reduce(-1, (all, its) -> all & its);
    }

    /// The exception for PEs that have not the same layers.
    CollectiveMismatchException differ(int pe, int otherPe) {
        return failed("PE " + pe + " and PE " + otherPe
                + " have different layers on their paths, or select different ones with the settings TLS and TUNE;"
                + " this PE has " + names() + teamSync.syncRound().differingSettings());
    }

    /// Reports layers that do not work everywhere, from a place on.
    private void report(long[] works, int from, Runnable then) {
        for (int place = from; place < components().size(); place++) {
            int lacking = firstWithout(works, place);
            if (lacking >= 0) {
                int next = place + 1;
                reportMissing(components().get(place), works, place, lacking, () -> report(works, next, then));
                return;
            }
        }
        then.run();
    }

    private String names() {
        return components().isEmpty()
                ? "none"
                : components().stream()
                        .map(each -> each.name() + (each.isNamed() ? " (named by TLS)" : ""))
                        .collect(Collectors.joining(", "));
    }

    /// The first member on which a layer does not work, or −1.
    private static int firstWithout(long[] works, int place) {
        return IntStream.range(0, works.length)
                .filter(member -> !has(works[member], place))
                .findFirst()
                .orElse(-1);
    }

    /// Says why a layer does not serve, where joining has not said it.
    private void reportMissing(Component component, long[] works, int place, int lacking, Runnable then) {
        String mine = component.whyNot(membership().size());
        if (Arrays.stream(works).anyMatch(its -> has(its, place))) {
            report(mine == null ? "" : mine, lacking, why -> {
                warn(membership(), component, "PE " + membership().pe(lacking) + " reports: " + why);
                then.run();
            });
            return;
        }
        if (component.refusal() == null) {
            warnOfNamed(membership(), component, String.valueOf(mine));
        } else if (membership().pe(0) != 0) { // which would have said it when it joined
            warn(membership(), component, String.valueOf(mine));
        }
        then.run();
    }

    /// Compares what layers offer: all must know alike which layer serves what.
    ///
    /// @throws CollectiveMismatchException if one offers some members something else than others
    void compareOffers(List<TeamComponent> opened, Runnable then) {
        List<TeamComponent> serving =
                opened.stream().filter(TeamComponent::serves).toList();
        if (serving.isEmpty()) {
            then.run();
            return;
        }
        rounds.words(
                () -> {
                    if (rounds.firstDifferent(0) < 0) {
                        then.run();
                    } else {
                        compareOffer(serving, 0);
                    }
                },
                serving.stream().map(ComponentAgreement::offers).toList().hashCode());
    }

    private void compareOffer(List<TeamComponent> serving, int place) {
        TeamComponent part = serving.get(place);
        rounds.gather(offers(part).getBytes(UTF_8), offers -> {
            for (int member = 1; member < offers.length; member++) {
                if (!Arrays.equals(offers[0], offers[member])) {
                    throw failed(part.component() + " offers different algorithms to different members: on PE "
                            + membership().pe(0) + " " + beyond(offers[0], offers[member]) + ", on PE "
                            + membership().pe(member)
                            + " " + beyond(offers[member], offers[0]));
                }
            }
            compareOffer(serving, place + 1);
        });
    }

    private static String offers(TeamComponent part) {
        String provided = part.team() instanceof ExchangeProvider ? "\nexchanges of bytes" : "";
        return part.table() + provided;
    }

    /// Makes the exception for members that differ, and ends the team here.
    CollectiveMismatchException failed(String what) {
        CollectiveMismatchException why =
                new CollectiveMismatchException(membership().messagePrefix(OperationKind.LAYERS.label()) + what);
        teamSync.fail(why);
        return why;
    }

    /// The first offer that the other has not.
    private static String beyond(byte[] mine, byte[] others) {
        List<String> known = new String(others, UTF_8).lines().toList();
        return new String(mine, UTF_8)
                .lines()
                .filter(line -> !known.contains(line))
                .findFirst()
                .map(line -> "\"" + line + "\"")
                .orElse("no further algorithm");
    }

    /// Brings words of one member to all.
    void report(String mine, int member, Consumer<String> then) {
        String words = membership().me() == member ? mine.substring(0, Math.min(mine.length(), MOST_TOLD)) : "";
        rounds.gather(words.getBytes(UTF_8), all -> then.accept(new String(all[member], UTF_8)));
    }

    /// Says of a layer that was asked for by its name that it does not serve the team.
    static void warnOfNamed(Membership membership, Component component, String why) {
        if (component.isNamed()) {
            warn(membership, component, why + "; the setting TLS names it");
        }
    }

    private static void warn(Membership membership, Component component, String why) {
        if (membership.me() == 0 && component.isReported()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "team \"" + membership.name() + "\" of " + membership.size() + " members: " + component
                            + " does not serve this team: " + why);
        }
    }
}
