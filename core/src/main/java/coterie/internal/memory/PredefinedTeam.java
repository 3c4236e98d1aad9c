// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

/// The teams that every PE has from the start. Each PE derives their members from the job's data, without
/// communication; ordinals are their ids.
public enum PredefinedTeam {
    /// all PEs
    WORLD("world"),
    /// those whose memory can be loaded and stored
    SHARED("shared"),
    /// those of the same node
    NODE("node"),
    /// those of the same number within their nodes, one of each node that has so many
    SAME_INDEX("same-index");

    private final String teamName;

    PredefinedTeam(String teamName) {
        this.teamName = teamName;
    }

    /// As messages and `coterie ps` print it.
    public String teamName() {
        return teamName;
    }
}
