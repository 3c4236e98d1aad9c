// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import coterie.CoterieException;
import coterie.internal.mapped.HeapAddresses.Mapping;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.posix.Libc;
import coterie.internal.posix.Uninterruptibly;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The conduit within a node: every PE has every other's heap mapped, and a put is a store.
///
/// A heap is an anonymous file in memory (a memfd) that peers open through `/proc/<pid>/fd/<n>`. It has addresses
/// for the whole heap and pages only where an allocation has reserved them. Remote places are addresses of this
/// process, so that callers that can load and store never come here; the operations exist for those that are told
/// not to.
public class MappedConduit implements Conduit {
    /// What my own heap's address is a multiple of, so that an offset is aligned as its address is.
    private static final long ALIGNMENT = 1L << 30;

    /// The smallest page there is: rounding to it never claims more than the kernel has given.
    private static final long PAGE = 4096;

    private static final Set<Capability> ALL = Set.of(Capability.values());

    private final JobSegment job;
    private final int me;
    private final HeapAddresses addresses;
    private final long[] heaps;
    private final @Nullable Mapping[] mappings;
    private long heapBytes;
    private int descriptor = -1;

    /// Every page before it is reserved. Blocks come from the bottom and pages stay when a block goes, so that
    /// this says for most of them that they have what they need, without asking the kernel.
    private long reserved;

    /// @param me this PE's number in the job
    /// @param addresses of the heaps in this JVM, from world to world
    public MappedConduit(JobSegment job, int me, HeapAddresses addresses) {
        this.job = job;
        this.me = me;
        this.addresses = addresses;
        this.heaps = new long[job.size()];
        this.mappings = new Mapping[job.size()];
    }

    @Override
    public String name() {
        return "mapped";
    }

    @Override
    public byte[] createHeap(long byteSize) {
        heapBytes = byteSize;
        descriptor = Libc.memfd("coterie-heap-" + me, byteSize);
        job.status(me).set(StatusField.HEAP_FILE, 1L + descriptor);
        use(me, addresses.add(me, Libc.mapShared(descriptor, byteSize, ALIGNMENT), byteSize));
        return ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(ProcessHandle.current().pid())
                .putInt(descriptor)
                .array();
    }

    @Override
    public void attachHeap(int peer, byte[] description) {
        if (peer == me) {
            return;
        }
        ByteBuffer owner = ByteBuffer.wrap(description);
        Path file = Path.of("/proc/" + owner.getLong() + "/fd/" + owner.getInt());
        Mapping shared = addresses.share(peer);
        use(peer, shared != null ? shared : addresses.add(peer, map(peer, file), heapBytes));
    }

    private long map(int peer, Path file) {
        try {
            return Uninterruptibly.call(() -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    return channel.map(MapMode.READ_WRITE, 0, heapBytes, Arena.global())
                            .address();
                }
            });
        } catch (IOException e) {
            throw new CoterieException(
                    "allocate on PE " + me + ": can't map the heap of PE " + peer + " at " + file, e);
        }
    }

    private void use(int peer, Mapping mapping) {
        mappings[peer] = mapping;
        heaps[peer] = mapping.address;
    }

    @Override
    public long syncBytes() {
        return job.syncBytes();
    }

    @Override
    public Optional<String> reserve(Region region, long offset, long length) {
        return region == Region.SYNC ? job.reserveSync(me, offset, length) : reserveHeap(offset, length);
    }

    private Optional<String> reserveHeap(long offset, long length) {
        long start = Math.max(reserved, offset & -PAGE);
        long end = Math.min(heapBytes, offset + length + PAGE - 1 & -PAGE);
        if (start >= end) {
            return Optional.empty();
        }
        Optional<String> refusal = memoryLimit().refusal(length, (end - start) * job.size(), job.size());
        if (refusal.isPresent()) {
            return refusal;
        }
        int error = Libc.allocatePages(descriptor, start, end - start);
        if (error != 0) {
            return Optional.of(MemoryLimit.mebibytes(length) + ": fallocate failed with error " + error);
        }
        if (start == reserved) {
            reserved = end;
        }
        return Optional.empty();
    }

    /// What limits the pages that can be had now.
    MemoryLimit memoryLimit() {
        return MemoryLimit.tightest();
    }

    @Override
    public long localBase(Region region) {
        return region == Region.SYNC ? job.syncBase(me) : heaps[me];
    }

    @Override
    public long directBase(Region region, int peer) {
        return region == Region.SYNC ? job.syncBase(peer) : heaps[peer];
    }

    @Override
    public long remoteBase(Region region, int peer) {
        return region == Region.SYNC ? job.syncBase(peer) : heaps[peer];
    }

    @Override
    public Set<Capability> capabilities() {
        return ALL;
    }

    @Override
    public Channel openChannel() {
        return MappedChannel.INSTANCE;
    }

    /// Operations are complete when they return.
    @Override
    public boolean isQuiet() {
        return true;
    }

    @Override
    public void close() {
        if (descriptor < 0) {
            return;
        }
        for (int peer = 0; peer < heaps.length; peer++) {
            Mapping mapping = mappings[peer];
            if (mapping != null) {
                addresses.release(mapping, heapBytes);
                mappings[peer] = null;
                heaps[peer] = 0;
            }
        }
        job.status(me).set(StatusField.HEAP_FILE, 0);
        Libc.close(descriptor);
        descriptor = -1;
    }
}
