// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.fake;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Memory of a device: files that several processes map, so that handles between processes work. An address of the
/// device is that of the processor plus [#BIAS], so that code that mixes up the two fails.
@SuppressWarnings("restricted")
final class FakeMemory {
    static final long BIAS = 1L << 56;

    private static final long HEADER_BYTES = 4096;
    private static final long HANDLE_MAGIC = 0x636f74657269654dL;
    private static final VarHandle WORD = JAVA_LONG.varHandle();
    private static final AtomicLong NAMES = new AtomicLong();

    /// What the device has of addresses in this process: begins and ends. PEs that are threads have classes of
    /// their own, so that they share objects of the JDK alone.
    @SuppressWarnings("unchecked")
    private final ConcurrentNavigableMap<Long, Long> ranges = (ConcurrentNavigableMap<Long, Long>)
            System.getProperties().computeIfAbsent("coterie.test.fake.ranges", _ -> new ConcurrentSkipListMap<>());

    /// Begins and ends of the pages of the host that the process has registered, in whichever class loader: a
    /// driver has one table for the process.
    private final ConcurrentNavigableMap<Long, Long> registered = registered();

    private final Map<Long, Block> allocated = new ConcurrentHashMap<>();
    private final Map<Long, Block> opened = new ConcurrentHashMap<>();
    private final AtomicLong used = new AtomicLong();
    private final long bytes;

    /// Something that the program did wrong, and that a driver would not report.
    private final Consumer<String> violations;

    @SuppressWarnings("unchecked")
    private static ConcurrentNavigableMap<Long, Long> registered() {
        return (ConcurrentNavigableMap<Long, Long>) System.getProperties()
                .computeIfAbsent("coterie.test.fake.registered", _ -> new ConcurrentSkipListMap<>());
    }

    FakeMemory(long bytes, Consumer<String> violations) {
        this.bytes = bytes;
        this.violations = violations;
    }

    /// @param segment the header, whose first word counts the processes that have the block open, and the bytes
    private record Block(Path file, MemorySegment segment, Arena arena, AtomicLong uses) {
        long pointer() {
            return segment.address() + HEADER_BYTES + BIAS;
        }

        long end() {
            return segment.address() + segment.byteSize() + BIAS;
        }
    }

    long allocate(long size) {
        if (size <= 0 || size > bytes - used.get()) {
            return size <= 0 ? -1 : -2;
        }
        Path folder = Files.isWritable(Path.of("/dev/shm"))
                ? Path.of("/dev/shm")
                : Path.of(System.getProperty("java.io.tmpdir"));
        Path file = folder.resolve("coterie-fake-" + ProcessHandle.current().pid() + "-" + System.identityHashCode(this)
                + "-" + NAMES.getAndIncrement());
        Block block = map(file, HEADER_BYTES + size, true);
        file.toFile().deleteOnExit(); // a driver frees what a process leaves
        block.segment.asSlice(HEADER_BYTES).fill((byte) 0x5a); // not zero, as memory of a device
        used.addAndGet(size);
        allocated.put(block.pointer(), block);
        ranges.put(block.pointer(), block.end());
        return block.pointer();
    }

    private static Block map(Path file, long size, boolean isNew) {
        Arena arena = Arena.ofShared();
        try (FileChannel channel = isNew
                ? FileChannel.open(
                        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)
                : FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Block(
                    file, channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena), arena, new AtomicLong(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int free(long pointer) {
        Block block = allocated.remove(pointer);
        if (block == null) {
            return 1;
        }
        long users = (long) WORD.getVolatile(block.segment, 0L);
        if (users != 0) {
            violations.accept("memory freed while " + users + " handles are open");
        }
        used.addAndGet(-(block.segment.byteSize() - HEADER_BYTES));
        ranges.remove(pointer);
        block.arena.close();
        try {
            Files.delete(block.file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return 0;
    }

    int handle(MemorySegment handle, long pointer) {
        Block block = allocated.get(pointer);
        if (block == null) {
            return 1;
        }
        handle.fill((byte) 0);
        handle.set(JAVA_LONG, 0, HANDLE_MAGIC);
        handle.set(JAVA_LONG, 8, block.segment.byteSize());
        handle.setString(16, block.file.getFileName().toString());
        return 0;
    }

    /// @param handle 64 bytes
    long open(MemorySegment handle) {
        if (handle.get(JAVA_LONG_UNALIGNED, 0) != HANDLE_MAGIC) {
            return -1;
        }
        String name = handle.getString(16);
        for (Block mine : allocated.values()) {
            if (mine.file.getFileName().toString().equals(name)) {
                return -1; // a process can't open its own
            }
        }
        for (Block before : opened.values()) {
            if (before.file.getFileName().toString().equals(name)) {
                before.uses.incrementAndGet();
                return before.pointer();
            }
        }
        Path shared = Path.of("/dev/shm").resolve(name);
        Path file = Files.exists(shared)
                ? shared
                : Path.of(System.getProperty("java.io.tmpdir")).resolve(name);
        if (!Files.exists(file)) {
            return -1;
        }
        Block block = map(file, handle.get(JAVA_LONG_UNALIGNED, 8), false);
        WORD.getAndAdd(block.segment, 0L, 1L);
        opened.put(block.pointer(), block);
        ranges.put(block.pointer(), block.end());
        return block.pointer();
    }

    int closeHandle(long pointer) {
        Block block = opened.get(pointer);
        if (block == null) {
            return 1;
        }
        if (block.uses.decrementAndGet() == 0) {
            opened.remove(pointer);
            ranges.remove(pointer);
            WORD.getAndAdd(block.segment, 0L, -1L);
            block.arena.close();
        }
        return 0;
    }

    int register(long address, long size) {
        if (address % 4096 != 0 || size % 4096 != 0) {
            violations.accept("registration of parts of pages");
        }
        for (Map.Entry<Long, Long> each : registered.entrySet()) {
            if (each.getKey() < address + size && address < each.getValue()) {
                return 712;
            }
        }
        registered.put(address, address + size);
        ranges.put(address + BIAS, address + BIAS + size);
        return 0;
    }

    int unregister(long address) {
        if (registered.remove(address) == null) {
            return 713;
        }
        ranges.remove(address + BIAS);
        return 0;
    }

    long devicePointer(long address) {
        return registered.containsKey(address) ? address + BIAS : -1;
    }

    /// Returns the bytes at an address of the device, or null if the device does not have all of them.
    @Nullable
    MemorySegment at(long pointer, long size) {
        Map.Entry<Long, Long> range = ranges.floorEntry(pointer);
        if (range == null || pointer + size > range.getValue()) {
            return null;
        }
        return MemorySegment.ofAddress(pointer - BIAS).reinterpret(size);
    }

    static MemorySegment host(long address, long size) {
        return MemorySegment.ofAddress(address).reinterpret(size);
    }

    static byte[] bytes(MemorySegment segment) {
        return segment.toArray(JAVA_BYTE);
    }

    long freeBytes() {
        return bytes - used.get();
    }

    long allBytes() {
        return bytes;
    }

    int allocations() {
        return allocated.size();
    }

    int handles() {
        return opened.size();
    }

    static int registrations() {
        return registered().size();
    }

    /// Returns whether copies from or to memory of the host run beside it.
    boolean isPinned(long address, long size) {
        Map.Entry<Long, Long> range = registered.floorEntry(address);
        return range != null && address + size <= range.getValue();
    }
}
