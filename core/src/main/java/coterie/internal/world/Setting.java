// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.layer.SettingSources;
import coterie.spi.Encryption;
import org.jspecify.annotations.Nullable;

/// The settings that the runtime itself reads: one table for the runtime, `coterie info` and the documentation.
/// Layers and other modules that plug in have further [Variable]s, see [DeclaredSettings].
public enum Setting {
    SPINS("", "polls before a waiter yields, 0 … 10^9; empty: 200, or 0 if PEs outnumber CPUs"),
    WAIT_EVENT_MS("10", "shortest wait that the flight recorder gets as an event, in milliseconds, 0 … 10^9"),
    CONDUIT(
            "auto",
            "conduit that moves bytes between PEs: auto, mapped, or the name of a conduit that plugs in; auto: mapped for PEs of one node that can open each other's memory, else the first that can serve the job, those with PASSIVE_TARGET before the others, each group by preference and name"),
    BOOTSTRAP(
            "auto",
            "how a process finds its job that Coterie's launcher has not started on one machine: auto, none, or the name of a bootstrap; auto: the first by name that does not refuse"),
    ENCRYPTION(
            "none",
            "none, or tls: all connections between hosts of the job are TLS 1.3, those of its coordinator and those of its conduit; the same on all PEs and in the launcher"),
    ENCRYPTION_CERTIFICATES(
            "",
            "file with the chain of certificates that this process shows, in PEM form, its own first; empty: one that it makes for itself"),
    ENCRYPTION_KEY("", "file with the private key of the first certificate of ENCRYPTION_CERTIFICATES, in PEM form"),
    ENCRYPTION_ROOTS("", "file with the certificates, in PEM form, to one of which those of all peers must lead"),
    LOAD_STORE(
            "true",
            "true: load and store the memory of PEs on the same node; false: send every operation through the conduit, for tests"),
    TEAM_SYNC_KIB(
            "",
            "upper limit of the memory in which a PE's teams synchronize, in KiB; empty: all addresses reserved for it"),
    STAGING_KIB(
            "",
            "memory of each team's collectives on arrays and segments, in KiB; empty: 1024, or 1/16 of a small heap; longer"
                    + " data go in pieces, and large teams take what they need"),
    TREE_SYNC_ABOVE(
            "1024", "largest team that synchronizes all-to-all, 0 … 10^9; larger teams use a tree; empty: no limit"),
    TLS(
            "all",
            "transport layers (TL) and collective layers (CL) that may serve collectives: all, a list such as p2p, or ^ and a list of layers to exclude"),
    TL_MAPPED_TUNE(
            "",
            "tuning string of layer mapped: collectives, scores and algorithms, such as bcast:0-4k:@push#allreduce:0"),
    TL_P2P_TUNE("", "tuning string of layer p2p"),
    TL_SELF_TUNE("", "tuning string of layer self, which serves teams of one"),
    CL_HIER_TUNE("", "tuning string of layer hier, which serves teams on several nodes"),
    CL_HIER_TLS(
            "",
            "transport layers that may serve the groups of layer hier: all, a list such as p2p, or ^ and a list; empty: those of TLS"),
    CL_HIER_NODE_SBGP_TLS("", "transport layers of hier's nodes, as CL_HIER_TLS; empty: those of CL_HIER_TLS"),
    CL_HIER_NODE_LEADERS_SBGP_TLS(
            "", "transport layers of hier's leaders of the nodes, as CL_HIER_TLS; empty: those of CL_HIER_TLS"),
    CL_HIER_NET_SBGP_TLS(
            "",
            "transport layers of hier's members with one place on their nodes, as CL_HIER_TLS; empty: those of CL_HIER_TLS"),
    CL_HIER_FULL_SBGP_TLS("", "transport layers of hier's whole team, as CL_HIER_TLS; empty: those of CL_HIER_TLS"),
    TL_P2P_ALLREDUCE_SRA_PIPELINE(
            "n",
            "fragments of long vectors in requests by p2p's sra: n for none, or such as thresh=64k:fragsize=1m:nfrags=4:pdepth=2:ordered"),
    TL_P2P_KN_RADIX(
            "auto",
            "members that a step of p2p's and hier's plans combines, 2 or more, also by size, such as 0-4k:8,auto; auto: 4"),
    CL_HIER_ALLREDUCE_RAB_PIPELINE("n", "fragments of long vectors in requests by hier's rab"),
    CL_HIER_ALLREDUCE_SPLIT_RAIL_PIPELINE("n", "fragments of long vectors in requests by hier's split_rail"),
    CL_HIER_BCAST_2STEP_PIPELINE("n", "fragments of long vectors in broadcast requests by hier's 2step"),
    CL_HIER_REDUCE_2STEP_PIPELINE("n", "fragments of long vectors in reduce requests by hier's 2step"),
    TUNE_STRICT(
            "false",
            "true: a token of a tuning string that is unusable or has no effect, or a misspelt setting name, ends the join; false: PE 0 logs it"),
    COLL_TRACE("false", "true: each PE logs its collectives and requests, with size, algorithm and what serves groups"),
    PROGRESS_THREAD("false", "true: an additional thread of each PE advances requests while the program computes"),
    RECORDS("true", "true: streams record what they wait for, for a diagnosis of deadlocks"),
    ALLOCATION_SITES(
            "false",
            "true: messages and reports about a block of symmetric memory name the line of the program that has allocated it, which takes a microsecond an allocation"),
    LAYER_OPEN_TIMEOUT_S("30", "time limit for a layer that plugs in to open a team, in seconds, 0 … 10^9"),
    CONFIG_FILE(
            "auto",
            "file with lines COTERIE_NAME = value; auto: coterie.conf in XDG_CONFIG_HOME or ~/.config, if it exists; empty: none"),
    FAULT(
            "",
            "faults that a test injects, algorithm:step@pe[#time]=kill|exit|throw|fail, separated by commas; steps: each PE logs the steps it reaches");

    @SuppressWarnings("ImmutableEnumChecker") // a record of strings
    private final Variable variable;

    Setting(String byDefault, String meaning) {
        this.variable = new Variable(name(), byDefault, meaning);
    }

    /// Returns the setting of a name, or null.
    static @Nullable Setting named(String name) {
        for (Setting each : values()) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    /// Returns the setting ENCRYPTION: "none" or "tls".
    ///
    /// @throws IllegalArgumentException if the value is not allowed
    static String encryptionName() {
        SettingSources.Found found = ENCRYPTION.variable.found();
        return switch (found.value()) {
            case "", "none" -> "none";
            case "tls" -> "tls";
            default -> throw ENCRYPTION.variable.unreadable(found, "none or tls", null);
        };
    }

    /// Returns how this process encrypts its connections.
    ///
    /// @throws IllegalArgumentException if the value is not allowed, or a file can't be used
    static Encryption encryption() {
        encryptionName(); // its message has the origin
        return Encryption.of(name -> valueOf(name).value());
    }

    /// Returns the setting as a variable.
    Variable asVariable() {
        return variable;
    }

    /// Returns the name of the system property.
    public String property() {
        return variable.property();
    }

    /// Returns the name of the environment variable.
    public String variable() {
        return variable.variable();
    }

    /// Returns the default value.
    public String byDefault() {
        return variable.byDefault();
    }

    /// Returns the value in force.
    ///
    /// @throws IllegalArgumentException if the file of settings can't be read
    public String value() {
        return variable.found().value();
    }

    /// Returns the origin of the value in force; see [Variable#found].
    public String origin() {
        return variable.found().origin();
    }

    /// Returns the value as a number, or null if it is empty.
    ///
    /// @throws IllegalArgumentException if the value is not empty and no number in `[0, 10^9]`
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

    /// Returns the value as a boolean.
    ///
    /// @throws IllegalArgumentException if the value is neither true nor false
    boolean flag() {
        SettingSources.Found found = variable.found();
        if (found.value().equals("true") || found.value().equals("false")) {
            return found.value().equals("true");
        }
        throw variable.unreadable(found, "true or false", null);
    }
}
