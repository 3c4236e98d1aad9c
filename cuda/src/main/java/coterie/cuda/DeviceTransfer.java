// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

/// Elements of this PE's own part that go to a member, or come from one.
///
/// @param peer the other member
/// @param at the address
record DeviceTransfer(Direction direction, int peer, long at, long bytes) {
    enum Direction {
        /// the elements go to the peer
        SEND,
        /// they come from it
        RECEIVE
    }

    boolean isSend() {
        return direction == Direction.SEND;
    }

    long end() {
        return at + bytes;
    }
}
