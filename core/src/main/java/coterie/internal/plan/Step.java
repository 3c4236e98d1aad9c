// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;

/// A step of a plan: its messages travel at the same time and in any order; when all have, its work is done, one
/// after the other.
///
/// @param messages of which none is received into bytes that another one of them sends or receives
public record Step(List<Action.Message> messages, List<Action.Work> work) {

    public Step {
        messages = List.copyOf(messages);
        work = List.copyOf(work);
    }
}
