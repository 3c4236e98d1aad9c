// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.memory.StatusLabel;
import coterie.internal.wait.OperationKind;
import org.jspecify.annotations.Nullable;

/// The purpose of a task, for messages, the status page and the hook of the waiting room.
///
/// @param name the task's own: "leaders", "reduce on the node"
/// @param kind the operation that it is, or is a part of
/// @param team whose operation, or null
/// @param tag the program's name of it, in quotes; empty without one
public record TaskDescription(
        String name, OperationKind kind, @Nullable StatusLabel team, String tag) {

    /// Makes the description of a task that the program has no name for.
    public TaskDescription(String name, OperationKind kind, @Nullable StatusLabel team) {
        this(name, kind, team, "");
    }

    /// Returns the description of a part of this task.
    public TaskDescription part(String partName) {
        return new TaskDescription(partName, kind, team, tag);
    }

    String text() {
        return "task \"" + name + "\""
                + (team == null ? "" : " of team \"" + team.name() + "\"")
                + (tag.isEmpty() ? "" : ", tag " + tag);
    }
}
