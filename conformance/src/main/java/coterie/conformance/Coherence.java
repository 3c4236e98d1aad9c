// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.Litmus.Y;
import static coterie.conformance.LitmusShape.seen;

import coterie.ByteView;
import java.util.List;

/// One word has one history, which all see in the same order, and two words that a fence orders have one too.
final class Coherence extends LitmusShapes {
    Coherence(Litmus litmus) {
        super(litmus);
    }

    @Override
    List<LitmusShape> list() {
        ByteView bytes = litmus.cells.bytes();
        return List.of(
                new LitmusShape(
                        "CoRR put, fence, put | load, load",
                        (cell, base) -> putFencePut(cell, base + 1, cell, base + 2),
                        (cell, base) -> {
                            int first = seen(words.get(cell), base);
                            return first * 4 + seen(words.get(cell), base);
                        },
                        (cell, base) -> seen(words.get(cell, 1), base),
                        (zero, one, last) -> one / 4 <= one % 4 && last == 2),
                new LitmusShape(
                        "2+2W put, fence, put",
                        (cell, base) -> putFencePut(cell, base + 1, cell + Y, base + 2),
                        (cell, base) -> putFencePut(cell + Y, base + 1, cell, base + 2),
                        (cell, base) -> seen(words.get(cell, 1), base) * 4 + seen(words.get(cell + Y, 1), base),
                        (zero, one, last) -> last != 1 * 4 + 1),
                new LitmusShape(
                        "S put, fence, put | atomic fetch, put",
                        (cell, base) -> putFencePut(cell, base + 2, cell + Y, base + 1),
                        (cell, base) -> {
                            int seen = seen(words.getAcquire(cell + Y, 1), base);
                            words.put(cell, base + 1, 1);
                            return seen;
                        },
                        (cell, base) -> seen(words.get(cell, 1), base),
                        (zero, one, last) -> !(one == 1 && last == 2)),
                new LitmusShape(
                        "atomic add of 1 | of 3: one comes first, and none is lost",
                        (cell, base) -> (int) (words.getAndAdd(cell, 1, 1) - (base - 4)),
                        (cell, base) -> (int) (words.getAndAdd(cell, 3, 1) - (base - 4)),
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
}
