// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import coterie.Context;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.WaitSet;
import coterie.World;
import java.lang.foreign.MemorySegment;

/// What all loops work on: the world, a source and a target buffer, and words of a cache line each.
///
/// PE 0 is the origin of one-sided operations and PE 1 their target; a lone PE is both.
final class BenchFixture implements AutoCloseable {
    private static final long PAGE = 4096;

    /// A cache line for each word, and the next line, which the prefetcher loads with it.
    private static final long LINE = 128;

    /// Where one-sided operations on single words go: element and byte 0 of the words, whatever view they are seen
    /// by.
    static final long WORD = 0;

    /// What the ping-pong waits for: an element of the longs.
    static final long FLAG = LINE / Long.BYTES;

    private static final long AGREED = 2 * LINE / Long.BYTES;

    /// What puts with signal wait for: bytes into the words.
    static final long SIGNAL = 3 * LINE;

    /// How many words the waits look at. Word `k` of them is `k`.
    static final int SET_SIZE = 16;

    private static final long SET = 4 * LINE / Long.BYTES;

    /// The last of these words: an element of the longs.
    static final long SET_LAST = SET + SET_SIZE - 1;

    private static final long KERNEL_SIGNALS = SET + LINE / Long.BYTES;

    /// Signals of kernels.
    static final int MOST_KERNEL_SIGNALS = 6;

    private static final long LOCKS = KERNEL_SIGNALS * Long.BYTES + MOST_KERNEL_SIGNALS * LINE;

    final World world;
    final Team team;
    final Context context;
    final int pe;
    final int size;
    final int peer;
    final SymmetricMemory source;
    final SymmetricMemory target;
    final SymmetricMemory words;
    final IntegerView longs;
    final IntegerView ints;
    final IntegerView shorts;
    final IntegerView bytes;
    final MemorySegment mySource;
    final MemorySegment myTarget;

    /// **Collective**: allocates the buffers.
    ///
    /// @param largest bytes of the largest operation
    BenchFixture(World world, long largest) {
        this.world = world;
        this.team = world.team();
        this.context = world.context();
        this.pe = world.pe();
        this.size = world.size();
        this.peer = size == 1 ? 0 : pe == 0 ? 1 : 0;
        // Room for what pending atomics fetch, and for one element behind the last, which must stay as it is.
        long room = Math.max(largest, NonBlockingAtomicLoop.WINDOW * Long.BYTES) + PAGE;
        this.source = world.allocate(room, PAGE);
        this.target = world.allocate(room, PAGE);
        this.words = world.allocate(lockOffset(size), PAGE);
        this.longs = words.longs();
        this.ints = words.ints();
        this.shorts = words.shorts();
        this.bytes = words.bytes();
        this.mySource = source.segment();
        this.myTarget = target.segment();
        for (int k = 0; k < SET_SIZE; k++) {
            longs.set(SET + k, k);
        }
        fill(largest);
    }

    /// The words that the waits look at.
    WaitSet waitSet() {
        return longs.waitSet(SET, SET_SIZE);
    }

    /// The last of these words.
    SignalWord setSignal() {
        return words.signal(SET_LAST);
    }

    /// A signal of a kernel, on a line of its own.
    ///
    /// @param number below [#MOST_KERNEL_SIGNALS]
    SignalWord kernelSignal(int number) {
        return words.signal(KERNEL_SIGNALS + number * LINE / Long.BYTES);
    }

    /// One of as many locks as there are PEs. They lie side by side, so that each has another home.
    SymmetricLock lock(int number) {
        return words.lock(lockOffset(number) / Long.BYTES);
    }

    /// Where a lock lies: bytes into the words.
    static long lockOffset(int number) {
        return LOCKS + number * SymmetricLock.BYTES;
    }

    /// Every PE's source holds its number plus one, in doubles; every target holds zeros.
    void fill(long bytes) {
        long elements = bytes / Double.BYTES + 1;
        for (long i = 0; i < elements; i++) {
            mySource.setAtIndex(JAVA_DOUBLE, i, valueOf(pe));
        }
        myTarget.asSlice(0, elements * Double.BYTES).fill((byte) 0);
        team.barrier();
    }

    /// What [#fill] writes into the source of a PE.
    static double valueOf(int pe) {
        return pe + 1.0;
    }

    /// Whether one-sided operations of PE 0 go to me.
    boolean isTarget() {
        return pe == (size == 1 ? 0 : 1);
    }

    /// All PEs get PE 0's value.
    long agree(long value) {
        team.barrier();
        if (pe == 0) {
            for (int to = 0; to < size; to++) {
                longs.put(AGREED, value, to);
            }
        }
        team.barrier();
        return longs.get(AGREED);
    }

    /// All PEs get PE 0's verdict.
    boolean agree(boolean verdict) {
        return agree(verdict ? 1 : 0) != 0;
    }

    /// Whether it is so on any PE.
    boolean anywhere(boolean here) {
        return team.allReduce(Reduction.MAX, here ? 1 : 0) != 0;
    }

    /// Checks that the first `bytes` of my target are the source of the PE whose value this is, and that what
    /// follows is untouched.
    void checkTarget(String operation, long bytes, double expected) {
        long elements = bytes / Double.BYTES;
        for (long i = 0; i < elements; i++) {
            checkElement(operation, bytes, i, expected);
        }
        if (bytes % Double.BYTES == 0) {
            checkElement(operation, bytes, elements, 0);
        }
    }

    /// Checks an element of my target.
    void checkElement(String operation, long bytes, long index, double expected) {
        checkValue(operation, bytes, "target", index, myTarget.getAtIndex(JAVA_DOUBLE, index), expected);
    }

    /// Checks an element of an array.
    void checkValue(String operation, long bytes, String array, long index, double found, double expected) {
        if (found != expected) {
            throw new IllegalStateException(operation + " of " + bytes + " bytes on PE " + pe + " of " + size
                    + ": element " + index + " of the " + array + " is " + found + ", not " + expected);
        }
    }

    /// Checks that PE 0's put has arrived, if I am its target.
    void checkPut(String operation, long bytes) {
        if (isTarget()) {
            checkTarget(operation, bytes, valueOf(0));
        }
    }

    /// Checks that PE 0's get has arrived, if I am PE 0.
    void checkGet(String operation, long bytes) {
        if (pe == 0) {
            checkTarget(operation, bytes, valueOf(peer));
        }
    }

    /// Checks my [#WORD].
    void checkWord(String operation, IntegerView view, long expected) {
        checkWord(operation, view, WORD, expected);
    }

    /// Checks a word of mine.
    void checkWord(String operation, IntegerView view, long index, long expected) {
        long found = view.get(index);
        if (found != expected) {
            throw new IllegalStateException(
                    operation + " on PE " + pe + " of " + size + ": the word is " + found + ", not " + expected);
        }
    }

    /// What a view of signed integers reads where it has written this value.
    static long narrowed(IntegerView view, long value) {
        int above = Long.SIZE - view.type().byteSize() * Byte.SIZE;
        return value << above >> above;
    }

    /// **Collective**: frees the buffers.
    @Override
    public void close() {
        words.close();
        target.close();
        source.close();
    }
}
