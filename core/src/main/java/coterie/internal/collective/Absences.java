// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.PeFailedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which members have not come to a round of a [FlatMeeting], and why each.
final class Absences {
    private final Roster roster;

    /// Per member: what ended the wait for it, or null if it has come.
    private final @Nullable PeFailedException[] causes;

    Absences(Roster roster) {
        this.roster = roster;
        this.causes = new PeFailedException[roster.size()];
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
    PeFailedException told() {
        StringBuilder messages = new StringBuilder();
        List<Integer> failed = new ArrayList<>();
        List<Integer> met = new ArrayList<>();
        PeFailedException given = null;
        for (int member = 0; member < causes.length; member++) {
            PeFailedException absence = causes[member];
            if (absence == null) {
                met.add(roster.pe(member));
            } else if (absence.failedPes().contains(roster.pe(member))) {
                messages.append(messages.isEmpty() ? "" : "; ").append(absence.getMessage());
                failed.add(roster.pe(member));
            } else {
                given = absence;
            }
        }
        forget();
        if (failed.isEmpty() && given != null) {
            return given;
        }
        String who = met.size() == 1 ? "only PE " + met.getFirst() + " came" : "PEs " + met + " have met without it";
        return new PeFailedException(messages + " (team \"" + roster.name() + "\"; " + who + ")", failed);
    }
}
