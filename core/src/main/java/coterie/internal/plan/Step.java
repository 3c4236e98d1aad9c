// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;

/// A step of a plan. Its messages, and its tasks of layers, are in progress at the same time, in any order. After
/// all of them the member does the step's work, one action after the other.
///
/// @param messages no message is received into bytes that another message of the step sends or receives
/// @param tasks of layers that begin or end; each has bytes of its own, too
public record Step(List<Action.Message> messages, List<Action.LayerAction> tasks, List<Action.Work> work) {

    public Step {
        messages = List.copyOf(messages);
        tasks = List.copyOf(tasks);
        work = List.copyOf(work);
    }

    /// Makes a step without tasks of layers.
    public Step(List<Action.Message> messages, List<Action.Work> work) {
        this(messages, List.of(), work);
    }
}
