// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.internal.layer.Components;
import coterie.internal.layer.LayerErrors;
import coterie.internal.sync.Membership;
import coterie.internal.sync.PolledRounds;
import coterie.internal.wait.WaitingRoom;
import java.util.List;

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
    /// Parts that have a bit each.
    static final int MOST = Long.SIZE - 1;

    private final Membership membership;
    private final PolledRounds rounds;
    private final ComponentAgreement agreement;
    private final Components components;
    private final WaitingRoom room;
    private final long begin;
    private final List<TeamComponent> parts;
    private final boolean areOfGroups;
    private final Runnable then;

    /// @param begin when the members have begun to open layers
    /// @param parts at most [#MOST], the same on all members
    /// @param areOfGroups whether a part belongs to groups, of which each has exchanges of its own, and some
    ///     members have none
    /// @param then what follows
    PartsOpening(
            Membership membership,
            PolledRounds rounds,
            ComponentAgreement agreement,
            CollectiveResources resources,
            long begin,
            List<TeamComponent> parts,
            boolean areOfGroups,
            Runnable then) {
        this.membership = membership;
        this.rounds = rounds;
        this.agreement = agreement;
        this.components = resources.components();
        this.room = resources.room();
        this.begin = begin;
        this.parts = parts;
        this.areOfGroups = areOfGroups;
        this.then = then;
    }

    void start() {
        parts.forEach(TeamComponent::open);
        goOn(parts.isEmpty() ? 0 : -1L >>> (Long.SIZE - parts.size()));
    }

    static boolean has(long bits, int place) {
        return (bits >>> place & 1) != 0;
    }

    /// Has the parts that are left go on, until each is through on all members, or has failed on one.
    private void goOn(long left) {
        if (left == 0) {
            then.run();
            return;
        }
        long through = 0;
        long failed = 0;
        long gives = 0;
        for (int place = 0; place < parts.size(); place++) {
            if (has(left, place)) {
                switch (parts.get(place).advance()) {
                    case THROUGH -> through |= 1L << place;
                    case FAILED -> failed |= 1L << place;
                    case GIVES -> gives |= 1L << place;
                    case BUSY -> {}
                }
            }
        }
        long late = room.nanoTime() - begin > components.openTimeoutNanos() ? 1 : 0;
        rounds.words(() -> new Conclusion(left).from(0), through, failed, gives, late);
    }

    /// The conclusions of all members from a round.
    private final class Conclusion {
        private static final int THROUGH = 0;
        private static final int FAILED = 1;
        private static final int GIVES = 2;

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
            for (int place = first; place < parts.size(); place++) {
                int next = place + 1;
                TeamComponent part = parts.get(place);
                if (!has(left, place)) {
                    continue;
                }
                int failed = first(FAILED, place, true);
                int busy = first(THROUGH, place, false);
                if (failed >= 0) {
                    still &= ~(1L << place);
                    drop(part, failed, () -> from(next));
                    return;
                } else if (busy < 0) {
                    part.complete();
                    still &= ~(1L << place);
                } else if (isLate) {
                    part.drop("PE " + membership.pe(busy) + " did not finish opening it within "
                            + components.openTimeoutNanos() / 1_000_000_000 + " s (setting LAYER_OPEN_TIMEOUT_S)");
                    still &= ~(1L << place);
                } else if (give(place)) {
                    rounds.gather(part.published(), all -> {
                        part.received(all);
                        from(next);
                    });
                    return;
                }
            }
            goOn(still);
        }

        /// Whether all members give bytes; of groups, whether some do, and all others are through.
        private boolean give(int place) {
            if (!areOfGroups) {
                return first(GIVES, place, false) < 0;
            }
            for (long[] words : heard) {
                if (!has(words[GIVES] | words[THROUGH], place)) {
                    return false;
                }
            }
            return true;
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

    private void drop(TeamComponent part, int failed, Runnable next) {
        Throwable mine = part.failure();
        agreement.report(mine == null ? "" : LayerErrors.reason(mine), failed, why -> {
            part.drop("it has failed on PE " + membership.pe(failed) + ": " + why);
            next.run();
        });
    }

    /// Makes the exception for a layer that settings name and that does not serve.
    ///
    /// @param setting that names it
    static CoterieException cantServe(String prefix, TeamComponent part, String setting) {
        CoterieException why = new CoterieException(prefix + part.component() + ", which the setting " + setting
                + " names, can't serve " + part.purpose() + ": " + part.terminationCause());
        Throwable mine = part.failure();
        if (mine != null) {
            why.initCause(mine);
        }
        return why;
    }
}
