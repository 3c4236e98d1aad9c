// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.util.Optional;

/// Finds the job of a process that Coterie's launcher has not started, such as one of a cluster's scheduler; a
/// service. Or the job of a [HostedPe], for which the program makes it.
///
/// A join looks for its job once in a process: the launcher's environment comes first, then the bootstraps by
/// name, and a process without a job is the only PE of its own. The setting BOOTSTRAP selects one bootstrap, or
/// none. The runtime starts no PE and stops none: the program that has started the processes does. If the thread of
/// the program's main method joins first, its return closes a world that is open.
public interface Bootstrap {
    /// Returns the name for messages and for `coterie info`, such as "pmix".
    String name();

    /// Gets the settings, before any other method but [#name].
    default void configure(BootstrapContext context) {}

    /// Returns why this process is no PE of a job that this bootstrap serves, in one phrase; empty if it is one.
    ///
    /// @throws coterie.CoterieException if this process is meant for such a job, and its description is wrong: the
    ///     join fails with this exception, since a job of its own is not what the user wants
    Optional<String> refusal();

    /// Connects this process to its job. The runtime calls it at most once, and only if there is no refusal; the
    /// job lives as long as the process.
    ///
    /// @throws coterie.CoterieException if that is impossible; the join fails with this exception
    PeJob join();
}
