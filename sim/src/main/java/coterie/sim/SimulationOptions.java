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

/// The settings of a performance, as `key=value` with commas between. Several values of one key have a `+` between
/// them.
final class SimulationOptions {
    /// All settings: one table for the parser and the documentation.
    enum Key {
        SEED("0", "what departures from the model are drawn from, 0 … 2^63 − 1; 0: none"),
        SCHEDULE("", "departures to play instead, such as m3.17:25000+p3.40:1000, as a story has them"),
        ORDER("native", "native: the network orders at a fence; weak: it has no fences, and the runtime has to order"),
        PRESSURE("65536", "operations of a channel that can be under way at once, 1 … 2^31 − 1"),
        MTU("8192", "bytes that travel in one piece, 64 … 2^30"),
        OVERHEAD("50", "nanoseconds that starting an operation takes a PE"),
        POLL("10", "nanoseconds that a look at its own memory takes a PE"),
        SELF("100:10:0.05", "link to oneself: latency and gap in nanoseconds, nanoseconds for each byte"),
        NEAR("300:20:0.1", "link between PEs of a node"),
        FAR("1500:100:0.08", "link between nodes"),
        LINK("", "latency between two nodes, such as 0-1:9000"),
        SLOW("", "PEs that take longer to start operations, such as 3:10 for PE 3, ten times"),
        DIE("", "PEs that die when they start an operation, such as 2@500 for PE 2 at its 500th"),
        CUT("", "links that fail, such as 0-1@2000 between PEs 0 and 1 from 2000 ns on, or 0-1@2000..9000"),
        RACES("auto", "on: reads of bytes that nothing has made visible are errors; auto: up to 256 PEs; off"),
        WATCHDOG("10", "seconds of real time without an operation after which a PE is said to spin; 0: never"),
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

        /// What it does, and its range.
        String meaning() {
            return meaning;
        }

        /// As it is written.
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

    /// Reads a script.
    ///
    /// @throws IllegalArgumentException if it can't be; the message says what is allowed
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
                throw new IllegalArgumentException("sim: \"" + part + "\" is no setting; there are "
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

    /// This script, but for the settings of another.
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

    /// Where each event is to be written, or "".
    String trace() {
        return text(Key.TRACE);
    }

    long watchdogSeconds() {
        return number(Key.WATCHDOG, 0, Integer.MAX_VALUE);
    }

    /// Whether the race detector is on in a job of so many PEs.
    boolean racesOn(int size) {
        return switch (text(Key.RACES)) {
            case "on" -> true;
            case "off" -> false;
            case "auto" -> size <= 256;
            default -> throw refused(Key.RACES, text(Key.RACES));
        };
    }

    /// @param unit nanoseconds that are worth a departure
    Perturbation perturbation(long unit) {
        String schedule = values.get(Key.SCHEDULE);
        try {
            return schedule == null ? Perturbation.of(seed(), unit) : Perturbation.replay(schedule);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("sim: " + e.getMessage(), e);
        }
    }

    /// The settings that repeat a performance with these departures.
    ///
    /// @param schedule or "" where the seed is all that can be told
    String story(String schedule) {
        Map<Key, String> told = new EnumMap<>(values);
        if (!schedule.isEmpty()) {
            told.put(Key.SCHEDULE, schedule);
        }
        return told.entrySet().stream()
                .filter(each -> each.getKey() != Key.TRACE)
                .map(each -> each.getKey().label() + "=" + each.getValue())
                .collect(Collectors.joining(","));
    }

    /// @param nodes per PE the number of its node
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
        Map<Integer, Long> deaths = new HashMap<>();
        each(Key.DIE, DIE, pe -> deaths.put(Integer.parseInt(pe.group(1)), Long.parseLong(pe.group(2))));
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
                deaths,
                outages);
    }

    /// The nodes of a job.
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

    private long number(Key key, long least, long most) {
        String text = text(key);
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw refused(key, text);
        }
        throw refused(key, text);
    }

    private static IllegalArgumentException refused(Key key, String text) {
        return new IllegalArgumentException(
                "sim: " + key.label() + "=" + text + ": not allowed; " + key.label() + " is " + key.meaning());
    }
}
