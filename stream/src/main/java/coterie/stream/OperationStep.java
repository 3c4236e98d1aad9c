// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// How operations of a type run: a state machine, whose state is in the descriptor.
@FunctionalInterface
interface OperationStep {
    /// Advances the operation, which the first call starts, without waiting, and returns whether it is complete.
    ///
    /// @param stream whose contexts the operation goes through
    /// @throws RuntimeException that fails the operation
    boolean poll(StreamOperation operation, StreamLane stream);
}
