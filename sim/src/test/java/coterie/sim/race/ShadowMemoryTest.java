// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares the tree of cells with an array of one cell per byte.
class ShadowMemoryTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final int BYTES = (int) (5 * MEBIBYTE);

    /// A change of cells that records the first offset of each run of equal cells.
    private record Asked(ShadowCell cell, long offset) {}

    private final ShadowMemory shadowMemory = new ShadowMemory();
    private final ShadowCell[] bytes = new ShadowCell[BYTES];

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void eachByteHasTheCellOfItsOwnChanges(long seed) {
        Arrays.fill(bytes, ShadowCell.EMPTY);
        SplittableRandom random = new SplittableRandom(seed);
        for (int change = 0; change < 300; change++) {
            long grain = 1L << random.nextInt(22);
            long offset = random.nextLong(BYTES / grain) * grain;
            long length = Math.min(BYTES - offset, grain * random.nextLong(1, 5));
            change(offset, length);
            if (change % 50 == 49) {
                assertThat(runs()).as("after %d changes", change + 1).isEqualTo(expectedRuns());
            }
        }
        change(77, 0);
        change(0, BYTES);
        assertThat(runs()).as("after a change of all").isEqualTo(expectedRuns());
        shadowMemory.clear();
        assertThat(runs()).as("cleared").containsExactly(Map.entry(0L, ShadowCell.EMPTY));
    }

    /// Changes both, and compares the offsets that the changes recorded.
    private void change(long offset, long length) {
        Map<Long, ShadowCell> made = new HashMap<>();
        List<Asked> byShadow = new ArrayList<>();
        shadowMemory.change(offset, length, (cell, at) -> {
            byShadow.add(new Asked(cell, at));
            return made.computeIfAbsent(at, ShadowMemoryTest::another);
        });
        List<Asked> byBytes = new ArrayList<>();
        ShadowCell before = null;
        ShadowCell after = ShadowCell.EMPTY;
        for (int at = (int) offset; at < offset + length; at++) {
            if (bytes[at] != before) {
                before = bytes[at];
                byBytes.add(new Asked(before, at));
                after = made.computeIfAbsent((long) at, ShadowMemoryTest::another);
            }
            bytes[at] = after;
        }
        assertThat(byShadow).as("%d bytes from %d on", length, offset).isEqualTo(byBytes);
    }

    private static ShadowCell another(long offset) {
        return ShadowCell.EMPTY.with(
                new ReadAccess(0, AccessKind.READ, new ByteInterval(Region.HEAP, 0, offset, 1), null));
    }

    /// Returns the runs of equal cells, by their first offsets.
    private List<Map.Entry<Long, ShadowCell>> runs() {
        List<Map.Entry<Long, ShadowCell>> runs = new ArrayList<>();
        shadowMemory.change(0, BYTES, (cell, at) -> {
            runs.add(Map.entry(at, cell));
            return cell;
        });
        return runs;
    }

    private List<Map.Entry<Long, ShadowCell>> expectedRuns() {
        List<Map.Entry<Long, ShadowCell>> runs = new ArrayList<>();
        for (int at = 0; at < BYTES; at++) {
            if (at == 0 || bytes[at] != bytes[at - 1]) {
                runs.add(Map.entry((long) at, bytes[at]));
            }
        }
        return runs;
    }
}
