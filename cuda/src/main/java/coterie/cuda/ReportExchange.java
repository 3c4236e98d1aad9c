// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.Team;
import java.lang.foreign.MemorySegment;

/// The rounds of an agreeing collective: in each, every member gets the reports of all.
final class ReportExchange {
    private static final long LONGS = MemberReport.BYTES / Long.BYTES;

    private final Team team;
    private final SymmetricMemory memory;
    private final int rounds;
    private int round;

    /// **Collective** over the team, agreeing.
    ///
    /// @param rounds how many there are at most: a member that is quick must not overwrite what a slow one reads
    ReportExchange(Team team, int rounds) {
        this.team = team;
        this.rounds = rounds;
        this.memory = team.allocate((long) MemberReport.BYTES * (team.size() * rounds + rounds));
    }

    /// Returns this member's report for the next round.
    MemberReport mine() {
        return new MemberReport(memory.segment().asSlice(source() * Long.BYTES, MemberReport.BYTES));
    }

    private long source() {
        return ((long) team.size() * rounds + round) * LONGS;
    }

    /// Exchanges the reports. **Collective** over the team.
    MemberReport[] exchange() {
        LongView words = memory.longs();
        long target = (long) team.size() * round * LONGS;
        team.allGather(words, target, words, source(), LONGS);
        MemberReport[] all = new MemberReport[team.size()];
        for (int member = 0; member < all.length; member++) {
            MemorySegment bytes = memory.segment().asSlice((target + member * LONGS) * Long.BYTES, MemberReport.BYTES);
            all[member] = new MemberReport(bytes);
        }
        round++;
        return all;
    }

    /// Ends its use here, and waits for no other PE.
    void close() {
        memory.close();
    }

    /// Ends it on all members. **Collective** over the team.
    void free() {
        memory.free();
    }
}
