// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The use of a PE's symmetric heap.
///
/// @param byteSize bytes of the heap
/// @param usedBytes bytes in blocks that the PE has not closed, with their rounding, and in scratch memory of
///     collectives that go through a conduit; the staging memory of [ArrayCollectives] is a block
/// @param peakBytes the highest number of bytes in use so far, with those of blocks that other PEs had not closed
/// @param blocks blocks that the PE has allocated and not closed
/// @param largestFreeBytes the largest block that fits now, with the smallest alignment; blocks that other PEs
///     have not closed take room
public record HeapStatistics(long byteSize, long usedBytes, long peakBytes, int blocks, long largestFreeBytes) {}
