// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// The first failure in a stream.
///
/// @param position of the failed operation in its stream
/// @param operation what it was, for messages
/// @param cause the first cause, perhaps that of another stream
record OperationFailure(long position, String operation, Throwable cause) {}
