// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.ThreadLevel;
import coterie.layer.Configuration;
import coterie.layer.Field;
import coterie.layer.FragmentPipeline;
import coterie.layer.WorldParameters;
import java.time.Duration;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The kinds of values that fields of layers have.
class FieldKindsTest {
    private static Configuration of(String value) {
        return new FieldValues(
                new HallLayer(),
                (name, byDefault) -> new SettingSources.Found(value, "here"),
                new WorldParameters(2, List.of(0, 0, 1, 1, 1), ThreadLevel.SERIALIZED));
    }

    private static void assertRefused(Runnable call, String value, String allowed) {
        assertThatThrownBy(call::run)
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("setting TL_HALL_MOST: \"" + value + "\" (from here) is not " + allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "64, 64",
        "4k, 4096",
        "1M, 1048576",
        "1.5k, 1536",
        ".5k, 512",
        "2gb, 2147483648",
        "inf, 9223372036854775807"
    })
    @DisplayName("numbers of bytes have suffixes")
    void bytes(String value, long bytes) {
        assertThat(of(value).bytes("MOST", 1, Long.MAX_VALUE)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0", "1.5", "4kk", "many", "-1", "2m"})
    @DisplayName("other numbers of bytes are refused")
    void noBytes(String value) {
        assertRefused(() -> of(value).bytes("MOST", 1, 1 << 20), value, "a number of bytes in [1, 1048576]");
    }

    @ParameterizedTest
    @CsvSource({"20ns, PT0.00000002S", "5us, PT0.000005S", "20ms, PT0.02S", "3s, PT3S", "2m, PT2M"})
    @DisplayName("times have a unit")
    void times(String value, Duration time) {
        assertThat(of(value).time("MOST")).isEqualTo(time);
        assertRefused(() -> of("20").time("MOST"), "20", "a whole number with a unit");
    }

    @Test
    @DisplayName("choices are constants of an enum, lists have commas, and numbers depend on the size")
    void others() {
        assertThat(of("serialized").choice("MOST", ThreadLevel.class)).isEqualTo(ThreadLevel.SERIALIZED);
        assertRefused(
                () -> of("high").choice("MOST", ThreadLevel.class), "high", "one of single, funneled, serialized");
        assertThat(of("a, b,c").list("MOST")).containsExactly("a", "b", "c");
        assertThat(of("").list("MOST")).isEmpty();
        LongToIntFunction radix = of("0-4k:8,4k-1m:3,auto").bySize("MOST", 2);
        assertThat(List.of(radix.applyAsInt(0), radix.applyAsInt(4096), radix.applyAsInt(1 << 20)))
                .containsExactly(8, 3, -1);
        assertRefused(() -> of("0-4k:1").bySize("MOST", 2), "0-4k:1", "a number of at least 2");
    }

    @Test
    @DisplayName("a division into fragments depends on the size, and has UCC's words")
    void pipelines() {
        LongFunction<FragmentPipeline> how =
                of("thresh=64k:fragsize=32k:nfrags=3:pdepth=2:ordered").pipeline("MOST");
        assertThat(how.apply(1 << 16).fragments()).isEqualTo(1);
        assertThat(how.apply((1 << 16) + 1)).isEqualTo(new FragmentPipeline(3, 2, FragmentPipeline.Order.TOGETHER));
        assertThat(how.apply(1 << 20)).isEqualTo(new FragmentPipeline(32, 2, FragmentPipeline.Order.TOGETHER));
        assertThat(of("thresh=0:sequential").pipeline("MOST").apply(8))
                .isEqualTo(new FragmentPipeline(2, 2, FragmentPipeline.Order.SEQUENTIAL));
        assertThat(of("n").pipeline("MOST").apply(1 << 30).fragments()).isEqualTo(1);
        assertRefused(() -> of("thresh=1:x=2").pipeline("MOST"), "thresh=1:x=2", "a division into fragments");
    }

    @Test
    @DisplayName("a layer knows its world when it opens")
    void world() {
        WorldParameters world = of("").world().orElseThrow();
        assertThat(world.pe()).isEqualTo(2);
        assertThat(world.size()).isEqualTo(5);
        assertThat(world.node(1)).isZero();
        assertThat(world.pesOfNode()).isEqualTo(3);
        assertThat(world.threadLevel()).isEqualTo(ThreadLevel.SERIALIZED);
    }

    @Test
    @DisplayName("a layer's logger drops what is below the layer's level, and passes on the rest")
    void logger() {
        try (Logged logged = new Logged()) {
            System.Logger quiet = of("warning").logger();
            quiet.log(System.Logger.Level.INFO, "not said");
            quiet.log(System.Logger.Level.WARNING, "said of {0}", "it");
            System.Logger loud = of("debug").logger();
            loud.log(System.Logger.Level.TRACE, "not said");
            loud.log(System.Logger.Level.DEBUG, "said, too");
            assertThat(quiet.getName()).isEqualTo("coterie.tl.hall");
            assertThat(logged.messages()).containsExactly("said of it", "DEBUG: said, too");
        }
        assertThatThrownBy(() -> of("loud").logger())
                .hasMessageContaining("setting TL_HALL_LOG_LEVEL: \"loud\" (from here) is not one of all, trace");
    }

    @ParameterizedTest
    @CsvSource({"TUNE", "TLS", "NODE_SBGP_TLS", "LOG_LEVEL", "least"})
    @DisplayName("names that the runtime needs, or that settings can't spell, are refused")
    void reserved(String name) {
        assertThatThrownBy(() -> new Field(name, "", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + name + "\" is not a valid name");
    }
}
