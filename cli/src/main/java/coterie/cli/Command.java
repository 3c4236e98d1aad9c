// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static coterie.cli.Option.HELP;
import static coterie.cli.Option.JSON;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The commands of `coterie`: one table for dispatch, help and tests.
enum Command {
    RUN("Runs a Java program on several processing elements (PEs).", "PROGRAM [ARGUMENT...]", """
            PROGRAM is a source file, a jar or, with -cp, the name of a class; -m runs a module.
            Options precede the program; the words after it are the program's arguments.

            Examples:
              coterie run -n 4 Ring.java                     one source file, compiled once
              coterie run -n 4 --pes threads Ring.java       PEs as threads of one JVM
              coterie run -n 2 -cp app.jar my.Main --fast    a class and its arguments
              coterie run -n 2 -J-Xmx2g --heap 1g -jar app.jar
              coterie run -n 4 --timeout 5m --output-dir logs -p mods -m app/app.Main
              coterie run --hosts a:4,b:4 --listen eth0 Ring.java        on two hosts, by ssh
              coterie run -n 4 --conduit sim --seeds 0..99 Ring.java     in a hundred orders of events

            Ctrl-C asks the PEs to end; a second Ctrl-C kills them.
            Ctrl-\\ prints what each thread of each PE does.
            docs/command-line.md has the exit codes, and explains more."""),
    INFO("Prints the version, the machine, the conduits, the layers and the settings.", "", """
            With --scores, the rows on stdout are
            members,memory,collective,from_bytes,to_bytes,layer,algorithm,score,fallbacks: first for teams
            whose members load and store each other's memory (direct), then for teams whose members use
            put and get (conduit). Remarks on tuning strings go to stderr.

            The value of a setting comes from -Dcoterie.name, else from the environment variable
            COTERIE_NAME, else from the file that COTERIE_CONFIG_FILE names; the default of this variable is
            coterie.conf in XDG_CONFIG_HOME, or in ~/.config.
            With -cp, the output includes the layers on that path and their settings.

            Examples:
              coterie info --json
              coterie info --config -cp my-layer.jar
              coterie info --config > ~/.config/coterie.conf
              coterie info --scores -n 8 > scores.csv
              coterie info --scores --nodes a:4,b:4
              COTERIE_TL_MAPPED_TUNE=bcast:0-4k:@push coterie info --scores""") {
        @Override
        List<Option> options() {
            return List.of(Option.PES, Option.NODES, Option.SCORES, Option.CONFIG, Option.CLASS_PATH, JSON, HELP);
        }
    },
    DOCTOR("Checks this machine, prints a remedy for each fault, and removes leftover files.", "", "") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }
    },
    PS("Lists your running jobs, and what each of their PEs does.", "[JOB...]", """
            JOB is the name of a job, or the process id of its launcher. Default: all jobs.""") {
        @Override
        List<Option> options() {
            return List.of(JSON, HELP);
        }
    },
    DIAGNOSE(
            "Says why a running job is stuck: which operations wait for each other, and what frees them.", "JOB", """
            JOB is the name of a job, or the process id of its launcher; 'coterie ps' lists both. The command looks
            at the job's memory for a while and asks nothing of its PEs: it works when they are wedged or
            suspended. docs/observing/diagnosis.md explains the verdicts.

            Examples:
              coterie diagnose Ring
              coterie diagnose --json Ring > diagnosis.json
              coterie diagnose --dot Ring | dot -Tsvg > diagnosis.svg""") {
        @Override
        List<Option> options() {
            return List.of(JSON, Option.DOT, Option.FOR, HELP);
        }
    },
    TRACE(
            "Runs a program as 'coterie run' does, and writes what its PEs have done and waited for.",
            "PROGRAM [ARGUMENT...]",
            """
            The folder gets trace.json, which https://ui.perfetto.dev opens, and report.html for any browser:
            timeline, bytes between PEs, which PE waited for which, and the deadlock if there was one. They are
            written however the job ends. The exit code is the job's. docs/observing/tracing.md explains both files.

            Examples:
              coterie trace -n 4 Ring.java
              coterie trace -n 4 -o halo --max-events 1000000 Halo.java 512
              coterie trace -n 2 --on-deadlock abort deadlocks/Circular.java broken""") {
        @Override
        List<Option> options() {
            List<Option> options = new ArrayList<>(super.options());
            options.removeAll(HOST_OPTIONS);
            options.remove(Option.PROGRAM_CACHE);
            options.addAll(0, TRACE_OPTIONS);
            return options;
        }
    },
    KILL("Asks running jobs of yours to end.", "JOB...", """
            JOB is the name of a job, or the process id of its launcher; 'coterie ps' lists both. The launcher
            ends the PEs as it does at Ctrl-C, and kills them after --grace.""") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }
    },
    PERF(
            "Measures the operations on this machine, and prints tables in the format of the OSU benchmarks.",
            "[ARGUMENT...]",
            """
            The options above are those of 'coterie run'. All other words go to the benchmark;
            'coterie perf -- --help' prints its own help.

            Examples:
              coterie perf -n 2
              coterie perf --csv -n 4
              coterie perf -n 2 -o put,get -m 8:1m --plot perf.svg
              coterie perf -n 4 -o npb --class A
              coterie perf -n 2 -J-XX:-TieredCompilation""") {
        @Override
        List<Option> options() {
            List<Option> options = new ArrayList<>(super.options());
            options.removeAll(PROGRAM_OPTIONS);
            options.removeAll(SIMULATION_OPTIONS);
            options.remove(Option.PROGRAM_CACHE);
            return options;
        }
    },
    SCALE("Predicts the times of a barrier, a sum and a halo exchange in simulated jobs of growing size.", "", """
            Runs jobs of 2, 4, 8, ... PEs in simulated networks without perturbations. The rows on stdout
            are pes,operation,predicted_ns,real_ms,heap_bytes_per_pe,resident_bytes_per_pe;
            docs/simulation.md explains them.

            Examples:
              coterie scale --most 256
              coterie scale --plot scale.svg > scale.csv
              coterie scale --sim far=900:50:0.04 --node-size 128""") {
        @Override
        List<Option> options() {
            return List.of(Option.MOST, Option.NODE_SIZE, Option.PLOT, Option.SIM, Option.JVM, HELP);
        }
    },
    COMPARE("Prints measured latencies, bandwidths and rates of several systems side by side.", "FILE...", """
            Each FILE has rows in the format of 'coterie perf --csv', with the columns
            system,op,np,bytes,metric,value, and may have further columns. The rows on stdout are op,np,bytes
            and, for each system, a column of medians in nanoseconds; in GB/s where op ends with _bw,
            and in Mop/s where it is a program with its problem class, such as cg.A.

            Examples:
              coterie compare results.csv > compared.csv
              coterie compare --ops bcast,reduce --plot latency.svg before.csv after.csv""") {
        @Override
        List<Option> options() {
            return List.of(Option.OPS, Option.PLOT, HELP);
        }
    },
    COMPLETION("Prints a completion script for bash, zsh or fish.", "[SHELL]", """
            SHELL is bash, the default, zsh or fish.

            Examples:
              source <(coterie completion)
              coterie completion fish | source""") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }
    },
    CACHE("Writes the start-up cache of PEs to a file; the script 'coterie' uses it.", "FILE", "") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }

        @Override
        boolean isHidden() {
            return true;
        }
    },
    SHARE(
            "Writes the manual page and completion scripts into a folder; the build of a distribution does.",
            "FOLDER",
            "") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }

        @Override
        boolean isHidden() {
            return true;
        }
    },
    HELP_COMMAND("Prints the help of a command.", "[COMMAND]", "") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }
    };

    private static final Set<Option> PROGRAM_OPTIONS =
            EnumSet.of(Option.CLASS_PATH, Option.MODULE_PATH, Option.MODULE, Option.JAR);

    private static final Set<Option> SIMULATION_OPTIONS =
            EnumSet.of(Option.CONDUIT, Option.SEED, Option.SEEDS, Option.SIM, Option.NO_SHRINK);

    private static final Set<Option> HOST_OPTIONS =
            EnumSet.of(Option.HOSTS, Option.HOSTFILE, Option.STAGE, Option.STAGE_FILES, Option.SSH, Option.LISTEN);

    private static final Set<Option> INFO_OPTIONS = EnumSet.of(Option.SCORES, Option.CONFIG, JSON);

    private static final Set<Option> DIAGNOSE_OPTIONS = EnumSet.of(Option.DOT, Option.FOR);

    private static final Set<Option> TRACE_OPTIONS = EnumSet.of(Option.OUTPUT, Option.MAX_EVENTS);

    private static final Set<Option> SCALE_OPTIONS = EnumSet.of(Option.MOST, Option.NODE_SIZE, Option.OPS, Option.PLOT);

    private final String summary;
    private final String operands;
    private final String details;

    Command(String summary, String operands, String details) {
        this.summary = summary;
        this.operands = operands;
        this.details = details;
    }

    /// Returns the command with this label, or null.
    static @Nullable Command of(String word) {
        for (Command command : values()) {
            if (command.label().equals(word)) {
                return command;
            }
        }
        return null;
    }

    /// Returns the word that users type.
    String label() {
        return this == HELP_COMMAND ? "help" : name().toLowerCase(Locale.ROOT);
    }

    /// Returns one sentence for the help.
    String summary() {
        return summary;
    }

    /// Returns what follows the options in the usage line.
    String operands() {
        return operands;
    }

    /// Returns the text below the options in the help.
    String details() {
        return details;
    }

    /// Returns the options that the command accepts, in the order of the help.
    List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(Option.values()));
        options.removeAll(INFO_OPTIONS);
        options.removeAll(SCALE_OPTIONS);
        options.removeAll(DIAGNOSE_OPTIONS);
        options.removeAll(TRACE_OPTIONS);
        return options;
    }

    /// Returns whether all words from the first operand on are operands, dashes included.
    boolean endsOptionsAtOperand() {
        return this == RUN || this == TRACE;
    }

    /// Returns whether the help leaves the command out.
    boolean isHidden() {
        return false;
    }
}
