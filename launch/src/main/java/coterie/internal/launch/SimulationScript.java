// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The script of a simulator. Launchers know two of its settings: the seed, and the schedule, which is a list of
/// perturbations that a launcher can remove one by one. Only the simulator knows the other settings.
public final class SimulationScript {
    private static final String SEED = "seed";
    private static final String SCHEDULE = "schedule";

    private final Map<String, String> values;

    private SimulationScript(Map<String, String> values) {
        this.values = values;
    }

    /// Parses `key=value,key=value…`. If a key occurs twice, the later value replaces the earlier one.
    ///
    /// @throws IllegalArgumentException if a part does not have this form
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

    /// Returns the seed, if the script has one.
    public Optional<String> seed() {
        return Optional.ofNullable(values.get(SEED));
    }

    /// Returns this script with another seed.
    public SimulationScript withSeed(long seed) {
        return with(SEED, Long.toString(seed));
    }

    /// Returns the perturbations of the schedule; empty if the script leaves the schedule to the seed.
    List<String> schedule() {
        String schedule = values.getOrDefault(SCHEDULE, "");
        return schedule.isEmpty() ? List.of() : List.of(schedule.split("\\+"));
    }

    /// Returns how many perturbations the schedule has.
    public int perturbations() {
        return schedule().size();
    }

    /// Returns this script with another schedule, which overrides the schedule that the seed determines. With an
    /// empty schedule a run has no perturbations.
    SimulationScript withSchedule(List<String> parts) {
        return with(SCHEDULE, String.join("+", parts));
    }

    /// Returns this script without a schedule, so that the seed determines it.
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

    /// Returns the text that [#parse] reads.
    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(","));
    }
}
