// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.List;
import java.util.stream.Stream;

/// The structures of `coterie_types.cuh`, field by field under the same names. A test compares sizes and offsets with
/// what a C++ compiler says.
public final class DeviceLayouts {

    /// `COTERIE_VERSION`: a kernel's header and the JVM must have the same.
    public static final int VERSION = 1;

    /// `COTERIE_BARRIER_WORDS`: words of a barrier, one for each round.
    static final int BARRIER_WORDS = 32;

    /// A block of memory that every member has.
    static final StructLayout MEMORY = struct("coterie_memory", longs("bytes", "bases", "atomics", "in_ring"));

    /// What the threads of one device share.
    static final StructLayout COUNTERS =
            struct("coterie_counters", longs("tail", "freed", "fenced", "quiet", "failed"), padding("reserved", 3));

    /// Where the host publishes the progress of the ring.
    static final StructLayout PUBLISHED =
            struct("coterie_published", longs("completed", "freed"), padding("reserved", 6));

    /// A descriptor in the ring.
    static final StructLayout SLOT = struct(
            "coterie_slot",
            longs("sequence"),
            new MemoryLayout[] {
                JAVA_BYTE.withName("operation"),
                JAVA_BYTE.withName("code"),
                JAVA_BYTE.withName("width"),
                JAVA_BYTE.withName("answer"),
                JAVA_SHORT.withName("memory"),
                JAVA_SHORT.withName("signal_memory"),
                JAVA_INT.withName("pe"),
                JAVA_INT.withName("reserved")
            },
            longs("offset", "local", "bytes", "signal_offset", "value"));

    /// The first error of a team's kernels.
    static final StructLayout ERROR =
            struct("coterie_error", longs("code", "operation", "memory", "pe", "offset", "bytes", "found", "expected"));

    /// What a kernel gets: the team.
    static final StructLayout TEAM = struct(
            "coterie_team",
            ints("version", "pe", "size", "memories_count"),
            longs("pes", "memories", "counters", "slots", "capacity", "published", "abort_word", "error"),
            longs("deadline_nanos", "signals_offset", "rounds", "counted", "completions", "shadows"),
            ints("barriers", "contexts", "signals", "counters_count"));

    /// All of them.
    static final List<StructLayout> ALL = List.of(MEMORY, COUNTERS, PUBLISHED, SLOT, ERROR, TEAM);

    private DeviceLayouts() {}

    static long offset(StructLayout struct, String field) {
        return struct.byteOffset(MemoryLayout.PathElement.groupElement(field));
    }

    private static StructLayout struct(String name, MemoryLayout[]... fields) {
        MemoryLayout[] all = Stream.of(fields).flatMap(Stream::of).toArray(MemoryLayout[]::new);
        return MemoryLayout.structLayout(all).withName(name);
    }

    private static MemoryLayout[] longs(String... names) {
        return Stream.of(names).map(JAVA_LONG::withName).toArray(MemoryLayout[]::new);
    }

    private static MemoryLayout[] ints(String... names) {
        return Stream.of(names).map(JAVA_INT::withName).toArray(MemoryLayout[]::new);
    }

    private static MemoryLayout[] padding(String name, long count) {
        return new MemoryLayout[] {MemoryLayout.sequenceLayout(count, JAVA_LONG).withName(name)};
    }
}
