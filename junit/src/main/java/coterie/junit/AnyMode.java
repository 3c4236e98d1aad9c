// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.lang.reflect.Method;
import java.util.Optional;

/// Names tests whose law is the same in every mode, such as those of arguments that are refused. Where the system
/// property `coterie.junit.few` is a number, each of them runs once: in mode [SpmdMode#THREADS], or else in the first
/// mode that the run has for it, with the number of PEs that mode [SpmdMode#PROCESSES] would have. It is a service
/// that [java.util.ServiceLoader] finds.
@FunctionalInterface
public interface AnyMode {

    /// Why the mode can't matter to a test, or empty where it can.
    ///
    /// @param test that has [SpmdTest], as its class declares it
    Optional<String> reason(Method test);
}
