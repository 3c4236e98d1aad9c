// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.sync.SyncLines;
import coterie.internal.sync.TeamMap;
import org.jspecify.annotations.Nullable;

/// The members of a team that all have joined, with the arguments of each.
final class FormedMembers {
    private final int[] pes;
    private final long[] offsets;
    private final long[] contexts;

    /// @param formationSlot the slot, after [FormationSlot#copyEntries]
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

    /// Returns the reason for which these members can't be a team, the same on all members, or null.
    @Nullable
    String misfit(int worldSize) {
        int[] numbers = new int[worldSize];
        for (int member = 0; member < pes.length; member++) {
            int pe = pes[member];
            if (contexts[member] != contexts[0]) {
                return "the configs differ: " + contexts[member] + " contexts on PE " + pe + ", " + contexts[0]
                        + " on PE " + pes[0];
            }
            if (numbers[pe] > 0) {
                return "PE " + pe + " passes two numbers, " + (numbers[pe] - 1) + " and " + member;
            }
            numbers[pe] = member + 1;
        }
        return null;
    }
}
