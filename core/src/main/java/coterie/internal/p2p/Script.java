// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.plan.Action;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Step;
import java.util.List;

/// A plan as a task follows it: its messages, which know how far they are in the run, and the work of each step.
final class Script {
    final Plan plan;
    final Letter[][] letters;
    final Action.Work[][] work;

    /// Messages of the step that has most.
    final int most;

    Script(Plan plan, Members members) {
        this.plan = plan;
        List<Step> steps = plan.steps();
        this.letters = new Letter[steps.size()][];
        this.work = new Action.Work[steps.size()][];
        int longest = 0;
        for (int each = 0; each < letters.length; each++) {
            Step one = steps.get(each);
            letters[each] = one.messages().stream()
                    .map(message -> letter(message, members))
                    .toArray(Letter[]::new);
            work[each] = one.work().toArray(Action.Work[]::new);
            longest = Math.max(longest, letters[each].length);
        }
        this.most = longest;
    }

    private static Letter letter(Action.Message message, Members members) {
        int member = message.member();
        int size = members.size();
        if (member < 0 || member >= size || member == members.me()) {
            throw new IllegalArgumentException("plan of member " + members.me() + ": " + message
                    + " is not to or from another member of [0, " + size + ")");
        }
        return new Letter(message);
    }
}
