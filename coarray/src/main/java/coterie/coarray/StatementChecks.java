// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import org.jspecify.annotations.Nullable;

/// Checks of what a program passes to statements. Messages begin with the statement and the image.
final class StatementChecks {
    private StatementChecks() {}

    /// Returns the first words of a message; without the image where the calling thread has no current team.
    static String prefix(String operation) {
        return Images.CURRENT.isBound() ? Images.CURRENT.get().runtime().prefix(operation) : operation + ": ";
    }

    /// Returns the argument; throws if it is null.
    static <T> T notNull(@Nullable T argument, String operation, String parameter) {
        if (argument == null) {
            throw new NullPointerException(prefix(operation) + parameter + " is null");
        }
        return argument;
    }

    /// Throws if a range leaves an array.
    static void range(String operation, Coarray a, long index, long count) {
        if (index < 0 || count < 0 || count > a.length() - index) {
            throw new IndexOutOfBoundsException(prefix(operation) + count + " elements from " + index
                    + " are outside [0, " + a.length() + ") of " + a);
        }
    }
}
