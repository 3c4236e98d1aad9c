// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// A word of symmetric memory that a PE waits for.
///
/// @param pe whose it is
/// @param offset in bytes, from the begin of the PE's symmetric memory
/// @param width its bytes: 1, 2, 4 or 8
/// @param isUnsigned whether it is compared without a sign
public record RecordedWord(int pe, long offset, int width, boolean isUnsigned) {}
