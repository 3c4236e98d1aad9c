// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import static coterie.internal.component.ComponentAgreement.has;

import coterie.internal.sync.Membership;
import coterie.internal.sync.PolledRounds;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Opens what layers have of a team, or of groups of its members: each layer on all members or on none.
///
/// ```
///  each layer opens its part
///  repeat                                       until all are through, or have failed
///    each layer goes on
///    which are through, have failed, give bytes? a round
///    what all give                              rounds
/// ```
final class PartsOpening {
    /// The word of a round with which a member says that the time to open layers is over, behind those of each
    /// [TeamComponent.Progress] with a bit for each part.
    private static final int LATE = TeamComponent.Progress.values().length;

    private final ComponentAgreement agreement;
    private final Membership membership;
    private final PolledRounds rounds;
    private final List<TeamComponent> parts;
    private final boolean areOfGroups;
    private final Runnable then;

    /// The words of each member in the latest round.
    private final long[][] heard;

    /// A bit for each part that is neither through on all members nor dropped.
    private long left;

    /// @param parts at most as many as a world has of layers, so that each has a bit; the same on all members
    /// @param areOfGroups whether a part belongs to groups, of which each has exchanges of its own, and some
    ///     members have none
    /// @param then what follows
    PartsOpening(ComponentAgreement agreement, List<TeamComponent> parts, boolean areOfGroups, Runnable then) {
        this.agreement = agreement;
        this.membership = agreement.membership();
        this.rounds = agreement.rounds();
        this.parts = parts;
        this.areOfGroups = areOfGroups;
        this.then = then;
        this.heard = new long[membership.size()][LATE + 1];
        this.left = (1L << parts.size()) - 1;
    }

    void start() {
        parts.forEach(TeamComponent::open);
        goOn();
    }

    /// Has the parts that are left go on, until each is through on all members, or has failed on one.
    private void goOn() {
        if (left == 0) {
            then.run();
            return;
        }
        long[] mine = new long[LATE + 1];
        for (int place = 0; place < parts.size(); place++) {
            if (has(left, place)) {
                mine[parts.get(place).advance().ordinal()] |= 1L << place;
            }
        }
        mine[LATE] = agreement.isLate() ? 1 : 0;
        rounds.words(this::conclude, mine);
    }

    private void conclude() {
        for (int member = 0; member < heard.length; member++) {
            for (int word = 0; word <= LATE; word++) {
                heard[member][word] = rounds.received(member, word);
            }
        }
        concludeFrom(0);
    }

    /// Draws the conclusions of the parts from a place on, and goes on.
    private void concludeFrom(int first) {
        for (int place = first; place < parts.size(); place++) {
            if (!has(left, place)) {
                continue;
            }
            int next = place + 1;
            TeamComponent part = parts.get(place);
            int failed = first(TeamComponent.Progress.FAILED.ordinal(), place, true);
            int busy = first(TeamComponent.Progress.THROUGH.ordinal(), place, false);
            if (failed >= 0) {
                left &= ~(1L << place);
                agreement.report(part.reason(), failed, why -> {
                    part.drop("it has failed on PE " + membership.pe(failed) + ": " + why);
                    concludeFrom(next);
                });
                return;
            } else if (busy < 0) {
                part.complete();
                left &= ~(1L << place);
            } else if (first(LATE, 0, true) >= 0) {
                part.drop("PE " + membership.pe(busy) + " did not finish opening it within "
                        + agreement.openTimeoutNanos() / 1_000_000_000 + " s (setting LAYER_OPEN_TIMEOUT_S)");
                left &= ~(1L << place);
            } else if (give(place)) {
                rounds.gather(part.published(), all -> {
                    part.received(all);
                    concludeFrom(next);
                });
                return;
            }
        }
        goOn();
    }

    /// Whether all members give bytes; of groups, whether some do, and all others are through.
    private boolean give(int place) {
        return Arrays.stream(heard)
                .allMatch(words -> has(words[TeamComponent.Progress.GIVES.ordinal()], place)
                        || (areOfGroups && has(words[TeamComponent.Progress.THROUGH.ordinal()], place)));
    }

    /// The first member that said so of a part, or −1.
    private int first(int word, int place, boolean so) {
        return IntStream.range(0, heard.length)
                .filter(member -> has(heard[member][word], place) == so)
                .findFirst()
                .orElse(-1);
    }
}
