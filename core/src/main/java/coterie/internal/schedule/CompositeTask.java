// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A task whose work is that of its parts, which it starts, ends and finalises. The first failure of a part is its own.
abstract sealed class CompositeTask extends Task permits Schedule, Pipeline {

    CompositeTask(ProgressEngine engine, TaskDescription description, Persistence persistence) {
        super(engine, description, persistence);
    }

    /// Returns the parts in their order.
    public abstract List<Task> parts();

    /// Throws what a part has failed with.
    static void check(Task part) {
        RuntimeException failure = part.failure();
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    protected final void stop(RuntimeException why) {
        @Nullable RuntimeException thrown = null;
        for (Task part : parts()) {
            try {
                part.abandon(this, why);
            } catch (RuntimeException e) {
                if (thrown == null) {
                    thrown = e;
                } else {
                    suppress(thrown, e);
                }
            }
        }
        if (thrown != null) {
            throw thrown;
        }
    }

    @Override
    protected final void release() {
        parts().forEach(Task::dispose);
    }

    /// Each part answers for itself.
    @Override
    protected final @Nullable RuntimeException lost() {
        return null;
    }
}
