// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.util.Objects;

/// What a lane is, for [FaceSupport#openLog].
///
/// @param name in the ids of its operations, such as `S` in `P0.S#3`
/// @param isHost whether it is a thread of the program, and no stream
/// @param queue the hardware queue that it shares with other lanes, or −1
/// @param isDispatched whether its queue goes on once an operation has started; otherwise once it is over
/// @param slots how many operations of the PE that need a slot can run at the same time; 0 for any number
public record LaneDescription(String name, boolean isHost, int queue, boolean isDispatched, int slots) {
    public LaneDescription {
        Objects.requireNonNull(name, "LaneDescription: name is null");
    }

    /// Describes a thread of the program.
    public static LaneDescription host(String name) {
        Objects.requireNonNull(name, "LaneDescription.host: name is null");
        return new LaneDescription(name, true, -1, false, 0);
    }
}
