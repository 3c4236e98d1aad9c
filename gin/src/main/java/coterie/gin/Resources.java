// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// What a [ResourceRequirement] has got.
/// @counterpart `ncclDevResourceHandle`, `ncclGinBarrierHandle`
/// @param byteOffset where its memory begins in [DeviceCommunicator#resourceWindow]
/// @param firstSignal the id of its first signal
/// @param signals the number of its signals
/// @param firstCounter the id of its first counter
/// @param counters the number of its counters
public record Resources(long byteOffset, int firstSignal, int signals, int firstCounter, int counters) {}
