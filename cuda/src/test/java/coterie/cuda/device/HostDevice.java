// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// A device whose memory is the host's, so that a producer in Java can be its kernels.
final class HostDevice implements DeviceAccess {
    /// What the device reaches without the ring.
    enum Reach {
        /// the memory of all PEs of the node
        NODE,
        /// the own part alone
        OWN
    }

    private final World world;
    private final Reach reach;
    private final Map<Long, Arena> allocations = new HashMap<>();
    private final Set<SymmetricMemory> mapped = new HashSet<>();
    private Runnable pending;
    private int polls;

    HostDevice(World world, Reach reach) {
        this.world = world;
        this.reach = reach;
    }

    @Override
    public long allocate(long byteSize) {
        Arena arena = Arena.ofShared();
        long address = arena.allocate(byteSize, 256).address();
        allocations.put(address, arena);
        return address;
    }

    @Override
    public void free(long address) {
        allocations.remove(address).close();
    }

    @Override
    public long[] map(SymmetricMemory memory) {
        mapped.add(memory);
        return IntStream.range(0, world.size())
                .mapToLong(pe -> pe != world.pe() && reach == Reach.OWN
                        ? 0
                        : memory.segment(pe).map(MemorySegment::address).orElse(0L))
                .toArray();
    }

    @Override
    public void unmap(SymmetricMemory memory) {
        mapped.remove(memory);
    }

    @Override
    public boolean hasHostAtomics() {
        return false;
    }

    @Override
    public void toDevice(MemorySegment source, long address) {
        at(address, source.byteSize()).copyFrom(source);
    }

    @Override
    public void startToDevice(MemorySegment source, long address) {
        start(() -> toDevice(source, address));
    }

    @Override
    public void startToHost(long address, MemorySegment target) {
        start(() -> target.copyFrom(at(address, target.byteSize())));
    }

    private void start(Runnable copy) {
        if (pending != null) {
            throw new IllegalStateException("a second copy begins before the end of the first");
        }
        pending = copy;
        polls = 0;
    }

    /// A copy happens at its third poll.
    @Override
    public boolean hasCopied() {
        if (pending != null && ++polls == 3) {
            pending.run();
            pending = null;
        }
        return pending == null;
    }

    /// Returns how many allocations and registrations are left.
    int leaks() {
        return allocations.size() + mapped.size();
    }

    @SuppressWarnings("restricted") // kernels have addresses
    static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
