// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.collective.SyncLines;
import coterie.internal.collective.TeamMap;
import org.jspecify.annotations.Nullable;

/// The members of a team for which all have come: what each has said of itself.
final class FormedMembers {
    private final int[] pes;
    private final long[] offsets;
    private final long[] contexts;

    /// @param formationSlot whose entries have been copied
    FormedMembers(FormationSlot formationSlot, int size) {
        this.pes = new int[size];
        this.offsets = new long[size];
        this.contexts = new long[size];
        for (int member = 0; member < size; member++) {
            pes[member] = FormationSlot.pe(formationSlot.claim(member));
            offsets[member] = formationSlot.linesOf(member);
            contexts[member] = formationSlot.config(member);
        }
    }

    TeamMap map() {
        return TeamMap.listed(pes);
    }

    SyncLines lines() {
        return SyncLines.at(offsets);
    }

    /// Why these can't be a team, or null: all members see the same.
    @Nullable
    String misfit(int worldSize) {
        int[] numbers = new int[worldSize];
        for (int member = 0; member < pes.length; member++) {
            int pe = pes[member];
            if (contexts[member] != contexts[0]) {
                return "PE " + pe + " asks for " + contexts[member] + " contexts, PE " + pes[0] + " for " + contexts[0];
            }
            if (numbers[pe] > 0) {
                return "PE " + pe + " brings two numbers, " + (numbers[pe] - 1) + " and " + member;
            }
            numbers[pe] = member + 1;
        }
        return null;
    }
}
