// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// The block of a `change team` construct that has a result.
///
/// @param <R> the result
/// @param <X> what it may throw
@FunctionalInterface
public interface TeamFunction<R, X extends Throwable> {
    /// Runs with the scope's team as the current one.
    R apply(TeamScope scope) throws X;
}
