// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static coterie.cuda.device.DeviceLayouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cuda.DeviceTeamOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// What a member's kernels read of their team: a `coterie_team` and all that it points to, in one piece of device
/// memory, whose address is in it.
///
/// ```
///  coterie_team │ counters │ rounds │ counted │ shadows │ blocks │ for each block: bases, atomics │ pes
///                ◄──── the device writes, zero at first ────►
/// ```
final class DeviceTeamImage {
    private static final long COUNTERS = ControlLayout.lines(DeviceLayouts.TEAM.byteSize());
    private static final long ROUNDS = COUNTERS + DeviceLayouts.COUNTERS.byteSize();

    private final DeviceTeamOptions options;
    private final List<DeviceBlock> blocks;
    private final int[] pes;
    private final long counted;
    private final long shadows;
    private final long memories;
    private final long tables;
    private final long numbers;

    /// @param blocks by number; block 0 is the symmetric part of the control block
    /// @param pes the members' numbers in the world
    DeviceTeamImage(DeviceTeamOptions options, List<DeviceBlock> blocks, int[] pes) {
        this.options = options;
        this.blocks = List.copyOf(blocks);
        this.pes = pes.clone();
        this.counted = ROUNDS + (long) options.barriers() * Long.BYTES;
        this.shadows = counted + (long) options.contexts() * options.counters() * Long.BYTES;
        this.memories = shadows + (long) options.contexts() * options.signals() * Long.BYTES;
        this.tables = memories + blocks.size() * DeviceLayouts.MEMORY.byteSize();
        this.numbers = tables + 2L * blocks.size() * pes.length * Long.BYTES;
    }

    long byteSize() {
        return numbers + (long) pes.length * Integer.BYTES;
    }

    /// Returns the bytes of the image for an address.
    ///
    /// @param address where kernels find the image
    /// @param control where kernels find this member's control block
    /// @param member the caller's number in the team
    MemorySegment bytes(Arena arena, long address, long control, int member) {
        MemorySegment image = arena.allocate(byteSize(), 64);
        ControlLayout layout = new ControlLayout(options);
        putInt(image, "version", DeviceLayouts.VERSION);
        putInt(image, "pe", member);
        putInt(image, "size", pes.length);
        putInt(image, "memories_count", blocks.size());
        put(image, "pes", address + numbers);
        put(image, "memories", address + memories);
        put(image, "counters", address + COUNTERS);
        put(image, "slots", control + layout.slots());
        put(image, "capacity", options.ringSlots());
        put(image, "published", control + layout.published());
        put(image, "abort_word", control + layout.abortWord());
        put(image, "error", control + layout.error());
        put(image, "deadline_nanos", options.timeoutNanos());
        put(image, "signals_offset", layout.signals());
        put(image, "rounds", address + ROUNDS);
        put(image, "counted", address + counted);
        put(image, "completions", control + layout.completions());
        put(image, "shadows", address + shadows);
        putInt(image, "barriers", options.barriers());
        putInt(image, "contexts", options.contexts());
        putInt(image, "signals", options.signals());
        putInt(image, "counters_count", options.counters());
        for (int i = 0; i < blocks.size(); i++) {
            putBlock(image, address, i);
        }
        MemorySegment.copy(pes, 0, image, JAVA_INT, numbers, pes.length);
        return image;
    }

    private void putBlock(MemorySegment image, long address, int index) {
        DeviceBlock block = blocks.get(index);
        long entry = memories + index * DeviceLayouts.MEMORY.byteSize();
        long bases = tables + 2L * index * pes.length * Long.BYTES;
        long atomics = bases + (long) pes.length * Long.BYTES;
        image.set(JAVA_LONG, entry + offset(DeviceLayouts.MEMORY, "bytes"), block.byteSize());
        image.set(JAVA_LONG, entry + offset(DeviceLayouts.MEMORY, "bases"), address + bases);
        image.set(JAVA_LONG, entry + offset(DeviceLayouts.MEMORY, "atomics"), address + atomics);
        image.set(JAVA_LONG, entry + offset(DeviceLayouts.MEMORY, "in_ring"), block.memory() == null ? 0 : 1);
        for (int member = 0; member < pes.length; member++) {
            image.set(JAVA_LONG, bases + (long) member * Long.BYTES, block.base(member));
            image.set(JAVA_LONG, atomics + (long) member * Long.BYTES, block.atomicBase(member));
        }
    }

    private static void put(MemorySegment image, String field, long value) {
        image.set(JAVA_LONG, offset(DeviceLayouts.TEAM, field), value);
    }

    private static void putInt(MemorySegment image, String field, int value) {
        image.set(JAVA_INT, offset(DeviceLayouts.TEAM, field), value);
    }
}
