// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// What the runtime gives to the conduit of a world that plugs in. Threads: any.
public interface ConduitContext {
    /// Returns the job, by which the conduit finds its peers and reports those that it has lost. One job serves all
    /// worlds of a PE.
    PeJob job();

    /// Returns the value in force of a setting of the runtime, or of a module on the path of this program that has
    /// declared it by a [SettingsProvider]; empty in a test that has no settings.
    ///
    /// @param name as in `coterie info`, in upper case and without prefix, such as "LOAD_STORE"
    /// @throws IllegalArgumentException if there is no such setting, or the settings file can't be read
    default String setting(String name) {
        return "";
    }

    /// Returns how the conduit encrypts what it sends between nodes. The runtime opens no conduit without
    /// [Conduit.Capability#ENCRYPTED] where that is on.
    default Encryption encryption() {
        return Encryption.none();
    }

    /// Returns the minimum size that the runtime needs of [Conduit.Region#SYNC], the same on all PEs: addresses in
    /// plenty, of which the runtime reserves what it uses.
    long syncBytes();

    /// Returns `byteSize` zeroed bytes at a multiple of 1 GiB. The system gives them pages when the PE touches them;
    /// the runtime takes the pages back when the conduit has closed. The addresses stay mapped, as zeros; in a
    /// [HostedPe] as long as the program has the segment, the conduit, or what uses it.
    ///
    /// @param byteSize positive
    MemorySegment memory(long byteSize);

    /// Returns why PEs of this node can't touch that many more bytes of [#memory] each: one phrase with figures.
    /// Empty if they can.
    Optional<String> refusal(long byteSize);

    /// Returns whether this PE can load and store a peer's memory, once it has [#attach]ed it: both are on one
    /// node, and the setting LOAD_STORE allows it. True for the PE itself. The relation is symmetric and
    /// transitive.
    boolean isNear(int peer);

    /// Returns a description by which PEs of this node [#attach] memory of the caller: a few bytes, the same
    /// number on all PEs.
    ///
    /// @param memory from [#memory], of this world
    byte[] share(MemorySegment memory);

    /// Maps memory of a peer of this node. The addresses stay mapped when the world has ended, as those of
    /// [#memory] do.
    ///
    /// @param peer for messages
    /// @param description from the peer's [#share]
    /// @param byteSize of the peer's memory
    /// @return the address in this process
    /// @throws coterie.CoterieException if this process can't open the peer's memory
    long attach(int peer, byte[] description, long byteSize);
}
