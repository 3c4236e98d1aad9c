// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.memory.SizeText;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// How a collective's data are cut into fragments: `thresh=64k:fragsize=1m:nfrags=4:pdepth=2:ordered`.
///
/// | word | means | unless given |
/// |---|---|---|
/// | `thresh` | data of more bytes than this are cut | must be given |
/// | `fragsize` | most bytes of a fragment | no limit |
/// | `nfrags` | fewest fragments | 2 |
/// | `pdepth` | most fragments at a time | 2 |
/// | `parallel`, `ordered`, `sequential` | see [FragmentOrder]; also with `order=` before it | `sequential` |
///
/// A number of bytes is one that [SizeText] reads. `inf` is no limit.
/// `n` alone cuts nothing, and `auto` lets the collective decide.
///
/// @param threshold in bytes
/// @param fragmentBytes at least 1
/// @param fragments at least 1
/// @param depth at least 1
public record PipelineParameters(long threshold, long fragmentBytes, int fragments, int depth, FragmentOrder order) {
    private static final long UNLIMITED = Long.MAX_VALUE;

    /// Cuts nothing.
    public static final PipelineParameters NONE =
            new PipelineParameters(UNLIMITED, UNLIMITED, 1, 1, FragmentOrder.PARALLEL);

    /// Reads a setting.
    ///
    /// @param automatic what `auto` stands for
    /// @throws IllegalArgumentException that names the column, from 1, of what can't be read
    public static PipelineParameters parse(String text, PipelineParameters automatic) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "n" -> NONE;
            case "auto" -> automatic;
            default -> new Reader(text).read();
        };
    }

    /// Returns how many fragments so many bytes are cut into; 2^31 − 1 at most.
    public int fragments(long bytes) {
        if (bytes <= threshold) {
            return 1;
        }
        return (int) Math.min(Integer.MAX_VALUE, Math.max(Math.ceilDiv(bytes, fragmentBytes), fragments));
    }

    /// Returns how many of so many fragments run at a time.
    public int depth(int fragmentCount) {
        return Math.min(fragmentCount, depth);
    }

    /// Returns where a fragment begins, of `count` that share `units` as evenly as possible: the later ones may
    /// have one less. Fragment `count` begins at the end.
    public static long begin(long units, int count, int fragment) {
        return units / count * fragment + Math.min(fragment, units % count);
    }

    /// Returns the text that [#parse] reads.
    @Override
    public String toString() {
        if (equals(NONE)) {
            return "n";
        }
        return "thresh=" + print(threshold) + ":fragsize=" + print(fragmentBytes) + ":nfrags=" + fragments + ":pdepth="
                + depth + ":" + order.label();
    }

    private static String print(long bytes) {
        return bytes == UNLIMITED ? "inf" : SizeText.format(bytes);
    }

    /// Reads word after word and keeps the column.
    private static final class Reader {
        private final String text;
        private int column = 1;
        private long threshold = -1;
        private long fragmentBytes = -1;
        private int fragments = -1;
        private int depth = -1;
        private FragmentOrder order = FragmentOrder.SEQUENTIAL;
        private boolean ordered;

        Reader(String text) {
            this.text = text;
        }

        PipelineParameters read() {
            for (String word : text.split(":", -1)) {
                read(word);
                column += word.length() + 1;
            }
            if (threshold < 0) {
                column = 1;
                throw refused("thresh is missing; add thresh=0 to fragment messages of every size");
            }
            return new PipelineParameters(
                    threshold,
                    fragmentBytes < 0 ? UNLIMITED : fragmentBytes,
                    fragments < 0 ? 2 : fragments,
                    depth < 0 ? 2 : depth,
                    order);
        }

        private void read(String word) {
            int equals = word.indexOf('=');
            String key = word.substring(0, Math.max(equals, 0)).strip().toLowerCase(Locale.ROOT);
            String value = word.substring(equals + 1).strip().toLowerCase(Locale.ROOT);
            switch (key) {
                case "thresh" -> threshold = bytes(key, value, 0, threshold);
                case "fragsize" -> fragmentBytes = bytes(key, value, 1, fragmentBytes);
                case "nfrags" -> fragments = number(key, value, fragments);
                case "pdepth" -> depth = number(key, value, depth);
                case "", "order" -> order = order(value, word);
                default -> throw refused("\"" + key + "\" is not one of thresh, fragsize, nfrags, pdepth and order");
            }
        }

        private FragmentOrder order(String value, String word) {
            once("order", ordered ? 1 : -1);
            ordered = true;
            for (FragmentOrder each : FragmentOrder.values()) {
                if (each.label().equals(value)) {
                    return each;
                }
            }
            throw refused("\"" + word + "\" is not one of parallel, ordered, sequential and key=value");
        }

        private long bytes(String key, String value, int least, long before) {
            once(key, before);
            if (value.equals("inf")) {
                return UNLIMITED;
            }
            OptionalLong bytes = SizeText.parse(value);
            if (bytes.isEmpty() || bytes.getAsLong() < least) {
                throw refused(
                        key + "=" + value + " is not a number of bytes in [" + least + ", 2^63), such as 64k, or inf");
            }
            return bytes.getAsLong();
        }

        private int number(String key, String value, int before) {
            once(key, before);
            try {
                int number = Integer.parseInt(value);
                if (number >= 1) {
                    return number;
                }
            } catch (NumberFormatException e) {
                throw refused(key + "=" + value + " is not a number in [1, 2147483647]", e);
            }
            throw refused(key + "=" + value + " is outside [1, 2147483647]");
        }

        private void once(String key, long before) {
            if (before >= 0) {
                throw refused(key + " is given twice");
            }
        }

        private IllegalArgumentException refused(String why) {
            return refused(why, null);
        }

        private IllegalArgumentException refused(String why, @Nullable Throwable cause) {
            return new IllegalArgumentException("pipelining \"" + text + "\", column " + column + ": " + why, cause);
        }
    }
}
