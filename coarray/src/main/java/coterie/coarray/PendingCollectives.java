// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The collectives that this image has begun on a team since the latest statement that completes them. The end of
/// a scope and deallocate complete them: only then have all images of the team begun the same ones, and all of
/// them wait, so that no image waits for one that another image never begins.
final class PendingCollectives {
    private final Map<Completion, CoarrayBlock> live = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Set<CoarrayBlock> blocks = Collections.newSetFromMap(new IdentityHashMap<>());

    /// Notes that the images begin a collective, which may fail at once on some of them.
    void begin(CoarrayBlock block) {
        blocks.add(block);
    }

    void add(Completion completion, CoarrayBlock block) {
        live.put(completion, block);
    }

    void remove(Completion completion) {
        live.remove(completion);
    }

    /// Returns whether the images have begun any: the same on all of them if they have called the same statements.
    boolean hasBegun() {
        return !blocks.isEmpty();
    }

    /// Returns whether one is under way. Does not wait.
    boolean isUnderWay() {
        return all().stream().anyMatch(each -> !each.isDone());
    }

    /// Returns whether one that uses a block is under way. Does not wait.
    boolean isUnderWayOn(CoarrayBlock block) {
        return all().stream().anyMatch(each -> live.get(each) == block && !each.isDone());
    }

    /// Returns whether the images have begun any on one of these blocks.
    boolean hasBegunOn(Collection<CoarrayBlock> some) {
        return some.stream().anyMatch(blocks::contains);
    }

    /// Waits until all are over, and returns the first outcome that is not Ok.
    Outcome complete() {
        Outcome first = Outcome.Ok.DONE;
        for (Completion each : all()) {
            Outcome outcome = each.tryAwait();
            first = first.isOk() ? outcome : first;
        }
        clear();
        return first;
    }

    /// Gives those an outcome that are not over.
    void end(Outcome outcome) {
        all().forEach(each -> each.end(outcome));
        clear();
    }

    private List<Completion> all() {
        synchronized (live) {
            return new ArrayList<>(live.keySet());
        }
    }

    private void clear() {
        live.clear();
        blocks.clear();
    }
}
