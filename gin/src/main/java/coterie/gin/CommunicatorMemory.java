// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.SymmetricMemory;
import coterie.Team;
import org.jspecify.annotations.Nullable;

/// The symmetric memory of a communicator: all of it, or none.
///
/// @param words of the layout
/// @param resources of the requirements, if they ask for some
record CommunicatorMemory(SymmetricMemory words, @Nullable SymmetricMemory resources) implements AutoCloseable {

    /// Allocates the memory. **Collective** over the team, agreeing: all members close what they have allocated before
    /// an exception.
    static CommunicatorMemory allocate(Team team, Layout layout) {
        SymmetricMemory words = team.allocate(layout.bytes());
        try {
            return new CommunicatorMemory(
                    words,
                    layout.resourceBytes > 0 ? team.allocate(layout.resourceBytes, layout.resourceAlignment) : null);
        } catch (Throwable e) {
            words.close();
            throw e;
        }
    }

    /// Ends its use on this rank, and waits for no other PE.
    @Override
    public void close() {
        if (resources != null) {
            resources.close();
        }
        words.close();
    }

    /// Frees it on all ranks. **Collective** over the team.
    void free() {
        try {
            if (resources != null) {
                resources.free();
            }
        } finally {
            words.free();
        }
    }
}
