// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

/// The end of a PE, which another one waits for.
///
/// @param pe the PE that is expected to end
record PeEnd(WaitingRoom room, OperationKind kind, int pe) implements Awaitable {
    @Override
    public boolean poll() {
        return room.hasTerminated(pe);
    }

    @Override
    public int awaitedPe() {
        return pe;
    }
}
