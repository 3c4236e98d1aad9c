// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.sim.network.Link;
import coterie.sim.network.NetworkModel;
import coterie.sim.network.Perturbation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// The settings of a run, as `key=value` pairs separated by commas. A `+` separates several values of one key.
final class SimulationOptions {
    /// All settings: the parser and its error messages read this table.
    enum Key {
        SEED("0", "source of the perturbations, 0 … 2^63 − 1; 0: none"),
        SCHEDULE("", "perturbations to use instead, such as m3.17:25000+p3.40:1000"),
        ORDER(
                "native",
                "native: the network executes fences; weak: it has none, and the runtime defers what follows a fence"),
        PRESSURE("65536", "operations of a channel that may be in flight at once, 1 … 2^31 − 1"),
        MTU("8192", "bytes of a piece of a long put, 64 … 2^30"),
        OVERHEAD("50", "nanoseconds of an operation on its PE, 1 … 2^31 − 1"),
        POLL("10", "nanoseconds of a load of the PE's own memory, 1 … 2^31 − 1"),
        SELF(
                "100:10:0.05",
                "link of a PE to itself, latency:gap:G: two times in nanoseconds, and nanoseconds for each byte"),
        NEAR("300:20:0.1", "link between PEs of a node, as self"),
        FAR("1500:100:0.08", "link between nodes, as self"),
        LINK("", "latency between two nodes in nanoseconds, such as 0-1:9000"),
        SLOW("", "PEs with slower operations, such as 3:10 for PE 3, ten times"),
        DIE("", "PEs that fail, such as 2@500 for PE 2 at its 500th operation"),
        CUT("", "links that fail, such as 0-1@2000 between PEs 0 and 1 from 2000 ns on, or 0-1@2000..9000"),
        RACES("auto", "race detector: on, off, or auto: on for up to 256 PEs"),
        WATCHDOG("10", "seconds of real time without an operation until a report names the PE, 0 … 2^31 − 1; 0: never"),
        TRACE("", "file that gets a line for each event: time, operation, PEs, region, offset, bytes");

        private final String byDefault;
        private final String meaning;

        Key(String byDefault, String meaning) {
            this.byDefault = byDefault;
            this.meaning = meaning;
        }

        String byDefault() {
            return byDefault;
        }

        /// Returns what the setting does, and its range.
        String meaning() {
            return meaning;
        }

        /// Returns the key as a script has it.
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern LINK = Pattern.compile("(\\d{1,12}):(\\d{1,12}):(\\d{1,6}(?:\\.\\d{1,9})?)");
    private static final Pattern NODES = Pattern.compile("(\\d{1,9})-(\\d{1,9}):(\\d{1,15})");
    private static final Pattern SLOW = Pattern.compile("(\\d{1,9}):(\\d{1,9}(?:\\.\\d{1,9})?)");
    private static final Pattern DIE = Pattern.compile("(\\d{1,9})@(\\d{1,18})");
    private static final Pattern CUT = Pattern.compile("(\\d{1,9})-(\\d{1,9})@(\\d{1,18})(?:\\.\\.(\\d{1,18}))?");

    private final Map<Key, String> values;

    private SimulationOptions(Map<Key, String> values) {
        this.values = values;
    }

    /// Parses a script.
    ///
    /// @throws IllegalArgumentException if the script is not valid; the message lists what is allowed
    static SimulationOptions parse(String text) {
        Map<Key, String> values = new EnumMap<>(Key.class);
        for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String word = equals < 0 ? part.strip() : part.substring(0, equals).strip();
            Key key = Arrays.stream(Key.values())
                    .filter(each -> each.label().equals(word))
                    .findFirst()
                    .orElse(null);
            if (key == null || equals < 0) {
                throw new IllegalArgumentException("sim: \"" + part
                        + "\" is no setting; the settings and their defaults are "
                        + Arrays.stream(Key.values())
                                .map(each -> each.label() + "=" + each.byDefault())
                                .collect(Collectors.joining(", ")));
            }
            values.put(key, part.substring(equals + 1).strip());
        }
        SimulationOptions options = new SimulationOptions(values);
        options.check();
        return options;
    }

    /// Returns these settings, with those of `other` in place of this script's where both have a value.
    SimulationOptions with(SimulationOptions other) {
        Map<Key, String> all = new EnumMap<>(Key.class);
        all.putAll(values);
        all.putAll(other.values);
        return new SimulationOptions(all);
    }

    private void check() {
        seed();
        perturbation(1);
        model(List.of());
        watchdogSeconds();
        racesOn(1);
    }

    private String text(Key key) {
        return values.getOrDefault(key, key.byDefault());
    }

    long seed() {
        return number(Key.SEED, 0, Long.MAX_VALUE);
    }

    /// Returns the file that gets a line for each event, or "".
    String trace() {
        return text(Key.TRACE);
    }

    long watchdogSeconds() {
        return number(Key.WATCHDOG, 0, Integer.MAX_VALUE);
    }

    /// Returns whether the race detector is on in a job of `size` PEs.
    boolean racesOn(int size) {
        return switch (text(Key.RACES)) {
            case "on" -> true;
            case "off" -> false;
            case "auto" -> size <= 256;
            default -> throw refused(Key.RACES, text(Key.RACES));
        };
    }

    /// Returns the perturbations that the script asks for.
    ///
    /// @param unit nanoseconds: perturbations are multiples of it in magnitude
    Perturbation perturbation(long unit) {
        String schedule = values.get(Key.SCHEDULE);
        try {
            return schedule == null ? Perturbation.of(seed(), unit) : Perturbation.replay(schedule);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("sim: " + e.getMessage(), e);
        }
    }

    /// Returns the settings that repeat a run with these perturbations.
    ///
    /// @param schedule as [Perturbation#schedule] returns it; with "" the settings have the seed only
    String story(String schedule) {
        Map<Key, String> repeated = new EnumMap<>(values);
        if (!schedule.isEmpty()) {
            repeated.put(Key.SCHEDULE, schedule);
        }
        return repeated.entrySet().stream()
                .filter(each -> each.getKey() != Key.TRACE)
                .map(each -> each.getKey().label() + "=" + each.getValue())
                .collect(Collectors.joining(","));
    }

    /// @param nodes for each PE, the number of its node
    NetworkModel model(List<Integer> nodes) {
        boolean weak = text(Key.ORDER).equals("weak");
        if (!weak && !text(Key.ORDER).equals("native")) {
            throw refused(Key.ORDER, text(Key.ORDER));
        }
        Map<Long, Long> links = new HashMap<>();
        each(
                Key.LINK,
                NODES,
                link -> links.put(
                        NetworkModel.pair(Integer.parseInt(link.group(1)), Integer.parseInt(link.group(2))),
                        Long.parseLong(link.group(3))));
        Map<Integer, Double> slow = new HashMap<>();
        each(Key.SLOW, SLOW, pe -> slow.put(Integer.parseInt(pe.group(1)), Double.parseDouble(pe.group(2))));
        Map<Integer, Long> failures = new HashMap<>();
        each(Key.DIE, DIE, pe -> failures.put(Integer.parseInt(pe.group(1)), Long.parseLong(pe.group(2))));
        List<NetworkModel.Outage> outages = new ArrayList<>();
        each(
                Key.CUT,
                CUT,
                cut -> outages.add(new NetworkModel.Outage(
                        Integer.parseInt(cut.group(1)),
                        Integer.parseInt(cut.group(2)),
                        Long.parseLong(cut.group(3)),
                        cut.group(4) == null ? Long.MAX_VALUE : Long.parseLong(cut.group(4)))));
        return new NetworkModel(
                nodes,
                number(Key.OVERHEAD, 1, Integer.MAX_VALUE),
                number(Key.POLL, 1, Integer.MAX_VALUE),
                link(Key.SELF),
                link(Key.NEAR),
                link(Key.FAR),
                links,
                slow,
                (int) number(Key.MTU, 64, 1 << 30),
                !weak,
                (int) number(Key.PRESSURE, 1, Integer.MAX_VALUE),
                failures,
                outages);
    }

    /// Returns, for each PE of a job, the number of its node.
    static List<Integer> nodes(int size, IntFunction<Integer> node) {
        return IntStream.range(0, size).mapToObj(node).toList();
    }

    private Link link(Key key) {
        Matcher link = LINK.matcher(text(key));
        if (!link.matches() || Long.parseLong(link.group(1)) == 0) {
            throw refused(key, text(key));
        }
        return new Link(
                Long.parseLong(link.group(1)), Long.parseLong(link.group(2)), Double.parseDouble(link.group(3)));
    }

    private void each(Key key, Pattern pattern, Consumer<Matcher> taker) {
        for (String part : text(key).isEmpty() ? new String[0] : text(key).split("\\+", -1)) {
            Matcher matcher = pattern.matcher(part);
            if (!matcher.matches()) {
                throw refused(key, part);
            }
            taker.accept(matcher);
        }
    }

    private long number(Key key, long min, long max) {
        String text = text(key);
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(key, text);
        }
        throw refused(key, text);
    }

    private static IllegalArgumentException refused(Key key, String text) {
        return new IllegalArgumentException(
                "sim: " + key.label() + "=" + text + " is not allowed; " + key.label() + " is: " + key.meaning());
    }
}
