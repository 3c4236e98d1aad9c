// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Callbacks of a program, each of which runs once, the latest first. One that throws does not stop the others.
final class Callbacks {
    private final Deque<Runnable> registered = new ArrayDeque<>();

    void add(Runnable callback) {
        registered.push(callback);
    }

    /// Runs the callbacks. An image that ends in one runs no further.
    void run(ImageRuntime runtime, Thrown thrown) {
        while (!registered.isEmpty()) {
            try {
                registered.pop().run();
            } catch (ImageEnd e) {
                throw e;
            } catch (RuntimeException | Error e) {
                if (runtime.hasFailed()) {
                    throw e;
                }
                thrown.add(e);
            }
        }
    }

    /// What callbacks have thrown.
    static final class Thrown {
        private final List<Throwable> throwables = new ArrayList<>();

        void add(Throwable throwable) {
            throwables.add(throwable);
        }

        /// Adds the exception of the outcome, if there is another one, which would hide it.
        void addOutcome(String operation, Outcome outcome) {
            if (!throwables.isEmpty() && !outcome.isOk()) {
                throwables.add(StatementException.of(operation, outcome));
            }
        }

        /// Adds them as suppressed to what has ended the work before.
        void addTo(Throwable reason) {
            throwables.stream().filter(each -> !each.equals(reason)).forEach(reason::addSuppressed);
        }

        /// Throws the first, with the others as suppressed, if there is one.
        void rethrow() {
            if (throwables.isEmpty()) {
                return;
            }
            Throwable first = throwables.getFirst();
            throwables.stream().skip(1).filter(each -> !each.equals(first)).forEach(first::addSuppressed);
            if (first instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) first;
        }
    }
}
