// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.Litmus.Y;
import static coterie.conformance.LitmusShape.seen;

import java.util.List;

/// Each PE reads a word and then writes the other's; not both see the write that comes after. X is on PE 0, Y on
/// PE 1.
final class LoadBuffering extends LitmusShapes {
    LoadBuffering(Litmus litmus) {
        super(litmus);
    }

    @Override
    List<LitmusShape> list() {
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
}
