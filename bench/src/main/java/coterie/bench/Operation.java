// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.SignalUpdate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What can be measured, in the order in which it is. One table for the program, its help and its reports.
enum Operation {
    BARRIER(Family.COLLECTIVES, Shape.MEETING, "all PEs meet"),

    PUT(Family.COPIES, Shape.COPY, "PE 0 copies to PE 1; the source may be reused"),
    PUT_QUIET(Family.COPIES, Shape.COPY, "PE 0 copies to PE 1 and completes it: everybody can see it"),
    GET(Family.COPIES, Shape.COPY, "PE 0 copies from PE 1"),
    PUT_BW(Family.COPIES, Shape.STREAM, "PE 0 starts 64 copies to PE 1, then completes them"),
    GET_BW(Family.COPIES, Shape.STREAM, "PE 0 starts 64 copies from PE 1, then completes them"),
    PUT_NBI(Family.COPIES, Shape.WINDOW, "as put_bw: the time of one"),
    GET_NBI(Family.COPIES, Shape.WINDOW, "as get_bw: the time of one"),

    IPUT(Family.STRIDED, Shape.STRIDED, "PE 0 copies every other long to PE 1"),
    IGET(Family.STRIDED, Shape.STRIDED, "PE 0 copies every other long from PE 1"),
    IBPUT(Family.STRIDED, Shape.BLOCKS, "PE 0 copies every other 64 bytes to PE 1"),
    IBGET(Family.STRIDED, Shape.BLOCKS, "PE 0 copies every other 64 bytes from PE 1"),

    PINGPONG(Family.SIGNALS, Shape.EXCHANGE, "payload, fence and flag to the other PE, which waits: one way"),
    PUT_SIGNAL(Family.SIGNALS, Shape.EXCHANGE, "payload with signal to the other PE, which waits: one way"),
    PUT_SIGNAL_ADD(Family.SIGNALS, Shape.EXCHANGE, "as put_signal, the signal is added to"),
    PUT_SIGNAL_NBI(Family.SIGNALS, Shape.EXCHANGE, "as put_signal, the source must not be reused"),
    SIGNAL_ADD(Family.SIGNALS, Shape.WORD, "PE 0 adds to a signal of PE 1"),
    SIGNAL_SET(Family.SIGNALS, Shape.WORD, "PE 0 sets a signal of PE 1"),
    SIGNAL_FETCH(Family.SIGNALS, Shape.WORD, "PE 0 loads a signal of its own"),
    SIGNAL_WAIT(Family.SIGNALS, Shape.WORD, "PE 0 waits for a signal that is as wanted"),

    P(Family.WORDS, Shape.WORD, "PE 0 stores a long on PE 1"),
    G(Family.WORDS, Shape.WORD, "PE 0 loads a long from PE 1"),
    P4(Family.WORDS, Shape.WORD_4, "PE 0 stores an int on PE 1"),
    G4(Family.WORDS, Shape.WORD_4, "PE 0 loads an int from PE 1"),
    P2(Family.WORDS, Shape.WORD_2, "PE 0 stores a short on PE 1"),
    G2(Family.WORDS, Shape.WORD_2, "PE 0 loads a short from PE 1"),
    P1(Family.WORDS, Shape.WORD_1, "PE 0 stores a byte on PE 1"),
    G1(Family.WORDS, Shape.WORD_1, "PE 0 loads a byte from PE 1"),

    FADD(Family.ATOMICS, Shape.WORD, "PE 0 adds to a long of PE 1 and gets what it was"),
    FADD_CONTENDED(Family.ATOMICS, Shape.CONTENTION, "as fadd, all PEs on one long at once"),
    INC(Family.ATOMICS, Shape.WORD, "PE 0 adds to a long of PE 1"),
    CAS(Family.ATOMICS, Shape.WORD, "PE 0 stores if the word is as expected"),
    CAS_CONTENDED(Family.ATOMICS, Shape.CONTENTION, "all PEs add to one long by cas, again until it succeeds"),
    SWAP(Family.ATOMICS, Shape.WORD, "PE 0 stores a long and gets what it was"),
    SET(Family.ATOMICS, Shape.WORD, "PE 0 stores a long, as an atomic"),
    FETCH(Family.ATOMICS, Shape.WORD, "PE 0 loads a long, as an atomic"),
    AND(Family.ATOMICS, Shape.WORD, "PE 0 clears bits"),
    OR(Family.ATOMICS, Shape.WORD, "PE 0 sets bits"),
    XOR(Family.ATOMICS, Shape.WORD, "PE 0 inverts bits"),
    FETCH_AND(Family.ATOMICS, Shape.WORD, "PE 0 clears bits and gets what was there"),
    FETCH_OR(Family.ATOMICS, Shape.WORD, "PE 0 sets bits and gets what was there"),
    FETCH_XOR(Family.ATOMICS, Shape.WORD, "PE 0 inverts bits and gets what was there"),
    FADD_NBI(Family.ATOMICS, Shape.PENDING, "as fadd, 1000 at once, then their completion: the time of one"),
    CAS_NBI(Family.ATOMICS, Shape.PENDING, "as cas, 1000 at once"),
    SWAP_NBI(Family.ATOMICS, Shape.PENDING, "as swap, 1000 at once"),
    FETCH_NBI(Family.ATOMICS, Shape.PENDING, "as fetch, 1000 at once"),
    FETCH_AND_NBI(Family.ATOMICS, Shape.PENDING, "as fetch_and, 1000 at once"),
    FETCH_OR_NBI(Family.ATOMICS, Shape.PENDING, "as fetch_or, 1000 at once"),
    FETCH_XOR_NBI(Family.ATOMICS, Shape.PENDING, "as fetch_xor, 1000 at once"),
    FADD4(Family.ATOMICS, Shape.WORD_4, "as fadd, an int"),
    FADD2(Family.ATOMICS, Shape.WORD_2, "as fadd, a short"),
    FADD1(Family.ATOMICS, Shape.WORD_1, "as fadd, a byte"),
    ADD_DOUBLE(Family.ATOMICS, Shape.WORD, "PE 0 adds to a double of PE 1"),
    ADD_FLOAT(Family.ATOMICS, Shape.WORD_4, "PE 0 adds to a float of PE 1"),
    SWAP_DOUBLE(Family.ATOMICS, Shape.WORD, "as swap, a double"),
    SWAP_FLOAT(Family.ATOMICS, Shape.WORD_4, "as swap, a float"),

    WAIT(Family.WAITS, Shape.WORD, "PE 0 waits for a word that is as wanted"),
    WAIT_ALL(Family.WAITS, Shape.SET, "PE 0 waits for 16 words that are as wanted"),
    WAIT_ANY(Family.WAITS, Shape.SET, "PE 0 waits for one of 16 words, of which the last is as wanted"),
    WAIT_SOME(Family.WAITS, Shape.SET, "PE 0 waits for some of 16 words, of which half are as wanted"),
    TEST(Family.WAITS, Shape.WORD, "PE 0 tests a word"),
    TEST_ALL(Family.WAITS, Shape.SET, "PE 0 tests 16 words, all are as wanted"),
    TEST_ANY(Family.WAITS, Shape.SET, "PE 0 tests 16 words, of which the last is as wanted"),
    TEST_SOME(Family.WAITS, Shape.SET, "PE 0 tests 16 words, of which half are as wanted"),
    WAIT_ALL_VECTOR(Family.WAITS, Shape.SET, "as wait_all, each word with an operand of its own"),
    WAIT_ANY_VECTOR(Family.WAITS, Shape.SET, "as wait_any, each word with an operand of its own"),
    WAIT_SOME_VECTOR(Family.WAITS, Shape.SET, "as wait_some, each word with an operand of its own"),
    TEST_ALL_VECTOR(Family.WAITS, Shape.SET, "as test_all, each word with an operand of its own"),
    TEST_ANY_VECTOR(Family.WAITS, Shape.SET, "as test_any, each word with an operand of its own"),
    TEST_SOME_VECTOR(Family.WAITS, Shape.SET, "as test_some, each word with an operand of its own"),

    LOCK_UNLOCK(Family.LOCKS, Shape.CALL, "PE 0 takes a free lock and lets it go; its home is PE 0"),
    LOCK_UNLOCK_REMOTE(Family.LOCKS, Shape.CALL, "as lock_unlock, its home is PE 1"),
    LOCK_TRY(Family.LOCKS, Shape.CALL, "as lock_unlock_remote, by trying"),
    LOCK_CONTENDED(Family.LOCKS, Shape.CROWD, "all PEs take one lock and let it go, over and over"),

    FENCE(Family.CONTEXTS, Shape.CALL, "PE 0 orders"),
    QUIET(Family.CONTEXTS, Shape.CALL, "PE 0 completes, and has put nothing"),
    QUIET_DIRTY(Family.CONTEXTS, Shape.CALL, "PE 0 stores a long on PE 1 and completes it"),
    QUIET_CLEAN(Family.CONTEXTS, Shape.CALL, "as quiet, in a private context without plain stores"),
    PE_QUIET(Family.CONTEXTS, Shape.CALL, "as quiet, of PE 1 alone"),
    CONTEXT(Family.CONTEXTS, Shape.CALL, "PE 0 makes a context and ends it"),

    REDUCE(Family.COLLECTIVES, Shape.COLLECTIVE, "sum of doubles over all PEs, everybody gets it"),
    BCAST(Family.COLLECTIVES, Shape.COLLECTIVE, "one PE's bytes to all; every PE in turn is the root"),
    INSCAN(Family.COLLECTIVES, Shape.COLLECTIVE, "as reduce, over the PEs up to each one"),
    EXSCAN(Family.COLLECTIVES, Shape.COLLECTIVE, "as reduce, over the PEs before each one"),
    REDUCE_SCATTER(Family.COLLECTIVES, Shape.PARTS, "sum over all PEs of a part for each, who gets its own"),
    FCOLLECT(Family.COLLECTIVES, Shape.PARTS, "a part of each PE to all"),
    COLLECT(Family.COLLECTIVES, Shape.PARTS, "as fcollect, each PE says how much it gives"),
    ALLTOALL(Family.COLLECTIVES, Shape.PARTS, "a part of each PE to each"),
    REDUCE_REQUEST(Family.COLLECTIVES, Shape.COLLECTIVE, "as reduce, by a persistent request"),
    BARRIER_REQUEST(Family.COLLECTIVES, Shape.MEETING, "as barrier, by a persistent request"),
    SYNC(Family.COLLECTIVES, Shape.MEETING, "all PEs meet, without completing anything"),
    SUM(Family.COLLECTIVES, Shape.MEETING, "a double of each PE, everybody gets the sum as its result"),
    SPLIT(Family.COLLECTIVES, Shape.MEETING, "all PEs make rows and columns of two, and destroy them");

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
            ALLTOALL);

    private final Family family;
    private final Shape shape;
    private final String meaning;

    Operation(Family family, Shape shape, String meaning) {
        this.family = family;
        this.shape = shape;
        this.meaning = meaning;
    }

    /// Its name on the command line and in reports.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    Family family() {
        return family;
    }

    Shape shape() {
        return shape;
    }

    String meaning() {
        return meaning;
    }

    /// A loop on this workbench, with a state of its own. All PEs must have made theirs before any runs it: a
    /// barrier lies between.
    Loop loop(Workbench bench) {
        return switch (this) {
            case BARRIER -> new MeetingLoops.Barrier(bench);
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
            case PINGPONG -> new ExchangeLoops.PingPong(bench);
            case PUT_SIGNAL -> new ExchangeLoops.PutSignal(bench, SignalUpdate.SET);
            case PUT_SIGNAL_ADD -> new ExchangeLoops.PutSignal(bench, SignalUpdate.ADD);
            case PUT_SIGNAL_NBI -> new ExchangeLoops.PutSignalNbi(bench);
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
            case FADD_NBI -> new PendingLoops.FetchAdd(bench);
            case CAS_NBI -> new PendingLoops.CompareAndSwap(bench);
            case SWAP_NBI -> new PendingLoops.Swap(bench);
            case FETCH_NBI -> new PendingLoops.Fetch(bench);
            case FETCH_AND_NBI -> new PendingLoops.FetchAnd(bench);
            case FETCH_OR_NBI -> new PendingLoops.FetchOr(bench);
            case FETCH_XOR_NBI -> new PendingLoops.FetchXor(bench);
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
            case REDUCE -> new MeetingLoops.Reduce(bench);
            case REDUCE_REQUEST -> new RequestLoops.Reduce(bench);
            case BARRIER_REQUEST -> new RequestLoops.Barrier(bench);
            case BCAST -> new MeetingLoops.Broadcast(bench);
            case INSCAN -> new MeetingLoops.InclusiveScan(bench);
            case EXSCAN -> new MeetingLoops.ExclusiveScan(bench);
            case REDUCE_SCATTER -> new PartLoops.ReduceScatter(bench);
            case FCOLLECT -> new PartLoops.FixedCollect(bench);
            case COLLECT -> new PartLoops.Collect(bench);
            case ALLTOALL -> new PartLoops.Exchange(bench);
            case SYNC -> new TeamLoops.Sync(bench);
            case SUM -> new TeamLoops.Sum(bench);
            case SPLIT -> new TeamLoops.Split(bench);
        };
    }

    /// Whether it is measured when nothing is said.
    boolean isUsual() {
        return USUAL.contains(this);
    }

    /// Bytes that one iteration moves where its [Shape#isRate].
    long movedBytes(long bytes) {
        return CopyLoops.WINDOW * bytes;
    }

    /// The operations of this name: one, those of a family, or `all`.
    ///
    /// @throws IllegalArgumentException if there is none; the message lists all
    static List<Operation> named(String name) {
        List<Operation> found = Arrays.stream(values())
                .filter(operation -> Stream.of(operation.label(), operation.family.label(), "all")
                        .anyMatch(name::equals))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("--ops: there is no \"" + name + "\"; there are all, the families "
                    + Arrays.stream(Family.values()).map(Family::label).collect(Collectors.joining(", "))
                    + ", and the operations "
                    + Arrays.stream(values()).map(Operation::label).collect(Collectors.joining(", ")));
        }
        return found;
    }
}
