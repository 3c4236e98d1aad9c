// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.spi.Conduit.Region;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/// The events of a run in their order: as a digest, by which runs can be compared, and optionally as lines of a
/// file.
public final class EventTrace {
    private final @Nullable PrintWriter lines;
    private long digest;
    private long events;

    /// @param lines gets a line for each event, or null
    public EventTrace(@Nullable PrintWriter lines) {
        this.lines = lines;
    }

    void event(long time, Message.Kind kind, int pe, int peer, Region region, long offset, long length) {
        events++;
        long z = digest ^ time;
        z = z * 0x9E3779B97F4A7C15L + kind.ordinal();
        z = (z ^ (z >>> 29)) * 0xBF58476D1CE4E5B9L + (((long) pe << Integer.SIZE) | peer);
        z = (z ^ (z >>> 32)) * 0x94D049BB133111EBL + offset + length * 31 + region.ordinal();
        digest = z;
        if (lines != null) {
            lines.println(time + "\t" + kind + "\t" + pe + "\t" + peer + "\t" + region + "\t" + offset + "\t" + length);
        }
    }

    /// Returns a number that is equal for two runs with the same events at the same times.
    public String digest() {
        return events + "-" + Long.toHexString(digest);
    }

    /// Writes buffered lines to the file.
    public void flush() {
        if (lines != null) {
            lines.flush();
        }
    }
}
