// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.PeFailedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which members have not come to a round of a [FlatRound], and why each.
final class MissingMembers {
    private final Membership membership;

    /// Per member: what ended the wait for it, or null if it has come.
    private final @Nullable PeFailedException[] causes;

    MissingMembers(Membership membership) {
        this.membership = membership;
        this.causes = new PeFailedException[membership.size()];
    }

    void note(int member, PeFailedException cause) {
        causes[member] = cause;
    }

    boolean has(int member) {
        return causes[member] != null;
    }

    void forget() {
        Arrays.fill(causes, null);
    }

    /// What the round ends with, once there are some: they are forgotten by that.
    PeFailedException toException() {
        StringBuilder messages = new StringBuilder();
        List<Integer> failed = new ArrayList<>();
        List<Integer> met = new ArrayList<>();
        PeFailedException given = null;
        for (int member = 0; member < causes.length; member++) {
            PeFailedException absence = causes[member];
            if (absence == null) {
                met.add(membership.pe(member));
            } else if (absence.failedPes().contains(membership.pe(member))) {
                messages.append(messages.isEmpty() ? "" : "; ").append(absence.getMessage());
                failed.add(membership.pe(member));
            } else {
                given = absence;
            }
        }
        forget();
        if (failed.isEmpty() && given != null) {
            return given;
        }
        String entered = (met.size() == 1 ? "only PE " + met.getFirst() : "PEs " + met) + " entered the round";
        return new PeFailedException(messages + " (team \"" + membership.name() + "\"; " + entered + ")", failed);
    }
}
