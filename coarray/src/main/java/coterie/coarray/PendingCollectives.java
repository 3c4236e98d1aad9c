// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The collectives that this image has begun on a team since the latest statement that completes them. The end of
/// a scope, deallocate and close complete them: only then have all images of the team begun the same ones, and all of
/// them wait, so that no image waits for one that another image never begins.
final class PendingCollectives {
    private final Set<Completion> live = Collections.synchronizedSet(new LinkedHashSet<>());
    private final Set<CoarrayBlock> blocks = Collections.newSetFromMap(new IdentityHashMap<>());

    /// Notes that the images begin a collective, which may fail at once on some of them.
    void begin(CoarrayBlock block) {
        blocks.add(block);
    }

    void add(Completion completion) {
        live.add(completion);
    }

    void remove(Completion completion) {
        live.remove(completion);
    }

    /// Returns whether the images have begun any: the same on all of them if they have called the same statements.
    boolean hasBegun() {
        return !blocks.isEmpty();
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
            return new ArrayList<>(live);
        }
    }

    private void clear() {
        live.clear();
        blocks.clear();
    }
}
