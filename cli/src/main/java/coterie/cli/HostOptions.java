// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.cluster.JobCoordinator;
import coterie.cluster.ListenAddress;
import coterie.internal.launch.HostPlan;
import coterie.internal.launch.HostStaging;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.PeMode;
import coterie.internal.launch.SystemInfo;
import coterie.spi.Encryption;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The options of a job on several hosts.
final class HostOptions {
    private static final String PREFIX = "COTERIE_";
    private static final String SSH = "ssh";
    private static final int MAX_SILENCE_S = 86_400;
    private static final int MAX_JOIN_S = 1_000_000_000;

    /// Names by which a host means this machine, so that its PEs reach the loopback address.
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1");

    /// Options for PEs on one machine.
    private static final List<Option> LOCAL_OPTIONS =
            List.of(Option.NODES, Option.MODE, Option.CONDUIT, Option.DEBUG, Option.ON_DEADLOCK);

    /// Variables that describe a PE or this machine, and not the job.
    private static final Set<String> OF_THIS_PROCESS = Set.of(
            "COTERIE_PE",
            "COTERIE_SIZE",
            "COTERIE_LOCAL_PE",
            "COTERIE_LOCAL_SIZE",
            "COTERIE_SEGMENT",
            "COTERIE_JOB_KEY",
            "COTERIE_NODE",
            "COTERIE_JAVA_HOME");

    private final List<HostPlan.Host> hosts;
    private final List<String> remoteShell;
    private final HostStaging staging;
    private final InetAddress listen;
    private final Duration silence;
    private final Duration join;
    private final Map<String, String> environment;

    private HostOptions(
            List<HostPlan.Host> hosts,
            List<String> remoteShell,
            HostStaging staging,
            InetAddress listen,
            Duration silence,
            Duration join,
            Map<String, String> environment) {
        this.hosts = hosts;
        this.remoteShell = remoteShell;
        this.staging = staging;
        this.listen = listen;
        this.silence = silence;
        this.join = join;
        this.environment = environment;
    }

    /// Returns the options, or null if all PEs are on this machine.
    ///
    /// @param environment of the launcher: settings of the runtime in it go to the PEs
    static @Nullable HostOptions of(ParsedArguments arguments, Map<String, String> environment) {
        String list = arguments.value(Option.HOSTS);
        String file = arguments.value(Option.HOSTFILE);
        if (list == null && file == null) {
            for (Option each : List.of(Option.SSH, Option.LISTEN, Option.STAGE, Option.STAGE_FILES)) {
                if (arguments.value(each) != null) {
                    throw new UsageException(each.longestName() + ": belongs to --hosts; leave it out, or name hosts");
                }
            }
            return null;
        }
        if (list != null && file != null) {
            throw new UsageException("--hostfile and --hosts exclude each other; leave one out");
        }
        String text = list == null ? "--hostfile " + file : "--hosts " + list;
        for (Option each : LOCAL_OPTIONS) {
            if (arguments.has(each)) {
                throw new UsageException(each.longestName() + " and " + text.substring(0, text.indexOf(' '))
                        + " exclude each other; leave one out");
            }
        }
        List<HostPlan.Host> hosts = file == null ? parse(text, String.valueOf(list)) : HostFile.read(Path.of(file));
        String count = arguments.value(Option.PES);
        if (count != null) {
            int most = HostPlan.pes(hosts);
            int pes = JobOptions.number("-n", count, 1, PeMode.PROCESSES.maxPes(), "a number of PEs");
            if (pes > most) {
                throw new UsageException(text + ": names the hosts of " + most + (most == 1 ? " PE" : " PEs")
                        + ", but -n is " + pes + "; give the hosts more PEs, as in NAME:N");
            }
            hosts = HostPlan.first(hosts, pes);
        }
        HostStaging staging = staging(arguments);
        String shell = arguments.value(Option.SSH);
        List<String> words = List.of((shell == null ? SSH : shell).strip().split("\\s+", -1));
        String given = arguments.value(Option.LISTEN);
        String listen = given == null ? SystemInfo.setting("LISTEN") : given;
        InetAddress address;
        try {
            address = ListenAddress.of(listen);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--listen: " + e.getMessage());
        }
        if (address.isLoopbackAddress() && !hosts.stream().allMatch(each -> THIS_MACHINE.contains(each.name()))) {
            throw new UsageException(text + ": PEs on other hosts can't reach " + address.getHostAddress()
                    + ", where this launcher listens; add --listen with an address, a network or an interface of this"
                    + " machine that they reach");
        }
        return new HostOptions(
                hosts,
                words,
                staging,
                address,
                seconds("LINK_TIMEOUT_S", MAX_SILENCE_S),
                seconds("JOIN_TIMEOUT_S", MAX_JOIN_S),
                settings(environment));
    }

    private static List<HostPlan.Host> parse(String option, String list) {
        try {
            return HostPlan.parse(list);
        } catch (IllegalArgumentException e) {
            throw new UsageException(option + ": " + e.getMessage());
        }
    }

    private static HostStaging staging(ParsedArguments arguments) {
        String folder = arguments.value(Option.STAGE);
        String names = arguments.value(Option.STAGE_FILES);
        if (folder == null) {
            if (names != null) {
                throw new UsageException("--stage-files: belongs to --stage; add it, with a folder of each host");
            }
            return HostStaging.NONE;
        }
        if (!folder.matches("/[A-Za-z0-9/._-]*")) {
            throw new UsageException("--stage " + folder
                    + ": expected an absolute path of a folder that each host has, of letters, digits and /._-");
        }
        List<Path> files = new ArrayList<>();
        for (String each : names == null ? List.<String>of() : List.of(names.split(",", -1))) {
            Path file = Path.of(each);
            if (each.isEmpty() || !Files.exists(file)) {
                throw new UsageException("--stage-files " + names + ": there is no file \"" + each + "\"");
            }
            files.add(file);
        }
        return HostStaging.to(folder, files);
    }

    private static Duration seconds(String setting, int max) {
        return Duration.ofSeconds(JobOptions.number(
                "setting ".concat(setting), SystemInfo.setting(setting), 1, max, "a number of seconds"));
    }

    private static Map<String, String> settings(Map<String, String> environment) {
        Map<String, String> settings = new HashMap<>(environment);
        settings.keySet().removeIf(name -> !name.startsWith(PREFIX) || OF_THIS_PROCESS.contains(name));
        return settings;
    }

    private static Encryption encryption() {
        try {
            return Encryption.of(SystemInfo::setting);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    /// Returns, per PE, the number of its host.
    List<Integer> nodes() {
        return HostPlan.nodes(hosts);
    }

    /// Returns a job on these hosts.
    ///
    /// @param hasHeap whether the user has chosen the size of symmetric memory; if not, the host with the least
    ///     memory decides
    JobSpec of(JobSpec spec, boolean hasHeap) {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(spec.environment());
        JobCoordinator.Options options = new JobCoordinator.Options(
                spec.pes(),
                listen,
                listen.getHostAddress(),
                hasHeap ? spec.heapBytes() : 0,
                silence,
                Duration.ZERO,
                true,
                false);
        CoordinatorService service = new CoordinatorService(options, encryption(), join);
        return spec.withEnvironment(all).withHosts(new HostPlan(hosts, remoteShell, staging, service));
    }
}
