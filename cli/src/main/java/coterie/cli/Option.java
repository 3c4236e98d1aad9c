// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.JobSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options of all commands: one table for the parser, the help and the tests. In the order that help shows
/// them.
enum Option {
    PES(
            Takes.VALUE,
            "N",
            "How many PEs the job has, in [1, 1024], and up to 4096 with --conduit sim. Default: 1, and 2 for perf.",
            "-n",
            "-np"),
    MODE(
            Takes.VALUE,
            "processes|threads",
            "What a PE is: a JVM of its own, or a thread of one JVM. Default: processes.",
            "--pes"),
    NODES(
            Takes.VALUE,
            "NAME:N,...",
            "The nodes that PEs are taken to be on, whatever machine they run on: the first N on NAME, and so on. The"
                    + " counts add up to -n, or stand in its place. PEs of different nodes have no memory in common."
                    + " Default: one node.",
            "--nodes"),
    CONDUIT(
            Takes.VALUE,
            "NAME",
            "What lies between the PEs: mapped, the memory of this machine, or sim, a simulated network, with all PEs in"
                    + " one JVM, one at a time and in virtual time. Default: mapped.",
            "--conduit"),
    SEED(
            Takes.VALUE,
            "N",
            "With --conduit sim: which order of events, in [0, 2^63). The same one gives the same run; 0 is the order"
                    + " without perturbations. Default: 0.",
            "--seed"),
    SEEDS(
            Takes.VALUE,
            "FROM..TO",
            "With --conduit sim: all these seeds, one after another, until one fails. Output is shown of that one only.",
            "--seeds"),
    SIM(
            Takes.VALUE,
            "SCRIPT",
            "With --conduit sim: settings of the network, key=value with commas between, such as the ones that a failed"
                    + " run prints.",
            "--sim"),
    NO_SHRINK(
            Takes.NOTHING,
            null,
            "With --conduit sim: does not look for the perturbations that a failure needs.",
            "--no-shrink"),
    MOST(Takes.VALUE, "N", "PEs of the largest job, in [2, 4096]. Default: 4096.", "--most"),
    NODE_SIZE(Takes.VALUE, "N", "PEs of each node, in [1, 4096]. Default: 64.", "--node-size"),
    PLOT(
            Takes.VALUE,
            "FILE",
            "Draws the times, in SVG: against the number of PEs, or against the size in compare.",
            "--plot"),
    OPS(Takes.VALUE, "LIST", "Operations to compare, separated by commas. Default: all.", "--ops"),
    CLASS_PATH(
            Takes.VALUE,
            "PATH",
            "Jars and folders of the program, separated by ':'; a folder's '/*' stands for its jars.",
            "-cp",
            "--class-path"),
    MODULE_PATH(Takes.VALUE, "PATH", "Jars and folders of modules, separated by ':'.", "-p", "--module-path"),
    MODULE(Takes.PROGRAM, "MODULE[/CLASS]", "Runs this module's main class.", "-m", "--module"),
    JAR(Takes.PROGRAM, "FILE", "Runs this jar's main class.", "-jar"),
    HEAP(
            Takes.VALUE,
            "SIZE",
            "Symmetric memory of each PE, such as 512m or 2g. Pages are taken as they are allocated.",
            "--heap"),
    BIND(
            Takes.VALUE,
            "none|core|numa",
            "Binds each PE to a processor or a NUMA node, in turns. Default: none.",
            "--bind"),
    TIMEOUT(Takes.VALUE, "TIME", "Ends the job with exit code 124 after this time, such as 30s or 1h30m.", "--timeout"),
    GRACE(
            Takes.VALUE,
            "TIME",
            "What PEs are given to end by themselves when asked to. Default: " + JobSpec.DEFAULT_GRACE.toSeconds()
                    + "s.",
            "--grace"),
    ON_FAILURE(
            Takes.VALUE,
            "end|continue",
            "When a PE fails: end the job, or let the other PEs go on. Default: end.",
            "--on-failure"),
    TAG_OUTPUT(Takes.NOTHING, null, "Begins each line of output with '[PE] '.", "--tag-output"),
    OUTPUT_DIR(Takes.VALUE, "DIR", "Writes output to pe.<n>.out and pe.<n>.err in this folder.", "--output-dir"),
    STDIN(Takes.VALUE, "first|none", "Who reads standard input: PE 0, or nobody. Default: first.", "--stdin"),
    ENV(
            Takes.VALUES,
            "NAME[=VALUE]",
            "Sets a variable in the PEs' environment, or insists that it is set. Repeatable.",
            "--env"),
    JVM(Takes.VALUES, "OPTION", "Gives an option to the PEs' JVMs, such as -J-Xmx2g. Repeatable.", "-J"),
    DEBUG(Takes.PERHAPS_VALUE, "PORT", "PE i waits for a debugger on port PORT + i. Default: 5005.", "--debug"),
    NAME(Takes.VALUE, "NAME", "What the job is called in 'coterie ps'. Default: the program's name.", "--name"),
    SCORES(
            Takes.NOTHING,
            null,
            "Shows which algorithm of which layer serves the collectives of a team of -n members, by size.",
            "--scores"),
    CONFIG(
            Takes.NOTHING,
            null,
            "Prints all settings as a file of settings: values in force, and as comments what they mean and their defaults.",
            "--config"),
    JSON(Takes.NOTHING, null, "Prints JSON.", "--json"),
    HELP(Takes.NOTHING, null, "Shows this help.", "-h", "--help");

    /// What follows an option.
    enum Takes {
        NOTHING,
        /// one; a later one replaces it
        VALUE,
        /// one each time
        VALUES,
        /// one or none, joined to the option by `=`
        PERHAPS_VALUE,
        /// one that is the program: what comes after it are the program's arguments
        PROGRAM
    }

    private final Takes takes;
    private final @Nullable String label;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // it is one of List.of
    private final List<String> names;

    Option(Takes takes, @Nullable String label, String description, String... names) {
        this.takes = takes;
        this.label = label;
        this.description = description;
        this.names = List.of(names);
    }

    Takes takes() {
        return takes;
    }

    /// What its value is called in help, or null if it takes none.
    @Nullable
    String label() {
        return label;
    }

    String description() {
        return description;
    }

    /// As typed, dashes included; the last is the one for messages.
    List<String> names() {
        return names;
    }

    /// The name for messages.
    String longestName() {
        return names.getLast();
    }
}
