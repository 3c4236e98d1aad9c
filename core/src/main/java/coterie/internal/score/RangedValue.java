// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A number that depends on size and memory, as people write it: `0-4k:host:8,4k-1m:6,auto`, say for a radix.
///
/// ```
///  text     entry ( , entry )*                        the first that fits holds
///  entry    ( sizes : ) ( memories : ) value          in this or the other order, without: all
///  sizes    0-4k                                      [from, to) in bytes
///  memories host^rocm                                 with ^ between, since , ends the entry
///  value    8, inf for the largest, or auto           which is also meant where no entry fits
/// ```
public final class RangedValue {
    /// `auto`: the caller decides.
    public static final int AUTO = -1;

    private static final String AUTO_WORD = "auto";
    private static final int MOST_PARTS = 3;

    private final String text;
    private final List<Entry> entries;

    private record Entry(ByteRange sizes, Set<MemoryTypeName> memories, int value) {
        boolean fits(MemoryType memory, long bytes) {
            return sizes.contains(bytes)
                    && memories.stream().flatMap(name -> name.type().stream()).anyMatch(memory::equals);
        }
    }

    private RangedValue(String text, List<Entry> entries) {
        this.text = text;
        this.entries = List.copyOf(entries);
    }

    /// Reads one.
    ///
    /// @param what the setting, for the message
    /// @param least that a value may be
    /// @throws IllegalArgumentException if it can't be read, with the word and its column
    public static RangedValue parse(String what, String text, int least) {
        List<Entry> entries = new ArrayList<>();
        try {
            for (SourceToken token : SourceToken.whole(text).split(',')) {
                entries.add(entry(token, least));
            }
        } catch (TuneSyntaxException misread) {
            throw new IllegalArgumentException(what + ", " + misread.getMessage(), misread);
        }
        return new RangedValue(text, entries);
    }

    private static Entry entry(SourceToken token, int least) {
        List<SourceToken> parts = token.split(':');
        if (parts.size() > MOST_PARTS) {
            throw new TuneSyntaxException(parts.get(MOST_PARTS), "is one part too many", "sizes, memories and a value");
        }
        ByteRange sizes = null;
        Set<MemoryTypeName> memories = null;
        for (SourceToken part : parts.subList(0, parts.size() - 1)) {
            if (part.startsWithDigit() && sizes == null) {
                sizes = ByteRange.parse(part);
            } else if (memories == null) {
                memories = MemoryTypeName.read(part.split('^'));
            } else {
                throw new TuneSyntaxException(part, "does not fit", "sizes once, memories once");
            }
        }
        return new Entry(
                sizes == null ? ByteRange.ALL : sizes,
                memories == null ? EnumSet.allOf(MemoryTypeName.class) : memories,
                value(parts.getLast(), least));
    }

    private static int value(SourceToken token, int least) {
        if (token.is(AUTO_WORD)) {
            return AUTO;
        }
        int value = token.is("inf") ? Integer.MAX_VALUE : token.number(Integer.MAX_VALUE);
        if (value < least) {
            throw new TuneSyntaxException(
                    token, "is not a value", "a whole number in [" + least + ", 2^31), inf, or auto");
        }
        return value;
    }

    /// The value for a collective.
    ///
    /// @param bytes its size, at least 0
    /// @return a value, or [#AUTO]
    public int at(MemoryType memory, long bytes) {
        for (Entry entry : entries) {
            if (entry.fits(memory, bytes)) {
                return entry.value;
            }
        }
        return AUTO;
    }

    /// As it was written.
    @Override
    public String toString() {
        return text;
    }
}
