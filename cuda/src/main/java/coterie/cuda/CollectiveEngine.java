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

    /// Ends what this member has of it. The work of all members is over. Not collective.
    void close();

    /// Ends it as [#close], when the work of this member is over, and that of others may go on. Returns false,
    /// and does nothing, if it can't yet.
    default boolean closeAlone() {
        close();
        return true;
    }
}
