// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.CoterieException;
import coterie.internal.mapped.MemoryLimit;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.AddressSpace;
import coterie.internal.posix.Libc;
import coterie.internal.posix.Uninterruptibly;
import coterie.spi.ConduitContext;
import coterie.spi.Encryption;
import coterie.spi.PeJob;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Memory of the conduits that plug in, one world after another. The addresses of a PE that is a process or a
/// group of its threads stay mapped and serve later worlds, since addresses would run out. Those of a
/// [HostedWorld] go as soon as the program has nothing any more that leads to them; until then they are zeros.
///
/// A block is a memfd, which the PEs of the node open through `/proc/<pid>/fd/<n>` where the conduit shares it.
/// A number in the file's name tells it from a file that another process has under the same numbers, such as a
/// process in another container.
final class ConduitMemory {
    /// So that an offset in the memory is aligned as its address is.
    private static final long ALIGNMENT = 1L << 30;

    private static final String NAME = "coterie-conduit-";
    private static final int SHARED_BYTES = 2 * Long.BYTES + Integer.BYTES + Long.BYTES;

    /// Addresses that no world uses, mapped as zeros: of blocks, which are aligned, and of blocks of peers.
    private final List<MemorySegment> free = new ArrayList<>();

    private final List<MemorySegment> freeOfPeers = new ArrayList<>();

    private final SecureRandom random = new SecureRandom();

    private final @Nullable Arena collected;

    private final List<OfWorld> worlds = new ArrayList<>();

    /// @param collected of whose segments all mappings are parts, and which a collector ends; null for mappings
    ///     that stay
    ConduitMemory(@Nullable Arena collected) {
        this.collected = collected;
    }

    /// Gives back what a join has taken that did not end well.
    void releaseAll() {
        List<OfWorld> all;
        synchronized (this) {
            all = List.copyOf(worlds);
            worlds.clear();
        }
        all.forEach(OfWorld::releaseAll);
    }

    private synchronized void add(OfWorld world) {
        if (collected != null) {
            worlds.add(world);
        }
    }

    /// A block of this PE.
    ///
    /// @param number in the name of its file
    private record Block(MemorySegment memory, int descriptor, long number) {}

    private Block make(long byteSize) {
        long number = random.nextLong();
        int descriptor = Libc.memfd(name(number), byteSize);
        long mapped = Libc.mapShared(descriptor, byteSize, ALIGNMENT);
        return new Block(place(mapped, byteSize, free), descriptor, number);
    }

    private static String name(long number) {
        return NAME + Long.toHexString(number);
    }

    /// Moves a fresh mapping to addresses that no world uses any more, if there are any.
    private synchronized MemorySegment place(long mapped, long byteSize, List<MemorySegment> from) {
        if (collected != null) {
            return AddressSpace.mapping(mapped, byteSize, collected);
        }
        for (Iterator<MemorySegment> each = from.iterator(); each.hasNext(); ) {
            MemorySegment unused = each.next();
            if (unused.byteSize() == byteSize) {
                each.remove();
                Libc.move(mapped, byteSize, unused.address());
                return unused;
            }
        }
        return AddressSpace.ALL.asSlice(mapped, byteSize);
    }

    private synchronized void release(MemorySegment memory, List<MemorySegment> to) {
        Libc.blank(memory.address(), memory.byteSize());
        if (collected == null) {
            to.add(memory);
        }
    }

    /// The memory of one world, and what its conduit knows of the job.
    final class OfWorld implements ConduitContext {
        private final PeJob job;
        private final StatusPage page;
        private final BitSet near;
        private final long syncBytes;
        private final List<Block> blocks = new ArrayList<>();
        private final List<MemorySegment> attached = new ArrayList<>();

        /// @param page of this PE
        /// @param near the PEs whose memory this PE may load and store
        OfWorld(PeJob job, StatusPage page, BitSet near, long syncBytes) {
            this.job = job;
            this.page = page;
            this.near = near;
            this.syncBytes = syncBytes;
            add(this);
        }

        @Override
        public PeJob job() {
            return job;
        }

        @Override
        public String setting(String name) {
            return Worlds.setting(name);
        }

        @Override
        public Encryption encryption() {
            return Setting.encryption();
        }

        @Override
        public long syncBytes() {
            return syncBytes;
        }

        @Override
        public synchronized MemorySegment memory(long byteSize) {
            if (byteSize <= 0) {
                throw new IllegalArgumentException("memory of a conduit on PE " + job.pe() + ": " + byteSize
                        + " bytes; the size must be positive");
            }
            Block block = make(byteSize);
            blocks.add(block);
            return block.memory;
        }

        @Override
        public Optional<String> refusal(long byteSize) {
            return MemoryLimit.tightest().refusal(byteSize, byteSize * job.size(), job.size());
        }

        @Override
        public boolean isNear(int peer) {
            return near.get(peer);
        }

        @Override
        public synchronized byte[] share(MemorySegment memory) {
            for (Block block : blocks) {
                if (block.memory.equals(memory)) {
                    return ByteBuffer.allocate(SHARED_BYTES)
                            .putLong(ProcessHandle.current().pid())
                            .putInt(block.descriptor)
                            .putLong(block.number)
                            .putLong(memory.address())
                            .array();
                }
            }
            throw new IllegalArgumentException(
                    "share on PE " + job.pe() + ": " + memory + " is no memory of this world's conduit");
        }

        @Override
        public synchronized long attach(int peer, byte[] description, long byteSize) {
            ByteBuffer shared = ByteBuffer.wrap(description);
            long process = shared.getLong();
            Path file = Path.of("/proc/" + process + "/fd/" + shared.getInt());
            String name = name(shared.getLong());
            try {
                if (!Files.readSymbolicLink(file).toString().contains(name)) {
                    throw new IOException("it is another file");
                }
                if (collected == null && process == ProcessHandle.current().pid()) {
                    return shared.getLong(); // PEs are threads of one process, whose mappings stay
                }
                MemorySegment memory = place(map(file, byteSize), byteSize, freeOfPeers);
                attached.add(memory);
                return memory.address();
            } catch (IOException e) {
                throw new CoterieException(
                        "PE " + job.pe() + ": can't map memory of PE " + peer + ", which is on the same node, at "
                                + file + "; if the two are in different containers, set COTERIE_LOAD_STORE=false",
                        e);
            }
        }

        private static long map(Path file, long byteSize) throws IOException {
            return Uninterruptibly.call(() -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    return channel.map(MapMode.READ_WRITE, 0, byteSize, Arena.global())
                            .address();
                }
            });
        }

        /// Tells the status page which file has the heap, if the conduit took the heap from here.
        synchronized void publishHeap(long address) {
            for (Block block : blocks) {
                if (block.memory.address() == address) {
                    page.set(StatusField.HEAP_FILE, 1L + block.descriptor);
                }
            }
        }

        /// Gives the pages back, after the conduit has closed.
        synchronized void releaseAll() {
            page.set(StatusField.HEAP_FILE, 0);
            for (Block block : blocks) {
                release(block.memory, free);
                Libc.close(block.descriptor);
            }
            blocks.clear();
            attached.forEach(memory -> release(memory, freeOfPeers));
            attached.clear();
        }
    }
}
