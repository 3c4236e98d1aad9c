// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.layer.SettingSources;
import org.jspecify.annotations.Nullable;

/// What can be set of the runtime from outside: one table for it, `coterie info` and the documentation. Layers
/// that plug in have [Variable]s besides.
public enum Setting {
    SPINS("", "polls before a waiter yields, 0 … 10^9; empty: 200, and 0 where PEs outnumber CPUs"),
    WAIT_EVENT_MS("10", "waits at least this long are told to the flight recorder, in milliseconds, 0 … 10^9"),
    LOAD_STORE(
            "true",
            "true: load and store memory of my node; false: send every operation through the conduit, for tests"),
    TEAM_SYNC_KIB(
            "",
            "most memory of a PE for the lines of teams that it makes, in KiB; empty: all that there are addresses for"),
    TREE_SYNC_ABOVE(
            "1024",
            "most members of a team that tell each other everything, 0 … 10^9; larger ones meet along a tree; empty: all are as small"),
    TLS(
            "all",
            "layers, transport (TL) and collective (CL) alike, that may serve collectives: all, a list such as p2p, or ^ and a list: all but those"),
    TL_MAPPED_TUNE("", "what the layer mapped serves and at which score, such as bcast:0-4k:@push#allreduce:0"),
    TL_P2P_TUNE("", "the same for the layer p2p"),
    TL_SELF_TUNE("", "the same for the layer self, which serves teams of one"),
    CL_HIER_TUNE("", "the same for the layer hier, which has ways for teams on several nodes"),
    TL_P2P_ALLREDUCE_SRA_PIPELINE(
            "n",
            "how requests of long vectors are cut: n, or such as thresh=64k:fragsize=1m:nfrags=4:pdepth=2:ordered"),
    TL_P2P_KN_RADIX(
            "auto",
            "how many members plans of p2p and hier bring together in a step, by size, such as 0-4k:8,auto; auto: 4"),
    CL_HIER_ALLREDUCE_RAB_PIPELINE("n", "the same for the layer hier's rab"),
    CL_HIER_ALLREDUCE_SPLIT_RAIL_PIPELINE("n", "the same for its split_rail"),
    CL_HIER_BCAST_2STEP_PIPELINE("n", "the same for its broadcast"),
    CL_HIER_REDUCE_2STEP_PIPELINE("n", "the same for its reduce"),
    TUNE_STRICT(
            "false",
            "true: a word of a tuning string that can't be used, or has no effect, ends the join; so does a misspelt name of a setting"),
    PROGRESS_THREAD("false", "true: a thread of its own moves requests on while the PE's others compute"),
    LAYER_OPEN_TIMEOUT_S("30", "how long a layer that plugs in may take to open a team, in seconds, 0 … 10^9"),
    CONFIG_FILE(
            "auto",
            "a file of lines COTERIE_NAME = value; auto: coterie.conf in XDG_CONFIG_HOME or ~/.config, if it is there; empty: none"),
    FAULT("", "faults that a test plants, algorithm:step@pe[#time]=kill|exit|throw, separated by commas");

    @SuppressWarnings("ImmutableEnumChecker") // a record of strings
    private final Variable variable;

    Setting(String byDefault, String meaning) {
        this.variable = new Variable(name(), byDefault, meaning);
    }

    /// The same as what is set.
    Variable asVariable() {
        return variable;
    }

    /// The system property's name.
    public String property() {
        return variable.property();
    }

    /// The environment variable's name.
    public String variable() {
        return variable.variable();
    }

    /// The value where nothing sets it.
    public String byDefault() {
        return variable.byDefault();
    }

    /// The value in force.
    ///
    /// @throws IllegalArgumentException if there is a file of settings that can't be read
    public String value() {
        return variable.found().value();
    }

    /// Where the value in force comes from; see [Variable#found].
    public String origin() {
        return variable.found().origin();
    }

    /// The value as a number in `[0, 10^9]`, or null where it is empty.
    ///
    /// @throws IllegalArgumentException if it is neither
    @Nullable
    Integer number() {
        SettingSources.Found found = variable.found();
        if (found.value().isEmpty()) {
            return null;
        }
        try {
            int number = Integer.parseInt(found.value());
            if (number >= 0 && number <= 1_000_000_000) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw variable.unreadable(found, "a number in [0, 10^9]", e);
        }
        throw variable.unreadable(found, "a number in [0, 10^9]", null);
    }

    /// The value as a flag.
    ///
    /// @throws IllegalArgumentException if it is neither true nor false
    boolean flag() {
        SettingSources.Found found = variable.found();
        if (found.value().equals("true") || found.value().equals("false")) {
            return found.value().equals("true");
        }
        throw variable.unreadable(found, "true or false", null);
    }
}
