// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.ThreadLevel;
import coterie.internal.mapped.HeapAddresses;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.mapped.SegmentlessConduit;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SyncLayout;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Conduit;
import coterie.spi.Network;
import coterie.spi.PeJob;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The conduit of a world, as its provider has opened it.
///
/// @param name of the conduit in the setting CONDUIT; null for a simulated network, which has its own option
/// @param memory that the world releases after the conduit has closed; null if the conduit does not use it
record WorldConduit(Conduit conduit, @Nullable String name, ConduitMemory.@Nullable OfWorld memory) {

    /// The values of the setting ENCRYPTION.
    private static final List<String> ENCRYPTIONS = List.of("none", "tls");

    /// Opens the conduit that the settings select, and publishes what peers need to know of this PE.
    ///
    /// @param hashes of the settings that PEs compare
    /// @param runtimes makes a runtime for this PE before it has a conduit
    static WorldConduit open(
            WorldJob worldJob,
            @Nullable Network network,
            WorldHolder holder,
            int threshold,
            int[] hashes,
            Function<Conduit, PeRuntime> runtimes) {
        PeJob job = worldJob.job;
        long syncBytes = new SyncLayout(job.size()).bytes();
        if (network != null) {
            return new WorldConduit(network.open(syncBytes), null, null);
        }
        JobSegment segment = worldJob.segment;
        String asked = Setting.CONDUIT.value();
        if (segment != null && ConduitProviders.isBuiltIn(asked)) {
            requireAgreement(worldJob, ConduitProviders.MAPPED); // such a start loads no class of conduits that plug in
            HeapAddresses addresses = holder.heapAddresses(segment);
            return new WorldConduit(mapped(segment, job, addresses), ConduitProviders.MAPPED, null);
        }
        boolean loadsAndStores = Setting.LOAD_STORE.flag();
        ConduitMemory.OfWorld memory = holder.conduitMemory()
        .new OfWorld(job, worldJob.page, NodeConduit.near(job, loadsAndStores), syncBytes);
        String refusal = "";
        if (segment == null && ConduitProviders.isBuiltIn(asked)) {
            refusal = MappingProof.objection(job, loadsAndStores).orElse("");
            if (refusal.isEmpty()) {
                SegmentlessConduit conduit = new SegmentlessConduit(memory);
                worldJob.publish(ConduitProviders.MAPPED, threshold, hashes);
                if (worldJob.mappingRefusal() == null) {
                    prove(worldJob, conduit, memory, runtimes);
                }
                refusal = Objects.requireNonNull(worldJob.mappingRefusal(), "the proof has its result");
                if (refusal.isEmpty()) {
                    return new WorldConduit(conduit, ConduitProviders.MAPPED, memory);
                }
                memory.releaseAll();
                memory =
                        holder.conduitMemory().new OfWorld(job, worldJob.page, NodeConduit.near(job, false), syncBytes);
            }
        }
        Conduit.Provider provider = ConduitProviders.select(asked, job, refusal);
        if (segment != null) {
            requireAgreement(worldJob, provider.name());
        }
        Conduit conduit = provider.open(memory);
        worldJob.publish(encrypted(provider.name(), Setting.encryptionName()), threshold, hashes);
        return new WorldConduit(conduit, provider.name(), memory);
    }

    private static void prove(
            WorldJob worldJob,
            SegmentlessConduit conduit,
            ConduitMemory.OfWorld memory,
            Function<Conduit, PeRuntime> runtimes) {
        boolean isDone = false;
        try {
            worldJob.mappingRefusal(MappingProof.exchange(worldJob, conduit, runtimes.apply(conduit))
                    .orElse(""));
            isDone = true;
        } finally {
            if (!isDone) {
                memory.releaseAll();
            }
        }
    }

    private static Conduit mapped(JobSegment segment, PeJob job, HeapAddresses addresses) {
        BitSet near = NodeConduit.near(job, Setting.LOAD_STORE.flag());
        return near.cardinality() == segment.size()
                ? new MappedConduit(segment, job.pe(), addresses)
                : new NodeConduit(segment, job.pe(), addresses, near);
    }

    /// Waits until all PEs have opened their conduits. The mapped one of a control segment needs nothing of its peers.
    void connect(WorldJob worldJob, PeRuntime runtime) {
        if (memory == null || name == null) {
            return;
        }
        boolean isConnected = false;
        try {
            JoinFence.await(worldJob.job, runtime);
            if (worldJob.segment == null) {
                requireAgreement(worldJob, name);
            }
            if (conduit instanceof SegmentlessConduit segmentless) {
                segmentless.attachAll();
            }
            isConnected = true;
        } finally {
            if (!isConnected) {
                close();
            }
        }
    }

    /// Opens the layers of a world over this conduit.
    ///
    /// @param isFlat whether the PEs of the world synchronize all-to-all
    LayerSettings.OfWorld layers(PeJob job, ThreadLevel level, boolean isSimulated, boolean isFlat) {
        boolean isOpen = false;
        try {
            LayerSettings.OfWorld layers = LayerSettings.open(job, level, isSimulated, isFlat);
            isOpen = true;
            return layers;
        } finally {
            if (!isOpen) {
                close();
            }
        }
    }

    /// Tells other processes of this machine how to read this PE's heap, which the conduit has made.
    ///
    /// @param address of the heap
    void publishHeap(long address) {
        if (memory != null) {
            memory.publishHeap(address);
        }
    }

    /// Ends a conduit that no world uses.
    void close() {
        conduit.close();
        if (memory != null) {
            memory.releaseAll();
        }
    }

    /// Returns what PEs compare: the conduit and, where it connects hosts, how it encrypts.
    private static String encrypted(String conduit, String encryption) {
        return conduit.equals(ConduitProviders.MAPPED) || encryption.equals(Setting.ENCRYPTION.byDefault())
                ? conduit
                : conduit + "+" + encryption;
    }

    /// @throws IllegalArgumentException if PEs of the job would use different conduits, or encrypt differently
    private static void requireAgreement(WorldJob worldJob, String name) {
        String mine = encrypted(name, Setting.encryptionName());
        if (!worldJob.agreesOnConduit(mine)) {
            for (String other : ENCRYPTIONS) {
                if (!encrypted(name, other).equals(mine) && worldJob.agreesOnConduit(encrypted(name, other))) {
                    throw new IllegalArgumentException("setting ENCRYPTION (from " + Setting.ENCRYPTION.origin()
                            + "): it is " + Setting.encryptionName() + " on PE " + worldJob.job.pe() + ", but "
                            + other + " on the PE that has joined first; set the same value on all PEs");
                }
            }
            throw new IllegalArgumentException("setting " + Setting.CONDUIT.name() + " (from "
                    + Setting.CONDUIT.origin() + "): it selects " + name + " on PE " + worldJob.job.pe()
                    + ", but another conduit on the PE that has joined first; set the same value on all PEs, and keep"
                    + " it as long as the job lives");
        }
    }
}
