// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.spi.PeJob;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Joins the job that environment variables describe: a number, how many processes there are, where PE 0
/// listens, and a file with a secret that all of them have. No process of the job starts another, and they share
/// neither a folder nor a service. PE 0 has the coordinator, at an address that all know beforehand; the other
/// PEs look for it again and again, in any order of starts.
///
/// Only the setting SECRET_FILE makes a process a PE of such a job: a variable such as `RANK` alone does not. A
/// process with a job key, or one of a launcher with PMIx, belongs to that job, unless the setting BOOTSTRAP
/// asks for this one.
public final class EnvBootstrap extends ClusterBootstrap {
    private static final String NAME = "env";
    private static final String LOCAL_SIZE = "COTERIE_LOCAL_SIZE";
    private static final Duration POLL_PAUSE = Duration.ofMillis(50);

    private final Map<String, String> environment;
    private final JobClock clock;

    /// For the service loader.
    public EnvBootstrap() {
        this(System.getenv(), JobClock.SYSTEM);
    }

    EnvBootstrap(Map<String, String> environment, JobClock clock) {
        super(NAME);
        this.environment = environment;
        this.clock = clock;
    }

    @Override
    public Optional<String> refusal() {
        if (ClusterSettings.secretFile(context()).isEmpty()) {
            return Optional.of("the setting SECRET_FILE (COTERIE_SECRET_FILE) names no file with the secret of a job");
        }
        if (!context().setting("BOOTSTRAP").equals(NAME)) {
            String other = !ClusterSettings.jobKey(context()).isEmpty()
                    ? "COTERIE_JOB_KEY"
                    : PmixBootstrap.isNamed(environment) ? "PMIX_NAMESPACE" : "";
            if (!other.isEmpty()) {
                return Optional.of(other + " is set, and comes before COTERIE_SECRET_FILE; COTERIE_BOOTSTRAP=" + NAME
                        + " selects this one");
            }
        }
        EnvNames.of(environment, ClusterSettings.coordinator(context()));
        return Optional.empty();
    }

    @Override
    public PeJob join() {
        EnvNames names = EnvNames.of(environment, ClusterSettings.coordinator(context()));
        int pesOfNode = EnvNames.number(environment, LOCAL_SIZE).orElse(1);
        String beginning = "join by " + NAME + " as PE " + names.pe() + " of " + names.size() + ": ";
        try {
            byte[] secret = SecretFile.read(Path.of(ClusterSettings.secretFile(context())));
            return names.pe() == 0
                    ? host(names, secret, pesOfNode)
                    : HostingPe.join(
                            context(),
                            JobKey.of(names.host(), names.port(), secret),
                            names.pe(),
                            names.size(),
                            Math.max(1, pesOfNode),
                            null,
                            clock);
        } catch (PeFailedException e) {
            throw e;
        } catch (IOException e) {
            throw new CoterieException(beginning + "can't read the secret: " + e, e);
        } catch (CoterieException e) {
            String problem = String.valueOf(e.getMessage()).replaceFirst("^(join|coordinator): ", "");
            throw new CoterieException(beginning + problem + advice(names, e.getCause()), e);
        }
    }

    private PeJob host(EnvNames names, byte[] secret, int pesOfNode) {
        InetAddress listen = listenAddress(names);
        JobCoordinator coordinator = HostingPe.open(context(), names.size(), listen, names.port(), secret, clock);
        try {
            return HostingPe.join(
                    context(), coordinator.key(), 0, names.size(), Math.max(1, pesOfNode), coordinator, clock);
        } catch (PeFailedException e) {
            throw e;
        } catch (CoterieException e) {
            throw new CoterieException(
                    e.getMessage() + "; PE 0 listened on "
                            + coordinator.key().place()
                            + (listen.isLoopbackAddress()
                                    ? ", a loopback address, which processes on other hosts and in other containers"
                                            + " can't reach: set COTERIE_LISTEN there"
                                    : ""),
                    e);
        }
    }

    /// Returns where PE 0 listens: the setting LISTEN, or else the address of the coordinator's name. A name
    /// that does not resolve, or resolves to the address that another process had before, may be right a moment
    /// later.
    private InetAddress listenAddress(EnvNames names) {
        InetAddress set = ClusterSettings.listen(context());
        if (!set.isLoopbackAddress()) {
            return set;
        }
        long start = clock.nanoTime();
        Duration timeout = ClusterSettings.joinTimeout(context());
        boolean isLogged = false;
        while (true) {
            String problem;
            try {
                List<InetAddress> all = List.of(InetAddress.getAllByName(names.host()));
                Optional<InetAddress> own = own(all);
                if (own.isPresent()) {
                    return own.get();
                }
                problem = "the name " + names.host() + " of PE 0 resolves to "
                        + all.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "))
                        + ", which is no address of this machine"
                        + (all.stream().anyMatch(ListenAddress::isOfLink)
                                ? " that other hosts reach without the name of their interface"
                                : "")
                        + "; set COTERIE_LISTEN to a network or an interface of"
                        + " it, or start PE 0 where the name leads";
                if (!isLogged) {
                    isLogged = true;
                    System.getLogger("coterie")
                            .log(
                                    System.Logger.Level.WARNING,
                                    "PE 0: " + problem + "; it tries again for " + timeout.toSeconds() + " s");
                }
            } catch (UnknownHostException e) {
                problem = "the name " + names.host() + " of PE 0 does not resolve; set COTERIE_LISTEN to a network or"
                        + " an interface of this machine, or correct the name";
            }
            if (clock.nanoTime() - start > timeout.toNanos()) {
                throw new CoterieException("join: " + problem + " (tried for " + timeout.toSeconds() + " s)");
            }
            try {
                clock.sleep(POLL_PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CoterieException("join: " + problem + " (interrupted)", e);
            }
        }
    }

    /// Returns the address of this machine among those of the name of PE 0. Debian has `127.0.1.1` for the own name
    /// beside what others resolve it to, so that a loopback address comes last.
    private static Optional<InetAddress> own(List<InetAddress> all) {
        List<InetAddress> local = all.stream()
                .filter(each -> ListenAddress.isLocal(each) && !ListenAddress.isOfLink(each))
                .toList();
        return local.stream()
                .filter(each -> !each.isLoopbackAddress())
                .findFirst()
                .or(() -> local.stream().findFirst());
    }

    /// Returns what to do about a problem, with a separator before; empty if the problem says it.
    ///
    /// @param cause of the exception that reports the problem
    private static String advice(EnvNames names, @Nullable Throwable cause) {
        return switch (cause) {
            case null -> "";
            case BindException e ->
                "; another program, another job or a second process with the number 0 has port " + names.port()
                        + ", or this user may not open it: give each job a port of its own by COTERIE_COORDINATOR"
                        + " (torchrun itself has MASTER_PORT), and each process a number of its own";
            case UnknownHostException e ->
                "; correct the name, or let it resolve before PE 0 is ready (a headless Service with"
                        + " publishNotReadyAddresses)";
            case JobLink.RefusedException e when e.getCause() instanceof SSLException -> "";
            case JobLink.RefusedException e ->
                "; PE 0 has another content of COTERIE_SECRET_FILE, or another job has this port: give all processes"
                        + " of a job one secret, and each job a secret and a port of its own";
            case ConnectException e ->
                "; PE 0 has not come, or listens elsewhere: look at its output, and at COTERIE_LISTEN there";
            case IOException e ->
                "; another program may have port " + names.port() + ", or a network may drop what goes there: look at"
                        + " the output of PE 0, and at the rules of the network";
            default -> "";
        };
    }
}
