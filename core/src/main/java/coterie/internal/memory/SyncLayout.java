// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

/// Where in a sync area is what: first a block of lines for each [PredefinedTeam], whose members know its offset
/// without being told; then the lines of the teams that the program makes, addresses in plenty.
///
/// @param size PEs of the job
public record SyncLayout(int size) {
    /// Addresses for the lines of the program's own teams: of one PE at most, and of all together.
    private static final long MOST_TEAM_BYTES = 1L << 30;

    private static final long ALL_TEAM_BYTES = 16L << 30;
    private static final long PAGE = 4096;

    /// Returns the offset of the lines of a predefined team.
    public long offset(PredefinedTeam team) {
        return team.ordinal() * blockBytes();
    }

    /// Returns the offset of the lines of the program's own teams.
    public long offsetOfTeams() {
        return (PredefinedTeam.values().length * blockBytes() + PAGE - 1) / PAGE * PAGE;
    }

    /// Returns the bytes of a team of all PEs: a line for each member, and half a line for each on the board.
    private long blockBytes() {
        return (size + (size + 1) / 2) * JobSegment.LINE;
    }

    /// Returns the bytes of a sync area.
    public long bytes() {
        return offsetOfTeams() + Math.min(MOST_TEAM_BYTES, ALL_TEAM_BYTES / size / PAGE * PAGE);
    }
}
