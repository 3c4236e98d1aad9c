// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The values of a layer's [Field]s that are in force.
///
/// If a value is not an allowed one, a method throws an IllegalArgumentException with the setting, its value,
/// where the user set it, and the allowed values. If the layer does not catch that exception, the join fails,
/// because only the user can correct the value. A name that is not a field of the layer is an error of the layer:
/// the method throws an IllegalArgumentException here, too.
/// @counterpart `ucc_base_config_t`
public interface Configuration {
    /// Nine digits at most, so that no unit overflows.
    Pattern TIME = Pattern.compile("([0-9]{1,9})(ns|us|ms|s|m)", Pattern.CASE_INSENSITIVE);

    /// Returns a value as the user wrote it.
    String text(String field);

    /// Returns a value as a number of `[least, most]`.
    long number(String field, long least, long most);

    /// Returns a value as a flag: `true` or `false`.
    boolean flag(String field);

    /// Returns a value as a number of bytes of `[least, most]`: `64`, `4k`, `1m`, `2g`, `inf` for
    /// [Long#MAX_VALUE].
    long bytes(String field, long least, long most);

    /// Returns a value as a time: a whole number with the unit `ns`, `us`, `ms`, `s` or `m`, such as `20ms`.
    default Duration time(String field) {
        Matcher matcher = TIME.matcher(text(field));
        if (!matcher.matches()) {
            throw invalidValue(field, "a whole number with a unit: ns, us, ms, s or m");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "ns" -> Duration.ofNanos(number);
            case "us" -> Duration.ofNanos(1000 * number);
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    /// Returns a value as a constant of an enum; upper and lower case are the same.
    default <E extends Enum<E>> E choice(String field, Class<E> type) {
        String text = text(field);
        for (E each : type.getEnumConstants()) {
            if (each.name().equalsIgnoreCase(text)) {
                return each;
            }
        }
        throw invalidValue(
                field,
                "one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")));
    }

    /// Returns a value as a list of words, with commas between them and without blanks; an empty value has none.
    default List<String> list(String field) {
        String text = text(field).strip();
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /// Returns a value as a number that depends on the size of a collective, such as `0-4k:8,4k-1m:6,auto`, by
    /// which UCC's layers choose radices: the first entry that has the size counts.
    ///
    /// @param least that a number may be, at least 0
    /// @return the number for a size in bytes; −1 for `auto`, and where no entry has the size
    LongToIntFunction bySize(String field, int least);

    /// Returns a value as the way in which vectors are divided into fragments, in UCC's words:
    /// `thresh=64k:fragsize=1m:nfrags=4:pdepth=2:sequential`; `ordered` and `parallel` are
    /// [FragmentPipeline.Order#TOGETHER], and `n` divides nothing. `auto` is as `n`.
    ///
    /// @return the pipeline of a vector of so many bytes; see [FragmentPipeline#upTo]
    LongFunction<FragmentPipeline> pipeline(String field);

    /// Returns the logger of the layer, `coterie.tl.<name>` or `coterie.cl.<name>`, which passes on messages from
    /// the level of the setting `COTERIE_TL_<NAME>_LOG_LEVEL` on: `warning` unless the user sets another. Every
    /// layer has this setting.
    default System.Logger logger() {
        return System.getLogger("coterie");
    }

    /// Returns the world that the layer opens in; empty where there is none, since `coterie info` asks the layer
    /// for its attributes.
    default Optional<WorldParameters> world() {
        return Optional.empty();
    }

    /// Returns the exception for a value that only the layer can find to be wrong:
    ///
    /// ```java
    /// throw configuration.invalidValue("HOST", "a name or an address of this machine");
    /// ```
    ///
    /// @param allowed the allowed values, to follow "is not" in the message
    IllegalArgumentException invalidValue(String field, String allowed);
}
