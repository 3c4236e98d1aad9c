// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The use of a PE's symmetric heap.
///
/// @param byteSize bytes of the heap
/// @param usedBytes bytes in blocks, with their rounding, and in scratch memory of collectives that go through a
///     conduit
/// @param peakBytes the highest number of bytes in use so far
/// @param blocks blocks allocated now
/// @param largestFreeBytes the largest block that fits now, with the smallest alignment
public record HeapStatistics(long byteSize, long usedBytes, long peakBytes, int blocks, long largestFreeBytes) {}
