// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.AtomicOperation;
import coterie.ByteView;
import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.DoubleView;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerReduction;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SessionOption;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.WaitSet;
import coterie.World;
import coterie.junit.SpmdTest;
import coterie.testing.AllocationAssertions;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Counts what each PE's thread allocates, on two PEs that work at once. Views are made before and kept, as
/// programs do it: making one is not among what must cost nothing.
@DisplayName("hot paths allocate nothing")
class AllocationTest {
    private static final long OPERATIONS = 20_000;

    private static final long HALF = 1 << 16;

    private static final Duration LONG = Duration.ofHours(1);

    /// One operation many times. A call of [#run] allocates nothing besides.
    @FunctionalInterface
    interface Repeated {
        void run(long operations);
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("put and get of any size class, waiting or not")
    void copies(World world) {
        Context context = world.context();
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(2 * HALF)) {
            ByteView view = memory.bytes();
            MemorySegment mine = MemorySegment.ofArray(new long[1 << 13]);
            for (long bytes : new long[] {8, 64, 4096, HALF}) {
                assertClean(world, "put of " + bytes, n -> {
                    for (long i = 0; i < n * 8 / bytes; i++) {
                        view.put(0, mine, 0, bytes, peer);
                    }
                });
                assertClean(world, "get of " + bytes, n -> {
                    for (long i = 0; i < n * 8 / bytes; i++) {
                        view.get(HALF, mine, 0, bytes, peer);
                    }
                });
            }
            assertClean(world, "1000 putNbi and a quiet", n -> {
                for (long i = 0; i < n; i++) {
                    view.putNbi(0, mine, 0, 64, peer);
                    if (i % 1000 == 999) {
                        context.quiet();
                    }
                }
            });
            assertClean(world, "1000 getNbi and a quiet", n -> {
                for (long i = 0; i < n; i++) {
                    view.getNbi(HALF, mine, 0, 64, peer);
                    if (i % 1000 == 999) {
                        context.quiet();
                    }
                }
            });
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("put and get of arrays, copies between views, bits of elements, own signals")
    void localSides(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(2 * HALF)) {
            long[] longs = new long[64];
            float[] floats = new float[64];
            LongView asLongs = memory.longs();
            FloatView asFloats = memory.floats();
            IntegerView upper = asLongs.slice(HALF / 8, 64);
            SignalWord signal = memory.signal(1024);
            assertClean(world, "copies with other local sides", n -> {
                for (long i = 0; i < n; i++) {
                    asLongs.put(0, longs, 0, 64, peer);
                    asLongs.get(64, longs, 0, 64, peer);
                    asFloats.put(0, floats, 0, 64, peer);
                    asFloats.get(64, floats, 0, 64, peer);
                    asLongs.putFrom(0, upper, 0, 64, peer);
                    asLongs.getInto(0, upper, 0, 64, peer);
                    asFloats.setBits(70, asFloats.getBits(70) + 1);
                    signal.set(i);
                }
            });
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("strided copies of elements and blocks")
    void stridedCopies(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(2 * HALF)) {
            MemorySegment mine = MemorySegment.ofArray(new long[1024]);
            for (ElementView view : List.of(memory.longs(), memory.ints(), memory.shorts(), memory.doubles())) {
                for (long block : new long[] {1, 8}) {
                    assertClean(world, "strided copies, blocks of " + block + ", " + view.type(), n -> {
                        for (long i = 0; i < n / 16; i++) {
                            view.putStrided(0, 3 * block, mine, 0, 2 * block, block, 16, peer);
                            view.getStrided(HALF / 8, 2 * block, mine, 0, 3 * block, block, 16, peer);
                        }
                    });
                }
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("single elements of every type, others' and my own")
    void words(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(256)) {
            for (IntegerView view : integers(memory)) {
                assertClean(world, "single " + view.type(), n -> {
                    for (long i = 0; i < n; i++) {
                        view.put(0, view.get(0, peer) + 1, peer);
                        view.set(8, view.get(8) + 1);
                    }
                });
            }
            DoubleView doubles = memory.doubles();
            FloatView floats = memory.floats();
            assertClean(world, "single DOUBLE and FLOAT", n -> {
                for (long i = 0; i < n; i++) {
                    doubles.put(0, doubles.get(0, peer) + 1, peer);
                    doubles.set(8, doubles.get(8) + 1);
                    floats.put(2, floats.get(2, peer) + 1, peer);
                    floats.set(24, floats.get(24) + 1);
                }
            });
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("atomics of integers of every width")
    void atomics(World world) {
        Context context = world.context();
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(256)) {
            MemorySegment results = MemorySegment.ofArray(new long[1000]);
            for (IntegerView view : integers(memory)) {
                assertClean(world, "atomics that change, " + view.type(), n -> {
                    for (long i = 0; i < n; i++) {
                        view.setRelease(0, i, peer);
                        view.add(0, 1, peer);
                        view.and(0, i, peer);
                        view.or(0, i, peer);
                        view.xor(0, i, peer);
                    }
                });
                assertClean(world, "atomics that fetch, " + view.type(), n -> {
                    long sum = 0;
                    for (long i = 0; i < n; i++) {
                        sum += view.getAcquire(0, peer);
                        sum += view.getAndAdd(0, 1, peer);
                        sum += view.getAndSet(0, i, peer);
                        sum += view.compareAndExchange(0, i, i + 1, peer);
                        sum += view.getAndBitwiseAnd(0, i, peer);
                        sum += view.getAndBitwiseOr(0, i, peer);
                        sum += view.getAndBitwiseXor(0, i, peer);
                    }
                    view.set(8, sum);
                });
                AtomicOperation[] operations = AtomicOperation.values();
                assertClean(world, "1000 atomics not waited for, " + view.type(), n -> {
                    for (long i = 0; i < n; i++) {
                        AtomicOperation operation = operations[(int) (i % operations.length)];
                        view.fetchNbi(operation, 0, i, results, i % 1000, peer);
                        view.compareAndExchangeNbi(0, i, i + 1, results, i % 1000, peer);
                        if (i % 1000 == 999) {
                            context.quiet();
                        }
                    }
                });
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("floating-point atomics")
    void floatingAtomics(World world) {
        Context context = world.context();
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(256)) {
            DoubleView doubles = memory.doubles();
            FloatView floats = memory.floats();
            MemorySegment results = MemorySegment.ofArray(new long[1000]);
            assertClean(world, "atomics of doubles", n -> {
                double sum = 0;
                for (long i = 0; i < n; i++) {
                    doubles.setRelease(0, 2, peer);
                    doubles.add(0, 1, peer);
                    sum += doubles.getAcquire(0, peer) + doubles.getAndSet(0, 3, peer) + doubles.getAndAdd(0, 1, peer);
                }
                doubles.set(8, sum);
            });
            assertClean(world, "atomics of floats", n -> {
                float sum = 0;
                for (long i = 0; i < n; i++) {
                    floats.setRelease(0, 2, peer);
                    floats.add(0, 1, peer);
                    sum += floats.getAcquire(0, peer) + floats.getAndSet(0, 3, peer) + floats.getAndAdd(0, 1, peer);
                }
                floats.set(8, sum);
            });
            for (AtomicOperation operation :
                    List.of(AtomicOperation.FETCH, AtomicOperation.SWAP, AtomicOperation.ADD)) {
                assertClean(world, "1000 times " + operation + " not waited for", n -> {
                    for (long i = 0; i < n; i++) {
                        doubles.fetchNbi(operation, 0, 1, results, i % 1000, peer);
                        floats.fetchNbi(operation, 2, 1, results, i % 1000, peer);
                        if (i % 1000 == 999) {
                            context.quiet();
                        }
                    }
                });
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("puts with signal, and signals alone")
    void signals(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(HALF)) {
            ByteView view = memory.bytes();
            SignalWord signal = memory.signal(HALF / 8 - 1);
            MemorySegment mine = MemorySegment.ofArray(new long[512]);
            for (SignalUpdate update : List.of(signal.setting(1), signal.adding(1))) {
                assertClean(world, "puts with signal, " + update.operation(), n -> {
                    for (long i = 0; i < n; i++) {
                        view.putSignal(0, mine, 0, 64, update, peer);
                        view.putSignalNbi(0, mine, 0, 4096, update, peer);
                    }
                });
            }
            assertClean(world, "signals", n -> {
                for (long i = 0; i < n; i++) {
                    signal.add(1, peer);
                    signal.set(signal.fetch() + 1, peer);
                    signal.waitUntil(Comparison.GE, 0);
                    signal.waitUntil(Comparison.GE, 0, LONG);
                }
            });
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("waits that are over at once, and tests, of every width")
    void waits(World world) {
        try (SymmetricMemory memory = world.allocate(256)) {
            for (IntegerView view : integers(memory)) {
                assertClean(world, "wait and test, " + view.type(), n -> {
                    long held = 0;
                    for (long i = 0; i < n; i++) {
                        held += view.waitUntil(0, Comparison.EQ, 0) + view.waitUntil(0, Comparison.LE, 0, LONG);
                        held += view.test(0, Comparison.NE, 0) ? 1 : 0;
                    }
                    view.set(20, held);
                });
                WaitSet set = view.waitSet(0, 16).withTimeout(LONG);
                int[] found = new int[16];
                long[] operands = new long[16];
                BitSet skipped = new BitSet();
                skipped.set(3);
                assertClean(world, "set of " + view.type(), n -> {
                    for (long i = 0; i < n; i++) {
                        set.waitAll(Comparison.EQ, 0);
                        set.waitAny(Comparison.EQ, 0);
                        set.waitSome(Comparison.EQ, 0, found);
                        set.testAll(Comparison.EQ, 0);
                        set.testAny(Comparison.NE, 0);
                        set.testSome(Comparison.EQ, 0, found);
                    }
                });
                WaitSet some = set.withSkipped(skipped);
                assertClean(world, "set of " + view.type() + " with an operand each and one left out", n -> {
                    for (long i = 0; i < n; i++) {
                        some.waitAll(Comparison.EQ, operands);
                        some.waitAny(Comparison.EQ, operands);
                        some.waitSome(Comparison.EQ, operands, found);
                        some.testAll(Comparison.EQ, operands);
                        some.testAny(Comparison.NE, operands);
                        some.testSome(Comparison.EQ, operands, found);
                    }
                });
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("fence, quiet, quiet of some PEs, sessions, and views through a context")
    void completion(World world) {
        int[] pes = {1 - world.pe(), world.pe()};
        SessionOption[] session = {SessionOption.BATCH};
        try (SymmetricMemory memory = world.allocate(256);
                Context context = world.team().createContext(ContextOption.PRIVATE, ContextOption.NOSTORE)) {
            for (Context each : List.of(world.context(), context)) {
                LongView view = memory.longs().through(each);
                assertClean(world, "fence and quiet", n -> {
                    for (long i = 0; i < n; i++) {
                        each.startSession(2, session);
                        view.put(0, i, pes[0]);
                        each.fence();
                        view.put(1, i, pes[0]);
                        each.quiet();
                        each.quiet(pes);
                        each.stopSession();
                    }
                });
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("locks, free and fought for")
    void locks(World world) {
        try (SymmetricMemory memory = world.allocate(3 * SymmetricLock.BYTES)) {
            SymmetricLock alone = memory.lock(world.pe() * SymmetricLock.LONGS);
            SymmetricLock common = memory.lock(2 * SymmetricLock.LONGS);
            assertClean(world, "lock that no other PE wants", n -> {
                for (long i = 0; i < n; i++) {
                    alone.lock();
                    alone.unlock();
                    alone.lock(LONG);
                    alone.unlock();
                    if (alone.tryLock()) {
                        alone.unlock();
                    }
                }
            });
            assertClean(world, "lock that both want", n -> {
                for (long i = 0; i < n / 100; i++) {
                    common.lock();
                    common.unlock();
                }
            });
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("barrier and scalar sums")
    void collectives(World world) {
        Team team = world.team();
        assertClean(world, "barrier", n -> {
            for (long i = 0; i < n; i++) {
                team.barrier();
            }
        });
        assertClean(world, "sum of longs", n -> {
            for (long i = 0; i < n; i++) {
                team.sum(i);
            }
        });
        assertClean(world, "sum of doubles", n -> {
            for (long i = 0; i < n; i++) {
                team.sum((double) i);
            }
        });
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("collectives over memory, in a team of the program's own")
    void collectivesOverMemory(World world) {
        try (Team team = world.team().duplicate();
                SymmetricMemory memory = world.allocate(HALF)) {
            DoubleView doubles = memory.doubles();
            ByteView bytes = memory.bytes().unsigned();
            long half = doubles.length() / 2;
            assertClean(world, "reduce of doubles, and of bytes in place", n -> {
                for (long i = 0; i < n / 10; i++) {
                    team.allReduce(Reduction.SUM, doubles, 0, doubles, half, 8);
                    team.allReduce(Reduction.MIN, bytes, 0, bytes, 0, 15);
                }
            });
            assertClean(world, "scans and reduceScatter", n -> {
                for (long i = 0; i < n / 10; i++) {
                    team.inclusiveScan(Reduction.MAX, doubles, 0, doubles, half, 8);
                    team.exclusiveScan(Reduction.MAX, doubles, 0, doubles, 0, 8);
                    team.reduceScatter(IntegerReduction.XOR, bytes, 0, bytes, 0, 4);
                }
            });
            assertClean(world, "broadcast", n -> {
                for (long i = 0; i < n / 10; i++) {
                    team.broadcast(doubles, 0, doubles, half, 8, (int) (i % 2));
                }
            });
            assertClean(world, "fcollect and collect", n -> {
                for (long i = 0; i < n / 10; i++) {
                    team.allGather(doubles, 0, doubles, half, 8);
                    team.allGatherV(doubles, 0, doubles, half, i % 8);
                }
            });
            assertClean(world, "alltoall and alltoallStrided", n -> {
                for (long i = 0; i < n / 10; i++) {
                    team.allToAll(doubles, 0, doubles, half, 8);
                    team.allToAllStrided(doubles, 0, 2, doubles, half, 3, 8);
                }
            });
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("waiting for another PE: one word, and one of a set")
    void pingPong(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(4 * Long.BYTES)) {
            LongView flags = memory.longs();
            WaitSet set = flags.waitSet(2, 2);
            long[] turn = {0};
            assertClean(world, "flag ping-pong", n -> {
                for (long i = 0; i < n / 2; i++) {
                    turn[0]++;
                    if (world.pe() == 0) {
                        flags.put(0, turn[0], peer);
                    }
                    flags.waitUntil(0, Comparison.GE, turn[0]);
                    if (world.pe() == 1) {
                        flags.put(0, turn[0], peer);
                    }
                }
            });
            assertClean(world, "ping-pong with a set", n -> {
                for (long i = 0; i < n / 2; i++) {
                    turn[0]++;
                    if (world.pe() == 0) {
                        flags.put(2 + turn[0] % 2, turn[0], peer);
                    }
                    set.waitAny(Comparison.GE, turn[0]);
                    if (world.pe() == 1) {
                        flags.put(2 + turn[0] % 2, turn[0], peer);
                    }
                }
            });
        }
    }

    private static List<IntegerView> integers(SymmetricMemory memory) {
        return List.of(
                memory.longs(),
                memory.ints(),
                memory.shorts(),
                memory.bytes(),
                memory.longs().unsigned());
    }

    /// All PEs run the same rounds: they go on until none has allocated anything for some rounds in a row.
    static void assertClean(World world, String what, Repeated operation) {
        AllocationAssertions.assertClean(
                OPERATIONS + " times \"" + what + "\"",
                mine -> world.team().allReduce(Reduction.MAX, mine),
                () -> operation.run(OPERATIONS));
    }
}
