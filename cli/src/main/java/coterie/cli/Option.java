// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.JobSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The options of all commands, in the order of the help: one table for the parser, the help and the tests.
enum Option {
    PES(
            Takes.VALUE,
            "N",
            "Number of PEs, in [1, 1024]; up to 4096 with --conduit sim. Default: 1; for perf and info 2.",
            "-n",
            "-np"),
    MODE(
            Takes.VALUE,
            "processes|threads",
            "Runs each PE as a process with its own JVM, or as a thread of one JVM. Default: processes.",
            "--pes"),
    NODES(
            Takes.VALUE,
            "NAME:N,...",
            "Assigns the PEs to nodes, whatever machine they run on: the first N PEs to node NAME, and so on."
                    + " The counts add up to -n, which may be left out. PEs on different nodes do not share memory."
                    + " Default: all PEs on one node.",
            "--nodes"),
    HOSTS(
            Takes.VALUE,
            "HOST:N,...",
            "Runs the first N PEs on HOST, and so on, as processes; HOST alone stands for one PE. With -n, as many of them as"
                    + " that. Coterie, the working folder and the program have the same paths on all hosts, unless"
                    + " --stage copies them. Default: all PEs on this machine.",
            "--hosts",
            "--host"),
    HOSTFILE(
            Takes.VALUE,
            "FILE",
            "In place of --hosts: reads the hosts from a file, one in a line: NAME once for each PE, NAME:N, or NAME"
                    + " slots=N.",
            "--hostfile",
            "--machinefile"),
    STAGE(
            Takes.VALUE,
            "FOLDER",
            "With --hosts: copies Coterie, the jars and folders of the program, and --stage-files to a new folder inside"
                    + " FOLDER of each host, where the PEs work, and removes them at the end. For hosts that share no"
                    + " home folder; FOLDER is one that each has, such as /tmp.",
            "--stage"),
    STAGE_FILES(
            Takes.VALUE,
            "FILE,...",
            "With --stage: copies these files and folders, too. A PE finds them as this launcher does.",
            "--stage-files"),
    SSH(
            Takes.VALUE,
            "COMMAND",
            "With --hosts: the command that runs a command on a host, in words separated by spaces, such as 'ssh -p 22';"
                    + " the host follows. Default: ssh.",
            "--ssh"),
    LISTEN(
            Takes.VALUE,
            "ADDRESS",
            "With --hosts: where this launcher listens for the PEs: an address of this machine, a network such as"
                    + " 10.1.0.0/16, or a network interface. Default: the setting COTERIE_LISTEN; without it 127.0.0.1.",
            "--listen"),
    CONDUIT(
            Takes.VALUE,
            "NAME",
            "Selects what connects the PEs: mapped, the memory of this machine, or sim, a simulated network, which runs"
                    + " all PEs in one JVM, one at a time and in virtual time. Default: mapped.",
            "--conduit"),
    SEED(
            Takes.VALUE,
            "N",
            "With --conduit sim: selects the order of events, by a number in [0, 2^63). Runs with equal seeds are"
                    + " equal; seed 0 is the order without perturbations. Default: 0.",
            "--seed"),
    SEEDS(
            Takes.VALUE,
            "FROM..TO",
            "With --conduit sim: runs the program once for each seed in this range, until a run fails. Shows the output"
                    + " of the failed run only.",
            "--seeds"),
    SIM(
            Takes.VALUE,
            "SCRIPT",
            "With --conduit sim: sets parameters of the simulated network, as key=value pairs separated by commas. A"
                    + " failed run prints the SCRIPT that repeats it.",
            "--sim"),
    NO_SHRINK(
            Takes.NOTHING,
            null,
            "With --conduit sim: after a failure, does not search for the perturbations that the failure needs.",
            "--no-shrink"),
    MOST(Takes.VALUE, "N", "Number of PEs of the largest job, in [2, 4096]. Default: 4096.", "--most"),
    NODE_SIZE(Takes.VALUE, "N", "Number of PEs on each node, in [1, 4096]. Default: 64.", "--node-size"),
    PLOT(
            Takes.VALUE,
            "FILE",
            "Draws the times as an SVG picture: scale draws them against the number of PEs, compare against the size.",
            "--plot"),
    OPS(Takes.VALUE, "LIST", "Compares these operations only, separated by commas. Default: all.", "--ops"),
    CLASS_PATH(
            Takes.VALUE,
            "PATH",
            "Loads classes from these jars and folders, separated by ':'; a folder's '/*' stands for the jars in it.",
            "-cp",
            "--class-path"),
    MODULE_PATH(
            Takes.VALUE, "PATH", "Loads modules from these jars and folders, separated by ':'.", "-p", "--module-path"),
    MODULE(
            Takes.PROGRAM,
            "MODULE[/CLASS]",
            "Runs this class of a module, by default the module's main class. The next words are its arguments.",
            "-m",
            "--module"),
    JAR(Takes.PROGRAM, "FILE", "Runs the main class of this jar. The next words are its arguments.", "-jar"),
    HEAP(
            Takes.VALUE,
            "SIZE",
            "Gives each PE this much symmetric memory, such as 512m or 1.5g. It takes pages of the machine only as the"
                    + " program allocates them. Default: the environment variable COTERIE_HEAP; without it a quarter"
                    + " of the machine's memory, divided by the number of PEs, at most 16g.",
            "--heap"),
    BIND(
            Takes.VALUE,
            "none|core|numa",
            "Binds each PE to one processor (core) or to one NUMA node (numa), in turn. Default: none; for perf core,"
                    + " if PEs are processes and each can have a processor.",
            "--bind"),
    TIMEOUT(
            Takes.VALUE,
            "TIME",
            "Stops the job after this time, such as 30s or 1h30m, with exit code 124. Default: no limit.",
            "--timeout"),
    GRACE(
            Takes.VALUE,
            "TIME",
            "When the launcher stops a job: gives the PEs this time to end, and then kills them. Default: "
                    + JobSpec.DEFAULT_GRACE.toSeconds() + "s.",
            "--grace"),
    ON_FAILURE(
            Takes.VALUE,
            "end|continue",
            "When a PE fails: ends the job, or lets the other PEs continue. Default: end.",
            "--on-failure"),
    ON_DEADLOCK(
            Takes.VALUE,
            "report|fail|abort|ignore",
            "When the job can't go on: prints a report of the cause; fail then ends all waits with an exception, abort"
                    + " the job with exit code 123. Default: report.",
            "--on-deadlock"),
    STALL(
            Takes.VALUE,
            "TIME",
            "Looks for a deadlock when nothing has moved for this time. Default: " + JobSpec.DEFAULT_STALL.toSeconds()
                    + "s.",
            "--stall"),
    TAG_OUTPUT(Takes.NOTHING, null, "Begins each line of output with '[PE] ', the number of its PE.", "--tag-output"),
    OUTPUT_DIR(Takes.VALUE, "DIR", "Writes the output of each PE to pe.<n>.out and pe.<n>.err in DIR.", "--output-dir"),
    STDIN(
            Takes.VALUE,
            "first|none",
            "Connects standard input to PE 0 (first) or to no PE (none). Default: first.",
            "--stdin"),
    ENV(
            Takes.VALUES,
            "NAME[=VALUE]",
            "Sets an environment variable of the PEs; without =VALUE, requires that it is set already. Repeatable.",
            "--env"),
    JVM(Takes.VALUES, "OPTION", "Passes an option to the JVM of each PE, such as -J-Xmx2g. Repeatable.", "-J"),
    DEBUG(
            Takes.PERHAPS_VALUE,
            "PORT",
            "Each PE i waits at its start until a debugger attaches to port PORT + i. Default: 5005.",
            "--debug"),
    PROGRAM_CACHE(
            Takes.VALUE,
            "on|off",
            "Keeps what the second run of a program has loaded and compiled, in the user's cache folder, so that later runs"
                    + " start faster. Default: on.",
            "--program-cache"),
    NAME(Takes.VALUE, "NAME", "Names the job, for 'coterie ps'. Default: the program's name.", "--name"),
    OUTPUT(
            Takes.VALUE,
            "FOLDER",
            "Writes trace.json and report.html to this folder. Default: the program's name and '-trace'.",
            "-o",
            "--output"),
    MAX_EVENTS(
            Takes.VALUE,
            "N",
            "Number of operations of each PE that the trace keeps, the latest ones, in [1, 10000000]. Default: 100000, or"
                    + " less with more than 20 PEs.",
            "--max-events"),
    SCORES(
            Takes.NOTHING,
            null,
            "Prints which algorithm of which layer runs the collectives of a team of -n members, by size.",
            "--scores"),
    CONFIG(
            Takes.NOTHING,
            null,
            "Prints all settings as a settings file: values in force as lines, meanings and defaults as comments.",
            "--config"),
    DOT(Takes.NOTHING, null, "Prints the graph of the operations that wait, in the language of Graphviz.", "--dot"),
    FOR(Takes.VALUE, "TIME", "Looks at the job for this time, in which it should move. Default: 500ms.", "--for"),
    JSON(Takes.NOTHING, null, "Prints JSON instead of text.", "--json"),
    HELP(Takes.NOTHING, null, "Prints this help.", "-h", "--help");

    /// The value that follows an option on the command line.
    enum Takes {
        NOTHING,
        /// one value; if the option is repeated, the last value counts
        VALUE,
        /// one value for each time that the option is given
        VALUES,
        /// no value, or one that `=` joins to the option, or a number as the next word
        PERHAPS_VALUE,
        /// one value, which is the program; the words after it are the program's arguments
        PROGRAM
    }

    private final Takes takes;
    private final @Nullable String label;
    private final String description;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes it
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

    /// Returns the name of the value in the help, or null if the option takes none.
    @Nullable
    String label() {
        return label;
    }

    String description() {
        return description;
    }

    /// Returns the names as typed, dashes included.
    List<String> names() {
        return names;
    }

    /// Returns the last name, which messages use.
    String longestName() {
        return names.getLast();
    }
}
