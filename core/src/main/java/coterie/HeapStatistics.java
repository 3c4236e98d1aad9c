// SPDX-License-Identifier: Apache-2.0
package coterie;

/// How a PE's symmetric heap is used.
///
/// @param byteSize bytes of the heap
/// @param usedBytes bytes in blocks, their rounding included; also what collectives of teams work in, where they
///     go through a conduit
/// @param peakBytes the most that were in use at once
/// @param blocks blocks allocated now
/// @param largestFreeBytes the longest block that could be had now, with the least alignment
public record HeapStatistics(long byteSize, long usedBytes, long peakBytes, int blocks, long largestFreeBytes) {}
