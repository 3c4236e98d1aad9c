// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A stage's script, of which launchers know two settings: the seed, and the schedule, whose parts can be left out
/// one by one. All others are the stage's own business.
public final class SimulationScript {
    private static final String SEED = "seed";
    private static final String SCHEDULE = "schedule";

    private final Map<String, String> values;

    private SimulationScript(Map<String, String> values) {
        this.values = values;
    }

    /// Reads `key=value,key=value…`; a key that comes again replaces.
    ///
    /// @throws IllegalArgumentException if a part is not of this form
    public static SimulationScript parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("\"" + part + "\" is not key=value");
            }
            values.put(
                    part.substring(0, equals).strip(),
                    part.substring(equals + 1).strip());
        }
        return new SimulationScript(values);
    }

    /// The seed, if the script has one.
    public Optional<String> seed() {
        return Optional.ofNullable(values.get(SEED));
    }

    /// This script with another seed.
    public SimulationScript withSeed(long seed) {
        return with(SEED, Long.toString(seed));
    }

    /// The parts of the schedule; none where it is left to the seed.
    List<String> schedule() {
        String schedule = values.getOrDefault(SCHEDULE, "");
        return schedule.isEmpty() ? List.of() : List.of(schedule.split("\\+"));
    }

    /// How many parts the schedule has.
    public int perturbations() {
        return schedule().size();
    }

    /// This script with another schedule, which wins over what the seed would give; an empty one has no part at
    /// all.
    SimulationScript withSchedule(List<String> parts) {
        return with(SCHEDULE, String.join("+", parts));
    }

    /// This script with its schedule left to the seed.
    public SimulationScript withoutSchedule() {
        Map<String, String> copy = new LinkedHashMap<>(values);
        copy.remove(SCHEDULE);
        return new SimulationScript(copy);
    }

    private SimulationScript with(String key, String value) {
        Map<String, String> copy = new LinkedHashMap<>(values);
        copy.put(key, value);
        return new SimulationScript(copy);
    }

    /// As it is written.
    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(","));
    }
}
