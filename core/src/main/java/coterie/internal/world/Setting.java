// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What can be set from outside: one table for the runtime, `coterie info` and the documentation.
///
/// The system property `coterie.<name>` wins over the environment variable `COTERIE_<NAME>`, which wins over the line
/// `COTERIE_<NAME> = …` of the [ConfigurationFile], which wins over the default.
public enum Setting {
    SPINS("", "polls before a waiter yields, 0 … 10^9; empty: 200, and 0 where PEs outnumber CPUs"),
    WAIT_EVENT_MS("10", "waits at least this long are told to the flight recorder, in milliseconds, 0 … 10^9"),
    DIRECT(
            "true",
            "true: load and store memory of my node; false: send every operation through the conduit, for tests"),
    TEAM_KIB(
            "",
            "most memory of a PE for the lines of teams that it makes, in KiB; empty: all that there are addresses for"),
    FLAT_TEAM(
            "1024",
            "most members of a team that tell each other everything, 0 … 10^9; larger ones meet along a tree; empty: all are as small"),
    TLS("all", "transport layers that may serve collectives: all, a list such as p2p, or ^ and a list: all but those"),
    TL_MAPPED_TUNE("", "what the layer mapped serves and at which score, such as bcast:0-4k:@push#allreduce:0"),
    TL_P2P_TUNE("", "the same for the layer p2p"),
    TL_SELF_TUNE("", "the same for the layer self, which serves teams of one"),
    CL_HIER_TUNE("", "the same for the layer hier, which has ways for teams on several nodes"),
    TUNE_STRICT("false", "true: a word of a tuning string that can't be used, or has no effect, ends the join"),
    PROGRESS_THREAD("false", "true: a thread of its own moves requests on while the PE's others compute"),
    CONFIG_FILE(
            "auto",
            "a file of lines COTERIE_NAME = value; auto: coterie.conf in XDG_CONFIG_HOME or ~/.config, if it is there; empty: none"),
    FAULT("", "faults that a test plants, algorithm:step@pe=kill|exit|throw, separated by commas");

    private final String byDefault;
    private final String meaning;

    Setting(String byDefault, String meaning) {
        this.byDefault = byDefault;
        this.meaning = meaning;
    }

    /// The system property's name.
    public String property() {
        return "coterie." + name().toLowerCase(Locale.ROOT).replace('_', '.');
    }

    /// The environment variable's name.
    public String variable() {
        return "COTERIE_" + name();
    }

    /// The value where nothing sets it.
    public String byDefault() {
        return byDefault;
    }

    /// What it does, and its range.
    public String meaning() {
        return meaning;
    }

    /// The value in force.
    ///
    /// @throws IllegalArgumentException if there is a file of settings that can't be read
    public String value() {
        String outside = outside();
        if (outside != null) {
            return outside;
        }
        ConfigurationFile.Entry entry = entry();
        return entry == null ? byDefault : entry.value();
    }

    /// Where the value in force comes from: "default", the property's or the variable's name, or the file and the
    /// line.
    public String origin() {
        if (outside() != null) {
            return System.getProperty(property()) != null ? property() : variable();
        }
        ConfigurationFile.Entry entry = entry();
        return entry == null ? "default" : entry.place();
    }

    private @Nullable String outside() {
        String property = System.getProperty(property());
        return property != null ? property : System.getenv(variable());
    }

    /// What the file has of it, but for the one that says which file.
    private ConfigurationFile.@Nullable Entry entry() {
        return this == CONFIG_FILE ? null : ConfigurationFile.of(this);
    }

    /// The value as a number in `[0, 10^9]`, or null where it is empty.
    ///
    /// @throws IllegalArgumentException if it is neither
    @Nullable
    Integer number() {
        String text = value();
        if (text.isEmpty()) {
            return null;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= 1_000_000_000) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw unreadable(text, "a number in [0, 10^9]", e);
        }
        throw unreadable(text, "a number in [0, 10^9]", null);
    }

    /// The value as a flag.
    ///
    /// @throws IllegalArgumentException if it is neither true nor false
    boolean flag() {
        String text = value();
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw unreadable(text, "true or false", null);
    }

    private IllegalArgumentException unreadable(String text, String allowed, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                "setting " + name() + ": \"" + text + "\" (from " + origin() + ") is not " + allowed, cause);
    }
}
