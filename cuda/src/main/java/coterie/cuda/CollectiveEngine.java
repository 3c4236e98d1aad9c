// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

/// One way to do the collectives of [DeviceCollectives].
interface CollectiveEngine {
    /// Returns the name in the setting `COTERIE_CUDA_COLLECTIVES`.
    String name();

    /// Returns whether it can do a call: the same on all members, whose arguments agree.
    boolean serves(DeviceCall call);

    /// Returns whether the device does a call alone, so that a graph of the driver can have it.
    boolean isCapturable();

    /// Enqueues a call that it serves.
    void enqueue(DeviceCall call);

    /// Returns whether it can move what the sender and the receiver of a block know alone.
    default boolean servesExchanges() {
        return false;
    }

    /// Enqueues sends and receives, if it serves them.
    default void exchange(DeviceExchange exchange) {
        throw new AssertionError(name() + " serves no " + exchange.operation());
    }

    /// Lets failures of this PE's work come to an end before a close. Waits for no other PE.
    default void settle() {}

    /// Ends what this member has of it. The work of all members is over. Not collective.
    void close();

    /// Ends it as [#close], when the work of this member is over, and that of others may go on. Returns false, and does
    /// nothing, if it can't yet.
    default boolean closeAlone() {
        close();
        return true;
    }
}
