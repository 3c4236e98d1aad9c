// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// What can be measured, in the order in which it is. One table for the program, its help and its reports.
enum Operation {
    BARRIER(Shape.COLLECTIVE, "all PEs meet"),
    PUT(Shape.COPY, "PE 0 copies to PE 1; the source may be reused"),
    PUT_QUIET(Shape.COPY, "PE 0 copies to PE 1 and completes it: everybody can see it"),
    GET(Shape.COPY, "PE 0 copies from PE 1"),
    PUT_BW(Shape.STREAM, "PE 0 copies 64 messages to PE 1, then completes them"),
    GET_BW(Shape.STREAM, "PE 0 copies 64 messages from PE 1"),
    PINGPONG(Shape.EXCHANGE, "payload, fence and flag to the other PE, which waits: one way"),
    P(Shape.WORD, "PE 0 stores a long on PE 1"),
    G(Shape.WORD, "PE 0 loads a long from PE 1"),
    FADD(Shape.WORD, "PE 0 adds to a long of PE 1 and gets what it was"),
    FADD_CONTENDED(Shape.CONTENTION, "all PEs do so on one long at once"),
    INC(Shape.WORD, "PE 0 adds to a long of PE 1"),
    REDUCE(Shape.DATA_COLLECTIVE, "sum of doubles over all PEs, everybody gets it"),
    BCAST(Shape.DATA_COLLECTIVE, "one PE's bytes to all; every PE in turn is the root");

    /// Who takes part in an operation, and what its size means.
    enum Shape {
        /// PE 0 acts on PE 1, or a lone PE on itself; any number of bytes
        COPY(1, 2),
        /// as COPY, and what counts is the rate
        STREAM(1, 2),
        /// as COPY, one word
        WORD(1, 2),
        /// PEs 0 and 1 answer each other; any number of bytes
        EXCHANGE(2, 2),
        /// all PEs act on one word
        CONTENTION(2, 2),
        /// all PEs, no payload
        COLLECTIVE(1, Integer.MAX_VALUE),
        /// all PEs, whole doubles
        DATA_COLLECTIVE(1, Integer.MAX_VALUE);

        private final int fewestPes;
        private final int mostPes;

        Shape(int fewestPes, int mostPes) {
            this.fewestPes = fewestPes;
            this.mostPes = mostPes;
        }
    }

    private static final long[] COPY_SIZES = {8, 64, 512, 4096, 32768, 262_144, 1_048_576, 8_388_608};
    private static final long[] COLLECTIVE_SIZES = {8, 64, 512, 4096, 32768, 262_144, 1_048_576};

    /// Where PEs outnumber the pair, each call takes long, and fewer sizes tell enough.
    private static final long[] CROWDED_SIZES = {8, 4096, 65536, 1_048_576};

    private final Shape shape;
    private final String meaning;

    Operation(Shape shape, String meaning) {
        this.shape = shape;
        this.meaning = meaning;
    }

    /// Its name on the command line and in reports.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String meaning() {
        return meaning;
    }

    /// How many operations one iteration of the loop counts for.
    int perIteration() {
        return shape == Shape.EXCHANGE ? 2 : 1;
    }

    /// A loop on this workbench, with a state of its own.
    Loop loop(Workbench bench) {
        return switch (this) {
            case BARRIER -> new MeetingLoops.Barrier(bench);
            case PUT -> new CopyLoops.Put(bench);
            case PUT_QUIET -> new CopyLoops.PutQuiet(bench);
            case GET -> new CopyLoops.Get(bench);
            case PUT_BW -> new CopyLoops.PutWindow(bench);
            case GET_BW -> new CopyLoops.GetWindow(bench);
            case PINGPONG -> new MeetingLoops.PingPong(bench);
            case P -> new WordLoops.StoreWord(bench);
            case G -> new WordLoops.LoadWord(bench);
            case FADD -> new WordLoops.FetchAdd(bench);
            case FADD_CONTENDED -> new WordLoops.ContendedFetchAdd(bench);
            case INC -> new WordLoops.Increment(bench);
            case REDUCE -> new MeetingLoops.Reduce(bench);
            case BCAST -> new MeetingLoops.Broadcast(bench);
        };
    }

    boolean isRate() {
        return shape == Shape.STREAM;
    }

    /// Bytes that one iteration of a [#isRate] loop moves.
    long movedBytes(long bytes) {
        return CopyLoops.WINDOW * bytes;
    }

    boolean isCollective() {
        return shape == Shape.COLLECTIVE || shape == Shape.DATA_COLLECTIVE;
    }

    /// Whether it can be measured on so many PEs at all.
    boolean runsOn(int pes) {
        return pes >= shape.fewestPes;
    }

    /// Whether it is measured on so many PEs when nothing is said.
    boolean isDefaultOn(int pes) {
        return runsOn(pes) && pes <= shape.mostPes;
    }

    /// The sizes to measure when nothing is said.
    long[] sizes(int pes) {
        return switch (shape) {
            case COLLECTIVE -> new long[] {0};
            case WORD, CONTENTION -> new long[] {Long.BYTES};
            case COPY, STREAM, EXCHANGE -> COPY_SIZES.clone();
            case DATA_COLLECTIVE -> {
                if (pes > 2) {
                    yield CROWDED_SIZES.clone();
                }
                yield this == REDUCE ? COPY_SIZES.clone() : COLLECTIVE_SIZES.clone();
            }
        };
    }

    /// Its sizes among the powers of two in `[least, most]`; operations of one size keep it.
    long[] sizes(long least, long most) {
        return switch (shape) {
            case COLLECTIVE, WORD, CONTENTION -> sizes(1);
            case COPY, STREAM, EXCHANGE -> powersOfTwo(least, most);
            case DATA_COLLECTIVE -> powersOfTwo(Math.max(least, Double.BYTES), most);
        };
    }

    private static long[] powersOfTwo(long least, long most) {
        return LongStream.iterate(1, size -> size > 0 && size <= most, size -> size << 1)
                .filter(size -> size >= least)
                .toArray();
    }

    /// The operation of this name.
    ///
    /// @throws IllegalArgumentException if there is none; the message lists all
    static Operation of(String label) {
        return Arrays.stream(values())
                .filter(operation -> operation.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--ops: there is no \"" + label + "\"; there are "
                        + Arrays.stream(values()).map(Operation::label).collect(Collectors.joining(", "))));
    }
}
