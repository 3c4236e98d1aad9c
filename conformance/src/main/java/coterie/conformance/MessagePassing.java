// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.Litmus.Y;
import static coterie.conformance.LitmusShape.seen;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Comparison;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// PE 0 writes X and then Y; PE 1, which sees Y, sees X. X and Y are on PE 1, which says `2 × saw Y + saw X`.
final class MessagePassing extends LitmusShapes {
    MessagePassing(Litmus litmus) {
        super(litmus);
    }

    @Override
    List<LitmusShape> list() {
        LitmusShape.Law law = (zero, one, last) -> one != 2;
        LitmusShape.Step reads = (cell, base) -> both(words.test(cell + Y, Comparison.GT, base), words.get(cell), base);
        List<LitmusShape> shapes = new ArrayList<>();
        shapes.add(new LitmusShape(
                "MP put, fence, put | test, load",
                (cell, base) -> putFencePut(cell, base + 1, cell + Y, base + 1),
                reads,
                law));
        shapes.add(new LitmusShape(
                "MP put, fence, put | wait, load",
                (cell, base) -> putFencePut(cell, base + 1, cell + Y, base + 1),
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
                    words.putSignal(cell, source, 0, BULK, litmus.signal(cell).setting(base + 1), 1);
                    return 0;
                },
                (cell, base) -> both(litmus.signal(cell).fetch() > base, least(cell), base),
                law));
        shapes.add(new LitmusShape(
                "MP put of 128 bytes with signal add | wait for signal, load all",
                (cell, base) -> {
                    Arrays.fill(array, base + 1);
                    words.putSignal(cell, source, 0, BULK, litmus.signal(cell).adding(4), 1);
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
                (cell, base) -> both(words.getAcquire(cell + Y, 1) >= base, words.get(cell), base),
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

    private static int both(boolean sawY, long x, long base) {
        return (sawY ? 2 : 0) + seen(x, base);
    }
}
