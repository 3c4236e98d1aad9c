// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import java.net.Inet6Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What environment variables say of a job. Coterie's own names come before those of schedulers; two schedulers
/// whose names differ contradict each other, as a launcher inside a process of another one does.
///
/// @param pe number of this process, in `[0, size)`
/// @param size number of processes
/// @param host name or address at which PE 0 listens
/// @param port of PE 0
record EnvNames(int pe, int size, String host, int port) {
    private static final String PE = KeyBootstrap.NUMBER;
    private static final String SIZE = "COTERIE_SIZE";
    private static final String COORDINATOR = "COTERIE_COORDINATOR";

    /// Host and port; an address of IPv6 is in brackets, with a zone that [#checkHost] refuses.
    private static final Pattern PLACE =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+(?:%[^]\\s]+)?)]|([^:\\[\\]\\s]+)):([0-9]{1,5})");

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,7}");

    /// The variables of a scheduler or launcher; an empty name where it has none.
    ///
    /// @param marker is set in all of its processes, and in no others
    private record Scheduler(String marker, String rank, String size, String address, String port) {
        Scheduler(String rank, String size, String address, String port) {
            this(rank, rank, size, address, port);
        }
    }

    /// One row a scheduler; the page on clusters has the same table.
    private static final List<Scheduler> SCHEDULERS = List.of(
            new Scheduler("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"),
            new Scheduler("PET_NODE_RANK", "PET_NNODES", "PET_MASTER_ADDR", "PET_MASTER_PORT"),
            new Scheduler("JOB_COMPLETION_INDEX", "", "", ""),
            // The shell of a batch job has a number, too, and no step.
            new Scheduler(
                    "SLURM_STEP_ID",
                    "SLURM_PROCID",
                    "SLURM_STEP_NUM_TASKS",
                    "SLURM_STEP_NODELIST",
                    "SLURM_STEP_RESV_PORTS"),
            new Scheduler("PMI_RANK", "PMI_SIZE", "", ""));

    /// A value and the variable that has it.
    private record Named(String variable, String value) {}

    /// Reads the variables.
    ///
    /// @param coordinator the setting COORDINATOR, or an empty string
    /// @throws CoterieException if a value is missing, is none, or contradicts another; the message has the
    ///     variables
    static EnvNames of(Map<String, String> environment, String coordinator) {
        List<Scheduler> active = SCHEDULERS.stream()
                .filter(each -> !value(environment, each.marker).isEmpty())
                .toList();
        List<String> missing = new ArrayList<>();
        Named pe = find(environment, PE, active, Scheduler::rank, UnaryOperator.identity(), missing);
        Named size = find(environment, SIZE, active, Scheduler::size, UnaryOperator.identity(), missing);
        Named host;
        Named port;
        if (coordinator.isEmpty()) {
            host = find(environment, "", active, Scheduler::address, EnvNames::firstHost, missing);
            port = find(environment, "", active, Scheduler::port, EnvNames::firstPort, missing);
        } else {
            Matcher place = PLACE.matcher(coordinator);
            if (!place.matches()) {
                throw refused("the setting COORDINATOR (" + COORDINATOR + ") is \"" + coordinator
                        + "\", which is no HOST:PORT; an address of IPv6 is in brackets, as in [fd00::7]:29500");
            }
            host = new Named(COORDINATOR, place.group(1) == null ? place.group(2) : place.group(1));
            port = new Named(COORDINATOR, place.group(3));
        }
        if (!missing.isEmpty()) {
            throw refused(String.join(", and ", missing) + "; COTERIE_SECRET_FILE is set, so that this process"
                    + " belongs to a job: set what is missing, or COTERIE_BOOTSTRAP for another way to find the job");
        }
        int number = number(pe);
        int count = number(size);
        if (count < 1 || count > JobFrame.MAX_PES) {
            throw refused(size.variable + " is " + count + ", outside [1, " + JobFrame.MAX_PES + "]");
        }
        if (number >= count) {
            throw refused(pe.variable + " is " + number + ", and " + size.variable + " is " + count
                    + ": the processes have the numbers 0 to " + (count - 1) + "; start " + count
                    + " processes, or set the size to the number of processes on all of them");
        }
        int listening = number(port);
        if (listening < 1 || listening > 0xFFFF) {
            throw refused("the port in " + port.variable + " is " + listening + ", outside [1, 65535]");
        }
        checkHost(host);
        return new EnvNames(number, count, host.value, listening);
    }

    /// Refuses an address of IPv6 that is none, or that has a meaning on one host alone.
    private static void checkHost(Named host) {
        if (host.value.indexOf(':') < 0) {
            return;
        }
        String address = host.value.replaceFirst("%.*", "");
        boolean isOfLink;
        try {
            isOfLink = Inet6Address.ofLiteral(address).isLinkLocalAddress();
        } catch (IllegalArgumentException e) {
            throw new CoterieException(
                    "join by env: the host in " + host.variable + " is \"" + host.value
                            + "\", which is no address of IPv6; the port has a place of its own",
                    e);
        }
        if (isOfLink) {
            throw refused("the host in " + host.variable + " is \"" + host.value + "\", an address of one link, whose"
                    + " zone differs from host to host; take a unique local (fd00::) or a global address of PE 0");
        }
        if (host.value.length() > address.length()) {
            throw refused("the host in " + host.variable + " is \"" + host.value + "\", with the zone of one host;"
                    + " leave out what begins with %");
        }
    }

    /// Returns the number in a variable of Coterie's; empty if it is not set.
    static OptionalInt number(Map<String, String> environment, String variable) {
        String text = value(environment, variable);
        return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(number(new Named(variable, text)));
    }

    private static int number(Named named) {
        if (!NUMBER.matcher(named.value).matches()) {
            throw refused(named.variable + " is \"" + named.value + "\", which is no number");
        }
        return Integer.parseInt(named.value);
    }

    private static String value(Map<String, String> environment, String variable) {
        return environment.getOrDefault(variable, "").strip();
    }

    /// Finds a value under Coterie's own name, or else under those of the schedulers.
    ///
    /// @param own name of Coterie's, or empty if it is a setting, which is not set
    /// @param missing receives a phrase if the value is nowhere
    private static Named find(
            Map<String, String> environment,
            String own,
            List<Scheduler> active,
            Function<Scheduler, String> column,
            UnaryOperator<String> form,
            List<String> missing) {
        if (!value(environment, own).isEmpty()) {
            return new Named(own, value(environment, own));
        }
        String remedy = own.isEmpty() ? COORDINATOR : own;
        List<Named> found = active.stream()
                .map(column)
                .filter(name -> !value(environment, name).isEmpty())
                .map(name -> new Named(name, form.apply(value(environment, name))))
                .toList();
        for (Named each : found) {
            Named first = found.getFirst();
            if (!each.value.toLowerCase(Locale.ROOT).equals(first.value.toLowerCase(Locale.ROOT))) {
                throw refused(first.variable + " is \"" + first.value + "\", and " + each.variable + " is \""
                        + each.value + "\": they contradict each other; set " + remedy + ", which comes before both,"
                        + " or remove one of them");
            }
        }
        if (found.isEmpty()) {
            String others = SCHEDULERS.stream()
                    .filter(each -> !column.apply(each).isEmpty())
                    .map(each -> column.apply(each)
                            + (column.apply(each).equals(each.marker) ? "" : " beside " + each.marker))
                    .collect(Collectors.joining(", "));
            missing.add("neither " + remedy + " nor the variable of a scheduler (" + others + ") is set");
        }
        return found.isEmpty() ? new Named(remedy, "") : found.getFirst();
    }

    /// Returns the first host of a list as Slurm writes it, such as `rack[2-3]n[01-04,9],login`.
    private static String firstHost(String hosts) {
        return hosts.replaceAll("\\[([^\\],-]*)[^\\]]*]", "$1").replaceFirst(",.*", "");
    }

    /// Returns the first port of a list as Slurm writes it, such as `12000-12003`.
    private static String firstPort(String ports) {
        return ports.replaceFirst("[,-].*", "");
    }

    private static CoterieException refused(String why) {
        return new CoterieException("join by env: " + why);
    }
}
