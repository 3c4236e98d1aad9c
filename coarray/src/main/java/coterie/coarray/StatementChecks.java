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

    /// Returns the exception for an index that leaves a coarray.
    static IndexOutOfBoundsException outside(String operation, Coarray a, long index) {
        return new IndexOutOfBoundsException(
                prefix(operation) + "index " + index + " is outside [0, " + a.length() + ") of " + a);
    }

    /// Throws if elements leave a segment or an array.
    static void part(String operation, String what, long length, long offset, long count) {
        if (offset < 0 || count < 0 || count > length - offset) {
            throw new IndexOutOfBoundsException(prefix(operation) + count + " elements from " + offset
                    + " are outside [0, " + length + ") of the " + what);
        }
    }

    /// Throws if a range leaves a coarray.
    static void range(String operation, Coarray a, long index, long count) {
        if (index < 0 || count < 0 || count > a.length() - index) {
            throw new IndexOutOfBoundsException(prefix(operation) + count + " elements from " + index
                    + " are outside [0, " + a.length() + ") of " + a);
        }
    }
}
