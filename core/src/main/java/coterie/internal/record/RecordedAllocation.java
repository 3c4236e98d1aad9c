// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An allocation of symmetric memory, by which reports name the words in it.
///
/// @param offset where it begins, in bytes from the begin of symmetric memory
/// @param name for people, such as `allocation 3 of team row at Ring.java:12 (64 B)`; equal on all PEs that wait for
///     words in it
public record RecordedAllocation(long offset, String name) {
    /// The room that a status page has for a name.
    private static final int MOST_CHARACTERS = 64;

    /// Returns the allocation with its name. A long one lacks the size, or the site.
    ///
    /// @param number among the allocations of its team
    /// @param team the name of the team; empty if it has all PEs
    /// @param site the line of the program that has allocated it; empty if it is not known
    public static RecordedAllocation of(long offset, long number, String team, String site, long byteSize) {
        String brief = "allocation " + number + (team.isEmpty() ? "" : " of team " + team);
        String sited = site.isEmpty() ? brief : brief + " at " + site;
        String size = " (" + byteSize + " B)";
        String name = Stream.of(sited + size, sited, brief + size)
                .filter(each -> each.length() <= MOST_CHARACTERS)
                .findFirst()
                .orElse(brief);
        return new RecordedAllocation(offset, name);
    }

    /// Returns the allocation of a [#text], or null for a text that is none.
    public static @Nullable RecordedAllocation parse(String text) {
        int end = text.indexOf('=');
        return end > 0 && text.substring(0, end).matches("\\d{1,18}")
                ? new RecordedAllocation(Long.parseLong(text.substring(0, end)), text.substring(end + 1))
                : null;
    }

    /// Returns the text that [#parse] reads.
    public String text() {
        return offset + "=" + name;
    }

    /// Returns what a word in it is, by its index among words of its width from the begin of the allocation on, such
    /// as "word 1 of allocation 3 (64 B)".
    ///
    /// @param wordOffset in bytes from the begin of symmetric memory
    /// @param width bytes of the word: 1, 2, 4 or 8
    public String word(long wordOffset, int width) {
        String kind = switch (width) {
            case Byte.BYTES -> "byte ";
            case Short.BYTES -> "short ";
            case Integer.BYTES -> "int ";
            default -> "word ";
        };
        return kind + (wordOffset - offset) / width + " of " + name;
    }
}
