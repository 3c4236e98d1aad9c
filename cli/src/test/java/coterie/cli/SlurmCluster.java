// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NetworkNamespaces;
import coterie.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// A cluster of Slurm on hosts that are network namespaces: the daemons of Slurm and of munge, with a configuration and
/// a secret of their own. Host 0 has the controller, and starts the jobs.
final class SlurmCluster implements AutoCloseable {
    private static final int CPUS_PER_HOST = 4;

    private final NetworkNamespaces network;
    private final Path folder;
    private final List<Process> daemons = new ArrayList<>();

    SlurmCluster(NetworkNamespaces network, Path folder) throws Exception {
        this.network = network;
        this.folder = Files.createDirectories(folder);
        boolean isUp = false;
        try {
            start();
            isUp = true;
        } finally {
            if (!isUp) {
                close();
            }
        }
    }

    private void start() throws Exception {
        byte[] secret = new byte[1024];
        new SecureRandom().nextBytes(secret);
        Path key = folder.resolve("munge.key");
        Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(key, secret);
        Path socket = folder.resolve("munge.socket");
        daemon(
                "munged",
                List.of(
                        Tool.program("munged").toString(),
                        "--force", // any user may enter the folder for temporary files that this folder is in
                        "--foreground",
                        "--key-file=" + key,
                        "--socket=" + socket,
                        "--pid-file=" + folder.resolve("munge.pid"),
                        "--seed-file=" + folder.resolve("munge.seed")));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> Files.exists(socket));
        Files.writeString(folder.resolve("slurm.conf"), configuration(socket));
        daemon("slurmctld", onHost(0, Tool.program("slurmctld").toString(), "-D", "-c"));
        for (int host = 0; host < network.hosts(); host++) {
            Files.createDirectories(folder.resolve("host" + host));
            daemon("slurmd" + host, onHost(host, Tool.program("slurmd").toString(), "-D", "-N", "host" + host));
        }
        List<String> idle = Collections.nCopies(network.hosts(), "idle");
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(states()).as(this::logs).isEqualTo(idle));
    }

    private String configuration(Path socket) throws IOException {
        String hostname = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        StringBuilder text = new StringBuilder("""
                ClusterName=coterie
                SlurmctldHost=%1$s(10.77.0.1)
                AuthType=auth/munge
                AuthInfo=socket=%2$s
                CredType=cred/munge
                SlurmUser=root
                SlurmdUser=root
                StateSaveLocation=%3$s/state
                SlurmdSpoolDir=%3$s/%%n
                SlurmctldPidFile=%3$s/slurmctld.pid
                SlurmdPidFile=%3$s/%%n.pid
                SlurmdParameters=config_overrides
                ProctrackType=proctrack/linuxproc
                TaskPlugin=task/none
                MpiDefault=none
                ReturnToService=2
                """.formatted(hostname, socket, folder));
        for (int host = 0; host < network.hosts(); host++) {
            text.append("NodeName=host%1$d NodeHostname=%2$s NodeAddr=10.77.0.%3$d CPUs=%4$d%n"
                    .formatted(host, hostname, host + 1, CPUS_PER_HOST));
        }
        return text + "PartitionName=main Nodes=ALL Default=YES State=UP%n".formatted();
    }

    private void daemon(String name, List<String> command) throws IOException {
        daemons.add(builder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile())
                .start());
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.matches("(COTERIE|SLURM|PMIX|PMI|OMPI)_.*"));
        builder.environment().put("SLURM_CONF", folder.resolve("slurm.conf").toString());
        return builder;
    }

    /// Not by `ip netns exec`, which hides the control groups that `slurmd` looks for; programs need its view of
    /// devices.
    private List<String> onHost(int host, String... command) {
        return Stream.concat(Stream.of("nsenter", "--net=/run/netns/" + network.name(host)), Arrays.stream(command))
                .toList();
    }

    private List<String> states() throws Exception {
        Process process = builder(onHost(0, "sinfo", "--noheader", "--Node", "--format=%T"))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return output.lines().toList();
    }

    private String logs() {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                text.append(file.getFileName()).append('\n').append(Files.readString(file));
            }
        } catch (IOException e) {
            text.append(e);
        }
        return text.toString();
    }

    /// Runs a program by `srun` on all hosts. Each process names its host as its node, since all namespaces have one
    /// kernel. The folder of the submission is this cluster's.
    ///
    /// @param variables of the processes, beside those of this test
    Process srun(int processes, Map<String, String> variables, List<String> program) throws IOException {
        String host = network.name(0).replaceFirst("0$", "") + "$SLURM_NODEID";
        List<String> command = new ArrayList<>(onHost(
                0,
                "srun",
                "--nodes=" + network.hosts(),
                "--ntasks=" + processes,
                "--ntasks-per-node=" + processes / network.hosts(),
                "--kill-on-bad-exit=0",
                "sh",
                "-c",
                "COTERIE_NODE=$SLURMD_NODENAME exec ip netns exec " + host + " \"$0\" \"$@\""));
        command.addAll(program);
        ProcessBuilder builder = builder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        return builder.start();
    }

    /// Starts processes on the first host alone.
    Process srunOnOneHost(int processes, List<String> program) throws IOException {
        List<String> command =
                new ArrayList<>(onHost(0, "srun", "--nodes=1", "--nodelist=host0", "--ntasks=" + processes));
        command.addAll(onHost(0, program.toArray(String[]::new)));
        return builder(command).redirectErrorStream(true).start();
    }

    /// Ends the daemons, and what they have started.
    @Override
    public void close() {
        for (Process daemon : daemons.reversed()) {
            daemon.destroy();
            daemon.onExit().completeOnTimeout(daemon, 10, TimeUnit.SECONDS).join();
            daemon.destroyForcibly().onExit().join();
        }
    }
}
