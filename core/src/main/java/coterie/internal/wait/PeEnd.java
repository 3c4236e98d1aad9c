// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

/// The end of a PE, which another one waits for.
///
/// @param pe the PE that is expected to end
record PeEnd(FailureReporter failures, OperationKind kind, int pe) implements Awaitable {
    @Override
    public boolean poll() {
        return failures.hasTerminated(pe);
    }

    @Override
    public int awaitedPe() {
        return pe;
    }
}
