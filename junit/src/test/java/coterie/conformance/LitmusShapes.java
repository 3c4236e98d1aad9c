// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.Litmus.Y;
import static coterie.conformance.LitmusShape.seen;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Comparison;
import coterie.Context;
import coterie.Integers;
import coterie.SignalUpdate;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The classic shapes, over the operations of symmetric memory. A cell's word X is the cell itself.
final class LitmusShapes {
    /// Elements of a put that is more than a word: all that fits before Y.
    private static final int BULK = Y;

    private final Litmus litmus;
    private final Integers words;
    private final Context context;

    /// Each PE's cells as plain memory; empty where they can't be loaded and stored.
    private final List<MemorySegment> plain = new ArrayList<>();

    /// What puts of more than a word copy from.
    private final long[] array = new long[BULK];

    private final MemorySegment source = MemorySegment.ofArray(array);

    LitmusShapes(Litmus litmus) {
        this.litmus = litmus;
        this.words = litmus.words;
        this.context = words.context();
        if (litmus.cells.segment(0).isPresent() && litmus.cells.segment(1).isPresent()) {
            plain.add(litmus.cells.segment(0).get());
            plain.add(litmus.cells.segment(1).get());
        }
    }

    /// Whether plain loads and stores reach the other PE: its operations are then loads and stores too.
    boolean isMapped() {
        return !plain.isEmpty();
    }

    /// PE 0 writes X and then Y; PE 1, which sees Y, sees X. X and Y are on PE 1, which says `2 × saw Y + saw X`.
    List<LitmusShape> messagePassing() {
        LitmusShape.Law law = (zero, one, last) -> one != 2;
        LitmusShape.Step reads = (cell, base) -> both(words.test(cell + Y, Comparison.GT, base), words.get(cell), base);
        List<LitmusShape> shapes = new ArrayList<>();
        shapes.add(new LitmusShape(
                "MP put, fence, put | test, load",
                (cell, base) -> {
                    words.put(cell, base + 1, 1);
                    context.fence();
                    words.put(cell + Y, base + 1, 1);
                    return 0;
                },
                reads,
                law));
        shapes.add(new LitmusShape(
                "MP put, fence, put | wait, load",
                (cell, base) -> {
                    words.put(cell, base + 1, 1);
                    context.fence();
                    words.put(cell + Y, base + 1, 1);
                    return 0;
                },
                (cell, base) -> both(words.waitUntil(cell + Y, Comparison.GT, base) > base, words.get(cell), base),
                law));
        shapes.add(new LitmusShape(
                "MP put of 128 bytes, fence, put | test, load all",
                (cell, base) -> {
                    Arrays.fill(array, base + 1);
                    words.put(cell, source, 0, BULK, 1);
                    context.fence();
                    words.put(cell + Y, base + 1, 1);
                    return 0;
                },
                (cell, base) -> both(words.test(cell + Y, Comparison.GT, base), least(cell), base),
                law));
        shapes.add(new LitmusShape(
                "MP nbi put of 128 bytes, quiet, put | test, load all",
                (cell, base) -> {
                    Arrays.fill(array, base + 1);
                    words.putNbi(cell, source, 0, BULK, 1);
                    context.quiet();
                    words.put(cell + Y, base + 1, 1);
                    return 0;
                },
                (cell, base) -> both(words.test(cell + Y, Comparison.GT, base), least(cell), base),
                law));
        shapes.add(new LitmusShape(
                "MP put of 128 bytes with signal set | fetch signal, load all",
                (cell, base) -> {
                    Arrays.fill(array, base + 1);
                    words.putSignal(cell, source, 0, BULK, litmus.signal(cell), SignalUpdate.SET, base + 1, 1);
                    return 0;
                },
                (cell, base) -> both(litmus.signal(cell).fetch() > base, least(cell), base),
                law));
        shapes.add(new LitmusShape(
                "MP put of 128 bytes with signal add | wait for signal, load all",
                (cell, base) -> {
                    Arrays.fill(array, base + 1);
                    words.putSignal(cell, source, 0, BULK, litmus.signal(cell), SignalUpdate.ADD, 4, 1);
                    return 0;
                },
                (cell, base) -> both(litmus.signal(cell).waitUntil(Comparison.GE, base) >= base, least(cell), base),
                law));
        shapes.add(new LitmusShape(
                "MP put, fence, atomic add | atomic fetch, load",
                (cell, base) -> {
                    words.put(cell, base + 1, 1);
                    context.fence();
                    words.add(cell + Y, 4, 1);
                    return 0;
                },
                (cell, base) -> both(words.atomicFetch(cell + Y, 1) >= base, words.get(cell), base),
                law));
        shapes.add(new LitmusShape(
                "MP store of my own, quiet, put | test, get",
                (cell, base) -> {
                    words.set(cell, base + 1);
                    context.quiet();
                    words.put(cell + Y, base + 1, 1);
                    return 0;
                },
                (cell, base) -> both(words.test(cell + Y, Comparison.GT, base), words.get(cell, 0), base),
                law));
        if (isMapped()) {
            shapes.add(new LitmusShape(
                    "MP plain store, fence, put | test, plain load",
                    (cell, base) -> {
                        plain.get(1).setAtIndex(JAVA_LONG, cell, base + 1);
                        context.fence();
                        words.put(cell + Y, base + 1, 1);
                        return 0;
                    },
                    (cell, base) -> both(
                            words.test(cell + Y, Comparison.GT, base),
                            plain.get(1).getAtIndex(JAVA_LONG, cell),
                            base),
                    law));
        }
        return shapes;
    }

    /// Each PE writes a word and then reads the other's; at least one sees a write. X is on PE 1, Y on PE 0.
    ///
    /// @param lone a context of this thread alone that does not order plain stores
    List<LitmusShape> storeBuffering(Context lone) {
        Integers alone = words.through(lone);
        LitmusShape.Law law = (zero, one, last) -> zero + one > 0;
        List<LitmusShape> shapes = new ArrayList<>();
        shapes.add(new LitmusShape(
                "SB put, quiet, load",
                (cell, base) -> {
                    words.put(cell, base + 1, 1);
                    context.quiet();
                    return seen(words.get(cell + Y), base);
                },
                (cell, base) -> {
                    words.put(cell + Y, base + 1, 0);
                    context.quiet();
                    return seen(words.get(cell), base);
                },
                law));
        shapes.add(new LitmusShape(
                "SB store of my own, quiet, get",
                (cell, base) -> {
                    words.set(cell + Y, base + 1);
                    context.quiet();
                    return seen(words.get(cell, 1), base);
                },
                (cell, base) -> {
                    words.set(cell, base + 1);
                    context.quiet();
                    return seen(words.get(cell + Y, 0), base);
                },
                law));
        shapes.add(new LitmusShape(
                "SB put, quiet of one PE, load",
                (cell, base) -> {
                    words.put(cell, base + 1, 1);
                    context.quiet(1);
                    return seen(words.get(cell + Y), base);
                },
                (cell, base) -> {
                    words.put(cell + Y, base + 1, 0);
                    context.quiet(0);
                    return seen(words.get(cell), base);
                },
                law));
        shapes.add(new LitmusShape(
                "SB put, quiet, load through a private context without stores",
                (cell, base) -> {
                    alone.put(cell, base + 1, 1);
                    lone.quiet();
                    return seen(alone.get(cell + Y), base);
                },
                (cell, base) -> {
                    alone.put(cell + Y, base + 1, 0);
                    lone.quiet();
                    return seen(alone.get(cell), base);
                },
                law));
        shapes.add(new LitmusShape(
                "SB nbi put of 128 bytes, quiet, load all",
                (cell, base) -> {
                    Arrays.fill(array, base + 1);
                    words.putNbi(cell, source, 0, BULK, 1);
                    context.quiet();
                    return seen(least(cell + Y), base);
                },
                (cell, base) -> {
                    Arrays.fill(array, base + 1);
                    words.putNbi(cell + Y, source, 0, BULK, 0);
                    context.quiet();
                    return seen(least(cell), base);
                },
                law));
        shapes.add(new LitmusShape(
                "SB set signal, quiet, load",
                (cell, base) -> {
                    words.put(cell, base + 1, 1);
                    context.quiet();
                    return seen(litmus.signal(cell).fetch(), base);
                },
                (cell, base) -> {
                    litmus.signal(cell).set(base + 1, 0);
                    context.quiet();
                    return seen(words.get(cell), base);
                },
                law));
        if (isMapped()) {
            shapes.add(new LitmusShape(
                    "SB plain store, quiet, plain load",
                    (cell, base) -> {
                        plain.get(1).setAtIndex(JAVA_LONG, cell, base + 1);
                        context.quiet();
                        return seen(plain.get(0).getAtIndex(JAVA_LONG, cell + Y), base);
                    },
                    (cell, base) -> {
                        plain.get(0).setAtIndex(JAVA_LONG, cell + Y, base + 1);
                        context.quiet();
                        return seen(plain.get(1).getAtIndex(JAVA_LONG, cell), base);
                    },
                    law));
        }
        return shapes;
    }

    /// What `SB put, quiet, load` becomes where quiet is no more than a release fence. It may end with 0/0, and has
    /// to, or the tests above prove nothing.
    LitmusShape storeBufferingByFence() {
        return new LitmusShape(
                "SB put, fence, load",
                (cell, base) -> {
                    words.put(cell, base + 1, 1);
                    context.fence();
                    return seen(words.get(cell + Y), base);
                },
                (cell, base) -> {
                    words.put(cell + Y, base + 1, 0);
                    context.fence();
                    return seen(words.get(cell), base);
                },
                (zero, one, last) -> zero + one > 0);
    }

    /// Each PE reads a word and then writes the other's; not both see the write that comes after. X is on PE 0, Y
    /// on PE 1.
    List<LitmusShape> loadBuffering() {
        LitmusShape.Law law = (zero, one, last) -> zero + one < 2;
        return List.of(
                new LitmusShape(
                        "LB load, put",
                        (cell, base) -> {
                            int seen = seen(words.get(cell), base);
                            words.put(cell + Y, base + 1, 1);
                            return seen;
                        },
                        (cell, base) -> {
                            int seen = seen(words.get(cell + Y), base);
                            words.put(cell, base + 1, 0);
                            return seen;
                        },
                        law),
                new LitmusShape(
                        "LB get, fence, store of my own",
                        (cell, base) -> {
                            int seen = seen(words.get(cell + Y, 1), base);
                            context.fence();
                            words.set(cell, base + 1);
                            return seen;
                        },
                        (cell, base) -> {
                            int seen = seen(words.get(cell, 0), base);
                            context.fence();
                            words.set(cell + Y, base + 1);
                            return seen;
                        },
                        law));
    }

    /// One word has one history, which all see in the same order, and two words that a fence orders have one too.
    List<LitmusShape> coherence() {
        Integers bytes = litmus.cells.bytes();
        return List.of(
                new LitmusShape(
                        "CoRR put, fence, put | load, load",
                        (cell, base) -> {
                            words.put(cell, base + 1, 1);
                            context.fence();
                            words.put(cell, base + 2, 1);
                            return 0;
                        },
                        (cell, base) -> {
                            int first = seen(words.get(cell), base);
                            return first * 4 + seen(words.get(cell), base);
                        },
                        (cell, base) -> seen(words.get(cell, 1), base),
                        (zero, one, last) -> one / 4 <= one % 4 && last == 2),
                new LitmusShape(
                        "2+2W put, fence, put",
                        (cell, base) -> {
                            words.put(cell, base + 1, 1);
                            context.fence();
                            words.put(cell + Y, base + 2, 1);
                            return 0;
                        },
                        (cell, base) -> {
                            words.put(cell + Y, base + 1, 1);
                            context.fence();
                            words.put(cell, base + 2, 1);
                            return 0;
                        },
                        (cell, base) -> seen(words.get(cell, 1), base) * 4 + seen(words.get(cell + Y, 1), base),
                        (zero, one, last) -> last != 1 * 4 + 1),
                new LitmusShape(
                        "S put, fence, put | atomic fetch, put",
                        (cell, base) -> {
                            words.put(cell, base + 2, 1);
                            context.fence();
                            words.put(cell + Y, base + 1, 1);
                            return 0;
                        },
                        (cell, base) -> {
                            int seen = seen(words.atomicFetch(cell + Y, 1), base);
                            words.put(cell, base + 1, 1);
                            return seen;
                        },
                        (cell, base) -> seen(words.get(cell, 1), base),
                        (zero, one, last) -> !(one == 1 && last == 2)),
                new LitmusShape(
                        "atomic add of 1 | of 3: one comes first, and none is lost",
                        (cell, base) -> (int) (words.fetchAdd(cell, 1, 1) - (base - 4)),
                        (cell, base) -> (int) (words.fetchAdd(cell, 3, 1) - (base - 4)),
                        (cell, base) -> words.get(cell, 1) == base ? 1 : 0,
                        (zero, one, last) -> last == 1 && (zero == 0 ? one == 1 : zero == 3 && one == 0)),
                new LitmusShape(
                        "atomic add to a byte | put to the byte beside it: neither is lost",
                        (cell, base) -> {
                            bytes.add(cell * Long.BYTES, 1, 1);
                            return 0;
                        },
                        (cell, base) -> {
                            bytes.put(cell * Long.BYTES + 1, base >> 2, 1);
                            return 0;
                        },
                        (cell, base) -> words.get(cell, 1) == (base >> 2 & 0xFF) * 0x0101 ? 1 : 0,
                        (zero, one, last) -> last == 1));
    }

    private static int both(boolean sawY, long x, long base) {
        return (sawY ? 2 : 0) + seen(x, base);
    }

    /// The least of the words that a larger put has written; loads every one of them.
    private long least(long first) {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < BULK; i++) {
            least = Math.min(least, words.get(first + i));
        }
        return least;
    }
}
