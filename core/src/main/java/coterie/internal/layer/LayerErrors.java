// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.CoterieException;
import java.util.ServiceConfigurationError;

/// What layers throw. Whatever that is, it is their failure and ends nothing but their part, unless the JVM itself
/// has come to an end of something.
public final class LayerErrors {
    private LayerErrors() {}

    /// Throws on what is no failure of a layer, such as exhausted memory. Of endless recursion a layer may well be
    /// the cause, and nothing is left of it.
    public static void passOnFatal(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            throw fatal;
        }
    }

    /// For people: what has happened, without what only wraps it.
    public static String reason(Throwable thrown) {
        Throwable cause = thrown.getCause();
        boolean isWrapper =
                thrown instanceof ServiceConfigurationError || thrown instanceof ExceptionInInitializerError;
        if (isWrapper && cause != null) {
            return reason(cause);
        }
        String message = thrown.getMessage();
        boolean saysAll = thrown instanceof CoterieException || thrown instanceof ServiceConfigurationError;
        return saysAll && message != null ? message : thrown.toString();
    }
}
