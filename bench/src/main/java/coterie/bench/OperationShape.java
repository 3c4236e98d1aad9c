// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.util.List;
import java.util.stream.LongStream;

/// Which PEs take part in an operation, what its size means, and which sizes are measured by default.
enum OperationShape {
    /// PE 0 acts on PE 1, or a lone PE on itself; any number of bytes
    COPY(1, 2, 1, 1),
    /// as COPY, a window of copies in each iteration, and what counts is the rate
    STREAM(1, 2, 1, 1),
    /// as STREAM, and what counts is the time of one copy
    WINDOW(1, 2, CopyLoops.WINDOW, 1),
    /// as COPY, elements of 8 bytes that lie apart
    STRIDED(1, 2, 1, Long.BYTES),
    /// as COPY, blocks that lie apart
    BLOCKS(1, 2, 1, (int) StridedLoops.BLOCK * Long.BYTES),
    /// PEs 0 and 1 answer each other; any number of bytes
    EXCHANGE(2, 2, 2, 1),
    /// as COPY, one element of 8 bytes
    WORD(1, 2, 1, 0),
    /// of 4 bytes
    WORD_4(1, 2, 1, 0),
    /// of 2 bytes
    WORD_2(1, 2, 1, 0),
    /// of 1 byte
    WORD_1(1, 2, 1, 0),
    /// as WORD, many of them in each iteration
    PENDING(1, 2, NonBlockingAtomicLoop.WINDOW, 0),
    /// PE 0 alone looks at several of its words
    SET(1, 2, 1, 0),
    /// as COPY, no payload
    CALL(1, 2, 1, 0),
    /// all PEs act on one word
    CONTENTION(2, 2, 1, 0),
    /// all PEs want the same, no payload
    CROWD(2, 2, 1, 0),
    /// all PEs, no payload
    MEETING(1, Integer.MAX_VALUE, 1, 0),
    /// all PEs, whole doubles
    COLLECTIVE(1, Integer.MAX_VALUE, 1, Double.BYTES),
    /// as COLLECTIVE, for each PE
    PARTS(1, Integer.MAX_VALUE, 1, Double.BYTES),
    /// all PEs, a row of whole doubles to each neighbour
    HALO(1, Integer.MAX_VALUE, 1, Double.BYTES),
    /// all PEs, a part of a line of whole doubles on each; many lines in each iteration
    SWEEP(1, Integer.MAX_VALUE, WavefrontKernel.LINES, Double.BYTES),
    /// as PARTS, to one of two targets
    TILES(1, Integer.MAX_VALUE, 1, Double.BYTES),
    /// all PEs, a whole program, which has a problem class in place of a size
    PROGRAM(1, Integer.MAX_VALUE, 1, 0),
    /// as PROGRAM, on powers of two
    GRID_PROGRAM(1, Integer.MAX_VALUE, 1, 0);

    private static final List<Long> SIZES =
            List.of(8L, 64L, 512L, 4096L, 32_768L, 262_144L, 1L << 20, 8L << 20, 64L << 20);

    /// Apart or not: a few, many, and past the caches next to the processor.
    private static final List<Long> STRIDED_SIZES = List.of(64L, 4096L, 262_144L);

    /// If there are more PEs than the pair, each call takes long, and fewer sizes are enough.
    private static final List<Long> CROWDED_SIZES = List.of(8L, 4096L, 65_536L, 1L << 20);

    /// Of kernels: next to no computation, a few microseconds, and tens of them.
    private static final List<Long> KERNEL_SIZES = List.of(64L, 4096L, 32_768L);

    private final int fewestPes;
    private final int mostPes;
    private final int perIteration;
    private final int granule;

    /// @param perIteration how many operations one iteration of the loop counts for
    /// @param granule the least size, of which others are multiples; 0 where there is only one
    OperationShape(int fewestPes, int mostPes, int perIteration, int granule) {
        this.fewestPes = fewestPes;
        this.mostPes = mostPes;
        this.perIteration = perIteration;
        this.granule = granule;
    }

    /// How many operations one iteration of the loop counts for.
    int perIteration() {
        return perIteration;
    }

    boolean isRate() {
        return this == STREAM;
    }

    boolean isProgram() {
        return this == PROGRAM || this == GRID_PROGRAM;
    }

    boolean isCollective() {
        return switch (this) {
            case MEETING, COLLECTIVE, PARTS, HALO, SWEEP, TILES -> true;
            default -> false;
        };
    }

    /// Whether it can be measured on so many PEs at all.
    boolean runsOn(int pes) {
        return pes >= fewestPes && (this != GRID_PROGRAM || Integer.bitCount(pes) == 1);
    }

    /// On which numbers of PEs it runs, for messages.
    String needed() {
        return this == GRID_PROGRAM ? "a number of PEs that is a power of two" : "two PEs";
    }

    /// Whether it is worth measuring on so many PEs when nothing is said.
    boolean suits(int pes) {
        return runsOn(pes) && pes <= mostPes;
    }

    /// How far an operation of so many bytes reaches in memory.
    long reach(long bytes, int pes) {
        return switch (this) {
            case STRIDED, BLOCKS -> StridedLoops.REACH * bytes;
            case PARTS -> pes * bytes;
            case HALO -> HaloKernel.HALO_ROWS * bytes;
            case SWEEP -> WavefrontKernel.RECEIVED * (long) Double.BYTES;
            case TILES -> (long) TransposeKernel.TARGETS * pes * bytes;
            default -> bytes;
        };
    }

    /// The sizes to measure when nothing is said.
    long[] sizes(int pes) {
        return switch (this) {
            case COPY -> upTo(64 << 20);
            case STREAM, EXCHANGE -> upTo(8 << 20);
            case WINDOW -> upTo(1 << 20);
            case PARTS -> pes > 2 ? array(CROWDED_SIZES) : upTo(1 << 20);
            case COLLECTIVE -> pes > 2 ? array(CROWDED_SIZES) : upTo(8 << 20);
            case STRIDED, BLOCKS -> array(STRIDED_SIZES);
            case HALO, SWEEP, TILES -> array(KERNEL_SIZES);
            case WORD, PENDING, CONTENTION -> new long[] {Long.BYTES};
            case WORD_4 -> new long[] {Integer.BYTES};
            case WORD_2 -> new long[] {Short.BYTES};
            case WORD_1 -> new long[] {Byte.BYTES};
            case SET -> new long[] {BenchFixture.SET_SIZE * Long.BYTES};
            case CALL, CROWD, MEETING, PROGRAM, GRID_PROGRAM -> new long[] {0};
        };
    }

    /// The powers of two in `[least, most]` that are sizes of this shape; operations of one size keep it.
    long[] sizes(long least, long most) {
        if (granule == 0) {
            return sizes(1);
        }
        return LongStream.iterate(granule, size -> size > 0 && size <= most, size -> size << 1)
                .filter(size -> size >= least)
                .toArray();
    }

    private static long[] upTo(long most) {
        return array(SIZES.stream().filter(size -> size <= most).toList());
    }

    private static long[] array(List<Long> sizes) {
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }
}
