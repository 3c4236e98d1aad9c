// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.SimulationScript;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;

/// The performances of a simulated test: one for each of consecutive seeds.
///
/// @param count positive
/// @param settings that all have
record Seeds(long first, long count, SimulationScript settings) {
    static final String NUMBER = "coterie.sim.seeds";
    static final String ONE = "coterie.sim.seed";
    static final String SETTINGS = "coterie.sim.script";

    private static final int SEEDS_PER_TIMEOUT = 10;

    /// Those that a test declares, unless system properties say otherwise.
    ///
    /// @throws IllegalArgumentException if a property can't be read, or two contradict each other
    static Seeds declared(int declared) {
        SimulationScript settings = SimulationScript.parse(System.getProperty(SETTINGS, ""));
        String scripted = settings.seed().orElse(null);
        String one = System.getProperty(ONE, scripted);
        if (one == null) {
            return new Seeds(0, number(NUMBER, System.getProperty(NUMBER, Integer.toString(declared)), 1), settings);
        }
        if (scripted != null && !scripted.equals(one)) {
            throw new IllegalArgumentException(
                    ONE + " is " + one + ", and " + SETTINGS + " says seed=" + scripted + "; leave one out");
        }
        return new Seeds(number(ONE, one, 0), 1, settings);
    }

    /// One performance alone.
    static Seeds only(SimulationScript script) {
        return new Seeds(number("seed", script.seed().orElse("0"), 0), 1, script);
    }

    private static long number(String what, String text, long least) {
        try {
            long number = Long.parseLong(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + " is " + text + ", no number in [" + least + ", 2^63)", e);
        }
        throw new IllegalArgumentException(what + " is " + text + ", no number in [" + least + ", 2^63)");
    }

    /// The settings of performance `index`, in `[0, count)`.
    SimulationScript script(long index) {
        return settings.withSeed(first + index);
    }

    /// How long all may take, where ten may take `each`.
    Duration timeout(Duration each) {
        return each.multipliedBy((count + SEEDS_PER_TIMEOUT - 1) / SEEDS_PER_TIMEOUT);
    }

    /// As one word of a command.
    String label() {
        byte[] script = settings.toString().getBytes(StandardCharsets.UTF_8);
        return first + ":" + count + ":" + Base64.getEncoder().encodeToString(script);
    }

    /// What [#label] was of.
    static Seeds of(String word) {
        String[] parts = word.split(":", 3);
        String script = new String(Base64.getDecoder().decode(parts[2]), StandardCharsets.UTF_8);
        return new Seeds(Long.parseLong(parts[0]), Long.parseLong(parts[1]), SimulationScript.parse(script));
    }
}
