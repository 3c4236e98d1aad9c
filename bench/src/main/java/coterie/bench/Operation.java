// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.SignalOperation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What can be measured, in the order in which it is. One table for the program, its help and its reports.
enum Operation {
    BARRIER(OperationGroup.COLLECTIVES, OperationShape.MEETING, "all PEs meet"),

    PUT(OperationGroup.COPIES, OperationShape.COPY, "PE 0 copies to PE 1; the source may be reused"),
    PUT_QUIET(OperationGroup.COPIES, OperationShape.COPY, "PE 0 copies to PE 1 and completes it: all PEs can see it"),
    GET(OperationGroup.COPIES, OperationShape.COPY, "PE 0 copies from PE 1"),
    PUT_BW(OperationGroup.COPIES, OperationShape.STREAM, "PE 0 starts 64 copies to PE 1, then completes them"),
    GET_BW(OperationGroup.COPIES, OperationShape.STREAM, "PE 0 starts 64 copies from PE 1, then completes them"),
    PUT_NBI(OperationGroup.COPIES, OperationShape.WINDOW, "as put_bw: the time of one"),
    GET_NBI(OperationGroup.COPIES, OperationShape.WINDOW, "as get_bw: the time of one"),

    IPUT(OperationGroup.STRIDED, OperationShape.STRIDED, "PE 0 copies every other long to PE 1"),
    IGET(OperationGroup.STRIDED, OperationShape.STRIDED, "PE 0 copies every other long from PE 1"),
    IBPUT(OperationGroup.STRIDED, OperationShape.BLOCKS, "PE 0 copies every other 64 bytes to PE 1"),
    IBGET(OperationGroup.STRIDED, OperationShape.BLOCKS, "PE 0 copies every other 64 bytes from PE 1"),

    PINGPONG(
            OperationGroup.SIGNALS,
            OperationShape.EXCHANGE,
            "payload, fence and flag to the other PE, which waits: one way"),
    PUT_SIGNAL(
            OperationGroup.SIGNALS,
            OperationShape.EXCHANGE,
            "payload with signal to the other PE, which waits: one way"),
    PUT_SIGNAL_ADD(OperationGroup.SIGNALS, OperationShape.EXCHANGE, "as put_signal, the signal is added to"),
    PUT_SIGNAL_NBI(OperationGroup.SIGNALS, OperationShape.EXCHANGE, "as put_signal, the source must not be reused"),
    SIGNAL_ADD(OperationGroup.SIGNALS, OperationShape.WORD, "PE 0 adds to a signal of PE 1"),
    SIGNAL_SET(OperationGroup.SIGNALS, OperationShape.WORD, "PE 0 sets a signal of PE 1"),
    SIGNAL_FETCH(OperationGroup.SIGNALS, OperationShape.WORD, "PE 0 loads a signal of its own"),
    SIGNAL_WAIT(OperationGroup.SIGNALS, OperationShape.WORD, "PE 0 waits for a signal that is as wanted"),

    P(OperationGroup.WORDS, OperationShape.WORD, "PE 0 stores a long on PE 1"),
    G(OperationGroup.WORDS, OperationShape.WORD, "PE 0 loads a long from PE 1"),
    P4(OperationGroup.WORDS, OperationShape.WORD_4, "PE 0 stores an int on PE 1"),
    G4(OperationGroup.WORDS, OperationShape.WORD_4, "PE 0 loads an int from PE 1"),
    P2(OperationGroup.WORDS, OperationShape.WORD_2, "PE 0 stores a short on PE 1"),
    G2(OperationGroup.WORDS, OperationShape.WORD_2, "PE 0 loads a short from PE 1"),
    P1(OperationGroup.WORDS, OperationShape.WORD_1, "PE 0 stores a byte on PE 1"),
    G1(OperationGroup.WORDS, OperationShape.WORD_1, "PE 0 loads a byte from PE 1"),

    FADD(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 adds to a long of PE 1 and gets what it was"),
    FADD_CONTENDED(OperationGroup.ATOMICS, OperationShape.CONTENTION, "as fadd, all PEs on one long at once"),
    INC(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 adds to a long of PE 1"),
    CAS(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 stores if the word is as expected"),
    CAS_CONTENDED(
            OperationGroup.ATOMICS,
            OperationShape.CONTENTION,
            "all PEs add to one long by cas, again until it succeeds"),
    SWAP(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 stores a long and gets what it was"),
    SET(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 stores a long, as an atomic"),
    FETCH(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 loads a long, as an atomic"),
    AND(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 clears bits"),
    OR(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 sets bits"),
    XOR(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 inverts bits"),
    FETCH_AND(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 clears bits and gets what was there"),
    FETCH_OR(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 sets bits and gets what was there"),
    FETCH_XOR(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 inverts bits and gets what was there"),
    FADD_NBI(
            OperationGroup.ATOMICS,
            OperationShape.PENDING,
            "as fadd, 1000 at once, then their completion: the time of one"),
    CAS_NBI(OperationGroup.ATOMICS, OperationShape.PENDING, "as cas, 1000 at once"),
    SWAP_NBI(OperationGroup.ATOMICS, OperationShape.PENDING, "as swap, 1000 at once"),
    FETCH_NBI(OperationGroup.ATOMICS, OperationShape.PENDING, "as fetch, 1000 at once"),
    FETCH_AND_NBI(OperationGroup.ATOMICS, OperationShape.PENDING, "as fetch_and, 1000 at once"),
    FETCH_OR_NBI(OperationGroup.ATOMICS, OperationShape.PENDING, "as fetch_or, 1000 at once"),
    FETCH_XOR_NBI(OperationGroup.ATOMICS, OperationShape.PENDING, "as fetch_xor, 1000 at once"),
    FADD4(OperationGroup.ATOMICS, OperationShape.WORD_4, "as fadd, an int"),
    FADD2(OperationGroup.ATOMICS, OperationShape.WORD_2, "as fadd, a short"),
    FADD1(OperationGroup.ATOMICS, OperationShape.WORD_1, "as fadd, a byte"),
    ADD_DOUBLE(OperationGroup.ATOMICS, OperationShape.WORD, "PE 0 adds to a double of PE 1"),
    ADD_FLOAT(OperationGroup.ATOMICS, OperationShape.WORD_4, "PE 0 adds to a float of PE 1"),
    SWAP_DOUBLE(OperationGroup.ATOMICS, OperationShape.WORD, "as swap, a double"),
    SWAP_FLOAT(OperationGroup.ATOMICS, OperationShape.WORD_4, "as swap, a float"),

    WAIT(OperationGroup.WAITS, OperationShape.WORD, "PE 0 waits for a word that is as wanted"),
    WAIT_ALL(OperationGroup.WAITS, OperationShape.SET, "PE 0 waits for 16 words that are as wanted"),
    WAIT_ANY(
            OperationGroup.WAITS, OperationShape.SET, "PE 0 waits for one of 16 words, of which the last is as wanted"),
    WAIT_SOME(OperationGroup.WAITS, OperationShape.SET, "PE 0 waits for some of 16 words, of which half are as wanted"),
    TEST(OperationGroup.WAITS, OperationShape.WORD, "PE 0 tests a word"),
    TEST_ALL(OperationGroup.WAITS, OperationShape.SET, "PE 0 tests 16 words, all are as wanted"),
    TEST_ANY(OperationGroup.WAITS, OperationShape.SET, "PE 0 tests 16 words, of which the last is as wanted"),
    TEST_SOME(OperationGroup.WAITS, OperationShape.SET, "PE 0 tests 16 words, of which half are as wanted"),
    WAIT_ALL_VECTOR(OperationGroup.WAITS, OperationShape.SET, "as wait_all, each word with an operand of its own"),
    WAIT_ANY_VECTOR(OperationGroup.WAITS, OperationShape.SET, "as wait_any, each word with an operand of its own"),
    WAIT_SOME_VECTOR(OperationGroup.WAITS, OperationShape.SET, "as wait_some, each word with an operand of its own"),
    TEST_ALL_VECTOR(OperationGroup.WAITS, OperationShape.SET, "as test_all, each word with an operand of its own"),
    TEST_ANY_VECTOR(OperationGroup.WAITS, OperationShape.SET, "as test_any, each word with an operand of its own"),
    TEST_SOME_VECTOR(OperationGroup.WAITS, OperationShape.SET, "as test_some, each word with an operand of its own"),

    LOCK_UNLOCK(OperationGroup.LOCKS, OperationShape.CALL, "PE 0 takes a free lock and lets it go; its home is PE 0"),
    LOCK_UNLOCK_REMOTE(OperationGroup.LOCKS, OperationShape.CALL, "as lock_unlock, its home is PE 1"),
    LOCK_TRY(OperationGroup.LOCKS, OperationShape.CALL, "as lock_unlock_remote, by trying"),
    LOCK_CONTENDED(OperationGroup.LOCKS, OperationShape.CROWD, "all PEs take one lock and let it go, over and over"),

    FENCE(OperationGroup.CONTEXTS, OperationShape.CALL, "PE 0 orders"),
    QUIET(OperationGroup.CONTEXTS, OperationShape.CALL, "PE 0 completes, and has put nothing"),
    QUIET_DIRTY(OperationGroup.CONTEXTS, OperationShape.CALL, "PE 0 stores a long on PE 1 and completes it"),
    QUIET_CLEAN(OperationGroup.CONTEXTS, OperationShape.CALL, "as quiet, in a private context without plain stores"),
    PE_QUIET(OperationGroup.CONTEXTS, OperationShape.CALL, "as quiet, of PE 1 alone"),
    CONTEXT(OperationGroup.CONTEXTS, OperationShape.CALL, "PE 0 makes a context and ends it"),

    REDUCE(OperationGroup.COLLECTIVES, OperationShape.COLLECTIVE, "sum of doubles over all PEs; each PE gets it"),
    BCAST(OperationGroup.COLLECTIVES, OperationShape.COLLECTIVE, "one PE's bytes to all; every PE in turn is the root"),
    INSCAN(OperationGroup.COLLECTIVES, OperationShape.COLLECTIVE, "as reduce, over the PEs up to each one"),
    EXSCAN(OperationGroup.COLLECTIVES, OperationShape.COLLECTIVE, "as reduce, over the PEs before each one"),
    REDUCE_SCATTER(
            OperationGroup.COLLECTIVES,
            OperationShape.PARTS,
            "sum over all PEs of a block for each; each PE gets its own"),
    FCOLLECT(OperationGroup.COLLECTIVES, OperationShape.PARTS, "a part of each PE to all"),
    COLLECT(OperationGroup.COLLECTIVES, OperationShape.PARTS, "as fcollect, each PE says how much it gives"),
    ALLTOALL(OperationGroup.COLLECTIVES, OperationShape.PARTS, "a part of each PE to each"),
    REDUCE_REQUEST(OperationGroup.COLLECTIVES, OperationShape.COLLECTIVE, "as reduce, by a persistent request"),
    BARRIER_REQUEST(OperationGroup.COLLECTIVES, OperationShape.MEETING, "as barrier, by a persistent request"),
    SYNC(OperationGroup.COLLECTIVES, OperationShape.MEETING, "all PEs meet, without completing anything"),
    SUM(OperationGroup.COLLECTIVES, OperationShape.MEETING, "a double of each PE; each PE gets the sum as its result"),
    SPLIT(OperationGroup.COLLECTIVES, OperationShape.MEETING, "all PEs make rows and columns of two, and destroy them"),

    HALO(
            OperationGroup.KERNELS,
            OperationShape.HALO,
            "a step on a plate of 32 rows; the first and the last one to the neighbours, with signals"),
    WAVEFRONT(
            OperationGroup.KERNELS,
            OperationShape.SWEEP,
            "a line of a pipeline; its last point to the right neighbour, with a signal"),
    TRANSPOSE(OperationGroup.KERNELS, OperationShape.TILES, "each PE transposes a tile for each and puts it; barrier"),

    EP(OperationGroup.NPB, OperationShape.PROGRAM, "Gaussian deviates; the PEs add their counts at the end"),
    IS(OperationGroup.NPB, OperationShape.PROGRAM, "ranks of integers; all keys change PEs, by bucket"),
    CG(OperationGroup.NPB, OperationShape.PROGRAM, "an eigenvalue of a sparse matrix; gathered vectors and sums"),
    MG(OperationGroup.NPB, OperationShape.GRID_PROGRAM, "Poisson's equation by multigrid; faces to six neighbours"),
    FT(OperationGroup.NPB, OperationShape.PROGRAM, "Fourier transforms in three dimensions; transpositions"),
    LU(OperationGroup.NPB, OperationShape.PROGRAM, "the flow of a gas by triangular sweeps; a pipeline of lines"),
    SP(OperationGroup.NPB, OperationShape.PROGRAM, "a gas, by lines of five diagonals; a pipeline in both directions"),
    BT(OperationGroup.NPB, OperationShape.PROGRAM, "a gas, by lines of small matrices; a pipeline in both directions");

    /// Of an unknown name: as many as fit on a line.
    private static final int MAX_SUGGESTIONS = 6;

    /// A label of fewer characters is in many names by chance.
    private static final int MIN_PART = 4;

    /// What every run measures unless told otherwise: what benchmarks of other systems have too, and one of each
    /// family.
    private static final Set<Operation> USUAL = EnumSet.of(
            BARRIER,
            PUT,
            PUT_QUIET,
            GET,
            PUT_BW,
            GET_BW,
            IPUT,
            PINGPONG,
            PUT_SIGNAL,
            P,
            G,
            FADD,
            FADD_CONTENDED,
            INC,
            CAS,
            SWAP,
            SET,
            FETCH,
            FADD_NBI,
            WAIT,
            LOCK_UNLOCK,
            QUIET,
            REDUCE,
            BCAST,
            FCOLLECT,
            ALLTOALL,
            HALO,
            WAVEFRONT);

    private final OperationGroup group;
    private final OperationShape shape;
    private final String meaning;

    Operation(OperationGroup group, OperationShape shape, String meaning) {
        this.group = group;
        this.shape = shape;
        this.meaning = meaning;
    }

    /// Its name on the command line and in reports.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    OperationGroup group() {
        return group;
    }

    OperationShape shape() {
        return shape;
    }

    String meaning() {
        return meaning;
    }

    /// A loop on this workbench, with a state of its own; a program has none. All PEs must have made theirs before
    /// any runs it: a barrier lies between.
    Loop loop(BenchFixture bench) {
        return switch (this) {
            case BARRIER -> new CollectiveLoops.Barrier(bench);
            case PUT -> new CopyLoops.Put(bench);
            case PUT_QUIET -> new CopyLoops.PutQuiet(bench);
            case GET -> new CopyLoops.Get(bench);
            case PUT_BW -> new CopyLoops.PutWindow(bench);
            case GET_BW -> new CopyLoops.GetWindow(bench);
            case PUT_NBI -> new CopyLoops.PutWindow(bench);
            case GET_NBI -> new CopyLoops.GetWindow(bench);
            case IPUT -> new StridedLoops.Put(bench, 1);
            case IGET -> new StridedLoops.Get(bench, 1);
            case IBPUT -> new StridedLoops.Put(bench, StridedLoops.BLOCK);
            case IBGET -> new StridedLoops.Get(bench, StridedLoops.BLOCK);
            case PINGPONG -> new PingPongLoops.PingPong(bench);
            case PUT_SIGNAL -> new PingPongLoops.PutSignal(bench, SignalOperation.SET);
            case PUT_SIGNAL_ADD -> new PingPongLoops.PutSignal(bench, SignalOperation.ADD);
            case PUT_SIGNAL_NBI -> new PingPongLoops.PutSignalNbi(bench);
            case SIGNAL_ADD -> new AtomicLoops.SignalAdd(bench);
            case SIGNAL_SET -> new AtomicLoops.SignalSet(bench);
            case SIGNAL_FETCH -> new WordLoops.SignalFetch(bench);
            case SIGNAL_WAIT -> new WaitLoops.SignalWait(bench);
            case P -> new WordLoops.Store(bench, bench.longs);
            case G -> new WordLoops.Load(bench, bench.longs);
            case P4 -> new WordLoops.Store(bench, bench.ints);
            case G4 -> new WordLoops.Load(bench, bench.ints);
            case P2 -> new WordLoops.Store(bench, bench.shorts);
            case G2 -> new WordLoops.Load(bench, bench.shorts);
            case P1 -> new WordLoops.Store(bench, bench.bytes);
            case G1 -> new WordLoops.Load(bench, bench.bytes);
            case FADD -> new AtomicLoops.FetchAdd(bench, bench.longs);
            case FADD_CONTENDED -> new ContendedLoops.FetchAdd(bench);
            case INC -> new AtomicLoops.Add(bench);
            case CAS -> new AtomicLoops.CompareAndSwap(bench);
            case CAS_CONTENDED -> new ContendedLoops.CompareAndSwap(bench);
            case SWAP -> new AtomicLoops.Swap(bench);
            case SET -> new AtomicLoops.Set(bench);
            case FETCH -> new AtomicLoops.Fetch(bench);
            case AND -> new BitwiseLoops.And(bench);
            case OR -> new BitwiseLoops.Or(bench);
            case XOR -> new BitwiseLoops.Xor(bench);
            case FETCH_AND -> new BitwiseLoops.FetchAnd(bench);
            case FETCH_OR -> new BitwiseLoops.FetchOr(bench);
            case FETCH_XOR -> new BitwiseLoops.FetchXor(bench);
            case FADD_NBI -> new NonBlockingAtomicLoops.FetchAdd(bench);
            case CAS_NBI -> new NonBlockingAtomicLoops.CompareAndSwap(bench);
            case SWAP_NBI -> new NonBlockingAtomicLoops.Swap(bench);
            case FETCH_NBI -> new NonBlockingAtomicLoops.Fetch(bench);
            case FETCH_AND_NBI -> new NonBlockingAtomicLoops.FetchAnd(bench);
            case FETCH_OR_NBI -> new NonBlockingAtomicLoops.FetchOr(bench);
            case FETCH_XOR_NBI -> new NonBlockingAtomicLoops.FetchXor(bench);
            case FADD4 -> new AtomicLoops.FetchAdd(bench, bench.ints);
            case FADD2 -> new AtomicLoops.FetchAdd(bench, bench.shorts);
            case FADD1 -> new AtomicLoops.FetchAdd(bench, bench.bytes);
            case ADD_DOUBLE -> new FloatingLoops.AddDouble(bench);
            case ADD_FLOAT -> new FloatingLoops.AddFloat(bench);
            case SWAP_DOUBLE -> new FloatingLoops.SwapDouble(bench);
            case SWAP_FLOAT -> new FloatingLoops.SwapFloat(bench);
            case WAIT -> new WaitLoops.Wait(bench);
            case WAIT_ALL -> new WaitLoops.WaitAll(bench);
            case WAIT_ANY -> new WaitLoops.WaitAny(bench);
            case WAIT_SOME -> new WaitLoops.WaitSome(bench);
            case TEST -> new WaitLoops.Test(bench);
            case TEST_ALL -> new WaitLoops.TestAll(bench);
            case TEST_ANY -> new WaitLoops.TestAny(bench);
            case TEST_SOME -> new WaitLoops.TestSome(bench);
            case WAIT_ALL_VECTOR -> new VectorWaitLoops.WaitAll(bench);
            case WAIT_ANY_VECTOR -> new VectorWaitLoops.WaitAny(bench);
            case WAIT_SOME_VECTOR -> new VectorWaitLoops.WaitSome(bench);
            case TEST_ALL_VECTOR -> new VectorWaitLoops.TestAll(bench);
            case TEST_ANY_VECTOR -> new VectorWaitLoops.TestAny(bench);
            case TEST_SOME_VECTOR -> new VectorWaitLoops.TestSome(bench);
            case LOCK_UNLOCK -> new LockLoops.Lock(bench, 0);
            case LOCK_UNLOCK_REMOTE -> new LockLoops.Lock(bench, bench.peer);
            case LOCK_TRY -> new LockLoops.TryLock(bench, bench.peer);
            case LOCK_CONTENDED -> new ContendedLoops.Lock(bench);
            case FENCE -> new ContextLoops.Fence(bench);
            case QUIET -> new ContextLoops.Quiet(bench);
            case QUIET_DIRTY -> new ContextLoops.QuietDirty(bench);
            case QUIET_CLEAN -> new ContextLoops.QuietClean(bench);
            case PE_QUIET -> new ContextLoops.PeQuiet(bench);
            case CONTEXT -> new ContextLoops.Lifetime(bench);
            case REDUCE -> new CollectiveLoops.Reduce(bench);
            case REDUCE_REQUEST -> new RequestLoops.Reduce(bench);
            case BARRIER_REQUEST -> new RequestLoops.Barrier(bench);
            case BCAST -> new CollectiveLoops.Broadcast(bench);
            case INSCAN -> new CollectiveLoops.InclusiveScan(bench);
            case EXSCAN -> new CollectiveLoops.ExclusiveScan(bench);
            case REDUCE_SCATTER -> new BlockLoops.ReduceScatter(bench);
            case FCOLLECT -> new BlockLoops.FixedCollect(bench);
            case COLLECT -> new BlockLoops.Collect(bench);
            case ALLTOALL -> new BlockLoops.Exchange(bench);
            case SYNC -> new TeamLoops.Sync(bench);
            case SUM -> new TeamLoops.Sum(bench);
            case SPLIT -> new TeamLoops.Split(bench);
            case HALO -> new HaloKernel(bench);
            case WAVEFRONT -> new WavefrontKernel(bench);
            case TRANSPOSE -> new TransposeKernel(bench);
            case EP, IS, CG, MG, FT, LU, SP, BT ->
                throw new IllegalStateException(label() + " is a program, see NasProgram");
        };
    }

    /// Whether it is measured when nothing is said.
    boolean isUsual() {
        return USUAL.contains(this);
    }

    /// Bytes that one iteration moves where its [OperationShape#isRate].
    long movedBytes(long bytes) {
        return CopyLoops.WINDOW * bytes;
    }

    /// The operations of this name: one, those of a family, or `all`.
    ///
    /// @throws IllegalArgumentException if there is none; the message lists all
    static List<Operation> named(String name) {
        List<Operation> found = Arrays.stream(values())
                .filter(operation -> Stream.of(operation.label(), operation.group.label(), "all")
                        .anyMatch(name::equals))
                .toList();
        if (found.isEmpty()) {
            String similar = Stream.concat(
                            Arrays.stream(values()).map(Operation::label),
                            Arrays.stream(OperationGroup.values()).map(OperationGroup::label))
                    .filter(label -> likeness(label, name) > 1)
                    .sorted(Comparator.comparingInt((String label) -> -likeness(label, name))
                            .thenComparingInt(String::length))
                    .limit(MAX_SUGGESTIONS)
                    .collect(Collectors.joining(", "));
            throw new IllegalArgumentException("--ops: there is no \"" + name + "\""
                    + (similar.isEmpty() ? "; families are " + families() : "; similar are " + similar)
                    + "; see --list");
        }
        return found;
    }

    private static String families() {
        return Arrays.stream(OperationGroup.values()).map(OperationGroup::label).collect(Collectors.joining(", "));
    }

    /// Returns how many characters two names have in common: at their begin, or all of a label that is in a name of
    /// the API, such as `reduce` in `allReduce`.
    private static int likeness(String label, String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean isPart = label.length() >= MIN_PART && lower.contains(label);
        return isPart ? label.length() : commonPrefix(label, lower);
    }

    private static int commonPrefix(String label, String name) {
        int length = 0;
        while (length < Math.min(label.length(), name.length()) && label.charAt(length) == name.charAt(length)) {
            length++;
        }
        return length;
    }
}
