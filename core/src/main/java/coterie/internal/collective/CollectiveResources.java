// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.layer.Components;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import java.util.function.IntUnaryOperator;

/// What the collectives of all teams of a world work with.
///
/// @param components the layers that plug in
/// @param nodes the node of each PE
/// @param lines memory in my sync area, zeroed, that others can write to
/// @param scratch memory in my heap that others can write to
public record CollectiveResources(
        ComponentRegistry registry,
        Components components,
        ProgressEngine engine,
        Conduit conduit,
        WaitingRoom room,
        IntUnaryOperator nodes,
        ScratchMemory lines,
        ScratchMemory scratch) {

    /// Memory of mine. For any thread.
    public interface ScratchMemory {
        /// Takes bytes.
        ///
        /// @return where they begin, or −1 if there are not as many
        long acquire(long bytes);

        /// Gives back what was taken, to which nobody writes any more.
        void release(long offset, long bytes);
    }
}
