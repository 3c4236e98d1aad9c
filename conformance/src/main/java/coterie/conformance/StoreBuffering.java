// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.Litmus.Y;
import static coterie.conformance.LitmusShape.seen;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Context;
import coterie.IntegerView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Each PE writes a word and then reads the other's; at least one sees a write. X is on PE 1, Y on PE 0.
final class StoreBuffering extends LitmusShapes {
    private final Context lone;

    /// @param lone a context of this thread alone that does not order plain stores
    StoreBuffering(Litmus litmus, Context lone) {
        super(litmus);
        this.lone = lone;
    }

    @Override
    List<LitmusShape> list() {
        IntegerView alone = words.through(lone);
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

    /// What `SB put, quiet, load` becomes where quiet is no more than a release fence. It may end with 0/0, and
    /// has to, or the tests above prove nothing.
    LitmusShape withFence() {
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
}
