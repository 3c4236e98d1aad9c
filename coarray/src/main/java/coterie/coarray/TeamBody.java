// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// The block of a `change team` construct.
///
/// @param <X> what it may throw
@FunctionalInterface
public interface TeamBody<X extends Throwable> {
    /// Runs with the scope's team as the current one.
    void run(TeamScope scope) throws X;
}
