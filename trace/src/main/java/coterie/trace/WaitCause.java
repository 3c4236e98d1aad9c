// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

/// What has ended a wait.
///
/// @param waiter the number of the waiting operation in the merged trace
/// @param cause the number of the operation that has ended it: an update of the awaited word, or the arrival of the
///     last member
/// @param nanos for how long the waiter waited for it; 0 if it came before the wait
record WaitCause(int waiter, int cause, long nanos) {}
