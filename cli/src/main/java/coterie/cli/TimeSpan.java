// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.time.DateTimeException;
import java.time.Duration;

/// Spans of time, as users write them: `500ms`, `30s`, `5m`, `1h30m`, and the ISO form `PT5M`.
final class TimeSpan {
    private static final Duration LONGEST = Duration.ofDays(3650);

    private TimeSpan() {}

    /// Parses a span.
    ///
    /// @param what the option, for the message
    /// @throws UsageException if the text is not a span in `[0, 10 years]`
    static Duration parse(String what, String text) {
        try {
            Duration span = text.startsWith("P") ? Duration.parse(text) : sum(text);
            if (!span.isNegative() && span.compareTo(LONGEST) <= 0) {
                return span;
            }
        } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
            throw malformed(what, text);
        }
        throw malformed(what, text);
    }

    private static Duration sum(String text) {
        Duration sum = Duration.ZERO;
        int at = 0;
        do {
            int unit = at;
            while (unit < text.length() && Character.isDigit(text.charAt(unit))) {
                unit++;
            }
            int end = unit;
            while (end < text.length() && !Character.isDigit(text.charAt(end))) {
                end++;
            }
            long count = Long.parseLong(text, at, unit, 10);
            sum = sum.plus(
                    switch (text.substring(unit, end)) {
                        case "ms" -> Duration.ofMillis(count);
                        case "s" -> Duration.ofSeconds(count);
                        case "m" -> Duration.ofMinutes(count);
                        case "h" -> Duration.ofHours(count);
                        case "d" -> Duration.ofDays(count);
                        default -> throw new NumberFormatException(text);
                    });
            at = end;
        } while (at < text.length());
        return sum;
    }

    private static UsageException malformed(String what, String text) {
        return new UsageException(
                what + " " + text + ": expected a time: a number with ms, s, m, h or d, such as 30s, 5m or 1h30m");
    }
}
