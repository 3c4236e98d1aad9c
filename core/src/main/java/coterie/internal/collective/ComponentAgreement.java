// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.nio.charset.StandardCharsets.UTF_8;

import coterie.CollectiveMismatchException;
import coterie.internal.layer.Component;
import coterie.internal.wait.OperationKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// On which members of a team the layers that plug in work, and what people are told where they don't: once of
/// each layer in a world, by the first member.
final class ComponentAgreement {
    private static final System.Logger LOGGER = System.getLogger("coterie");

    /// Characters of the longest reason that members tell each other.
    private static final int MOST_TOLD = 1000;

    private final TeamSync teamSync;
    private final Membership membership;
    private final SyncRound round;
    private final ByteAllgather byteAllgather;
    private final List<Component> components;

    ComponentAgreement(TeamSync teamSync, ByteAllgather byteAllgather, List<Component> components) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.round = teamSync.syncRound();
        this.byteAllgather = byteAllgather;
        this.components = components;
    }

    /// A bit for each layer that works on all members, by its place in the list; told where it does not.
    ///
    /// @throws CollectiveMismatchException if members have not the same layers
    long everywhere(OperationKind kind) {
        StringBuilder providers = new StringBuilder();
        long working = 0;
        for (int place = 0; place < components.size(); place++) {
            Component each = components.get(place);
            providers
                    .append(each.provider())
                    .append(each.isNamed() ? " (asked for)" : "")
                    .append('\n');
            working |= each.whyNot(membership.size()) == null ? 1L << place : 0;
        }
        round.send(0, providers.toString().hashCode());
        round.send(1, working);
        teamSync.round(kind, 2, 0);
        int other = round.firstDifferent(0);
        if (other >= 0) {
            throw failed(
                    kind,
                    "PE " + membership.pe(0) + " and PE " + membership.pe(other)
                            + " have different layers on their paths, or select different ones with the settings TLS "
                            + "and TUNE;"
                            + " this PE has " + names() + round.differingSettings());
        }
        long[] works = new long[membership.size()];
        for (int member = 0; member < works.length; member++) {
            works[member] = round.received(member, 1);
        }
        long everywhere = -1;
        for (int place = 0; place < components.size(); place++) {
            int lacking = firstWithout(works, place);
            if (lacking >= 0) {
                everywhere &= ~(1L << place);
                reportMissing(kind, components.get(place), works, place, lacking);
            }
        }
        return everywhere;
    }

    private String names() {
        return components.stream()
                .map(each -> each.name() + (each.isNamed() ? " (named by TLS)" : ""))
                .collect(Collectors.joining(", "));
    }

    /// The first member on which a layer does not work, or −1.
    private static int firstWithout(long[] works, int place) {
        for (int member = 0; member < works.length; member++) {
            if (!TeamComponents.has(works[member], place)) {
                return member;
            }
        }
        return -1;
    }

    /// Says why a layer does not serve, where joining has not said it.
    private void reportMissing(OperationKind kind, Component component, long[] works, int place, int lacking) {
        String mine = component.whyNot(membership.size());
        if (Arrays.stream(works).anyMatch(its -> TeamComponents.has(its, place))) {
            String why = report(kind, mine == null ? "" : mine, lacking);
            warn(component, "PE " + membership.pe(lacking) + " reports: " + why);
        } else if (component.refusal() == null) {
            warnOfNamed(component, String.valueOf(mine));
        } else if (membership.pe(0) != 0) { // which would have said it when it joined
            warn(component, String.valueOf(mine));
        }
    }

    /// Compares what layers offer: all must know alike who serves what.
    ///
    /// @throws CollectiveMismatchException if one offers some members something else than others
    void compareOffers(OperationKind kind, List<TeamComponent> opened) {
        List<TeamComponent> serving =
                opened.stream().filter(TeamComponent::serves).toList();
        if (serving.isEmpty()) {
            return;
        }
        round.send(0, serving.stream().map(ComponentAgreement::offers).toList().hashCode());
        teamSync.round(kind, 1, 0);
        if (round.firstDifferent(0) < 0) {
            return;
        }
        for (TeamComponent part : serving) {
            byte[][] offers = byteAllgather.exchange(kind, offers(part).getBytes(UTF_8));
            for (int member = 1; member < offers.length; member++) {
                if (!Arrays.equals(offers[0], offers[member])) {
                    throw failed(
                            kind,
                            part.component() + " offers different algorithms to different members: on PE "
                                    + membership.pe(0) + " " + beyond(offers[0], offers[member]) + ", on PE "
                                    + membership.pe(member)
                                    + " " + beyond(offers[member], offers[0]));
                }
            }
        }
    }

    private static String offers(TeamComponent part) {
        return part.table().toString();
    }

    private CollectiveMismatchException failed(OperationKind kind, String what) {
        CollectiveMismatchException why =
                new CollectiveMismatchException(membership.messagePrefix(kind.label()) + what);
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
    String report(OperationKind kind, String mine, int member) {
        String words = membership.me() == member ? mine.substring(0, Math.min(mine.length(), MOST_TOLD)) : "";
        return new String(byteAllgather.exchange(kind, words.getBytes(UTF_8))[member], UTF_8);
    }

    /// Says of a layer that was asked for by its name that it does not serve the team.
    void warnOfNamed(Component component, String why) {
        if (component.isNamed()) {
            warn(component, why + "; the setting TLS names it");
        }
    }

    private void warn(Component component, String why) {
        if (membership.me() == 0 && component.isReported()) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "team \"" + membership.name() + "\" of " + membership.size() + " members: " + component
                            + " does not serve this team: " + why);
        }
    }
}
