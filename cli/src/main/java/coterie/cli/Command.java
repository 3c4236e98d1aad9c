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

/// What `coterie` can do: one table for dispatch, help and tests.
enum Command {
    RUN("Runs a Java program on several processing elements (PEs).", "PROGRAM [ARGUMENT...]", """
            PROGRAM is a source file, or with -cp a class; -jar and -m name a jar or a module instead.
            Options end at the program: what follows it is its own.

            Examples:
              coterie run -n 4 Ring.java                     one source file, compiled once
              coterie run -n 4 --pes threads Ring.java       PEs as threads of one JVM
              coterie run -n 2 -cp app.jar my.Main --fast    a class and its arguments
              coterie run -n 2 -J-Xmx2g --heap 1g -jar app.jar
              coterie run -n 4 --timeout 5m --output-dir logs -p mods -m app/app.Main
              coterie run -n 4 --conduit sim --seeds 0..99 Ring.java     in a hundred orders of events

            Ctrl-C asks the PEs to end and, pressed again, makes them. Ctrl-\\ shows what every thread of every PE does.
            Exit codes: docs/exit-codes.md."""),
    INFO("Shows the version, the machine, the conduits and the settings.", "", """
            With --scores: rows members,memory,collective,from_bytes,to_bytes,layer,algorithm,score,fallbacks, for teams
            whose members load and store each other's memory (direct) and for those that put and get (conduit). What
            is wrong in a tuning string goes to stderr.

            Settings come from -Dcoterie.name, else from COTERIE_NAME in the environment, else from the file that
            COTERIE_CONFIG_FILE names, by default coterie.conf in XDG_CONFIG_HOME or ~/.config. Layers that plug in
            are found on the class path, and their settings shown with the runtime's own.

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
    DOCTOR("Checks this machine, says how to mend what is wrong, and clears away leftovers.", "", "") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }
    },
    PS("Shows your running jobs, and what each of their PEs does.", "", "") {
        @Override
        List<Option> options() {
            return List.of(JSON, HELP);
        }
    },
    PERF("Measures the operations on this machine, in tables as the OSU benchmarks print them.", "[ARGUMENT...]", """
            Launch options as those of 'coterie run'; everything else goes to the benchmark, whose own help is
            'coterie perf -- --help'.

            Examples:
              coterie perf -n 2
              coterie perf --csv -n 4
              coterie perf -n 2 -J-XX:-TieredCompilation""") {
        @Override
        List<Option> options() {
            List<Option> options = new ArrayList<>(super.options());
            options.removeAll(PROGRAM_OPTIONS);
            options.removeAll(SIMULATION_OPTIONS);
            return options;
        }
    },
    SCALE("Predicts what a barrier, a sum and a halo exchange take in ever larger simulated jobs.", "", """
            Jobs of 2, 4, 8, ... PEs run in simulated networks, without perturbations. The rows on stdout are
            pes,operation,predicted_ns,real_ms,heap_bytes_per_pe,resident_bytes_per_pe; docs/simulation.md says what
            they mean.

            Examples:
              coterie scale --most 256
              coterie scale --plot scale.svg > scale.csv
              coterie scale --sim far=900:50:0.04 --node-size 128""") {
        @Override
        List<Option> options() {
            return List.of(Option.MOST, Option.NODE_SIZE, Option.PLOT, Option.SIM, Option.JVM, HELP);
        }
    },
    COMPARE("Sets measured latencies of several systems side by side.", "FILE...", """
            Files have rows as 'coterie perf --csv' prints them, with the columns system,op,np,bytes,metric,value and
            perhaps others. The rows on stdout are op,np,bytes and a column of medians, in nanoseconds, for each system.

            Examples:
              coterie compare results.csv > compared.csv
              coterie compare --ops bcast,reduce --plot latency.svg ours.csv theirs.csv""") {
        @Override
        List<Option> options() {
            return List.of(Option.OPS, Option.PLOT, HELP);
        }
    },
    COMPLETION("Prints a completion script for bash and zsh: source <(coterie completion)", "", "") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }
    },
    CACHE("Makes the start-up cache of PEs in a file; for the script that starts us.", "FILE", "") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }

        @Override
        boolean isHidden() {
            return true;
        }
    },
    HELP_COMMAND("Shows the help of a command.", "[COMMAND]", "") {
        @Override
        List<Option> options() {
            return List.of(HELP);
        }
    };

    private static final Set<Option> PROGRAM_OPTIONS =
            EnumSet.of(Option.CLASS_PATH, Option.MODULE_PATH, Option.MODULE, Option.JAR);

    private static final Set<Option> SIMULATION_OPTIONS =
            EnumSet.of(Option.CONDUIT, Option.SEED, Option.SEEDS, Option.SIM, Option.NO_SHRINK);

    private static final Set<Option> SCALE_OPTIONS = EnumSet.of(Option.MOST, Option.NODE_SIZE, Option.OPS, Option.PLOT);

    private final String summary;
    private final String operands;
    private final String details;

    Command(String summary, String operands, String details) {
        this.summary = summary;
        this.operands = operands;
        this.details = details;
    }

    /// The command that this word calls, or null.
    static @Nullable Command of(String word) {
        for (Command command : values()) {
            if (command.label().equals(word)) {
                return command;
            }
        }
        return null;
    }

    /// As typed.
    String label() {
        return this == HELP_COMMAND ? "help" : name().toLowerCase(Locale.ROOT);
    }

    /// One sentence.
    String summary() {
        return summary;
    }

    /// What follows the options, for the line of usage.
    String operands() {
        return operands;
    }

    /// What its help says below the options.
    String details() {
        return details;
    }

    /// In the order of help.
    List<Option> options() {
        List<Option> options = new ArrayList<>(List.of(Option.values()));
        options.remove(JSON);
        options.removeAll(SCALE_OPTIONS);
        return options;
    }

    /// Whether arguments that are no options are the command's own business, from the first one on.
    boolean endsOptionsAtOperand() {
        return this == RUN;
    }

    /// Whether it is none of people's business.
    boolean isHidden() {
        return false;
    }
}
