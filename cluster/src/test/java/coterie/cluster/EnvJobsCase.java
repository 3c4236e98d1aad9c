// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;

/// Jobs whose processes find each other by environment variables alone.
///
/// The name of PE 0 is in a file of hosts. At first this file is a pipe: a lookup waits there, so that the test
/// knows of it. Then the file with the name takes its place, and the lookups that wait end without an address.
abstract class EnvJobsCase extends BootstrapCase {
    private static final String NAME = "zero.job";

    @TempDir
    private Path folder;

    /// Runs a job whose processes start in a random order, and whose name resolves after a lookup of one of
    /// them.
    ///
    /// @param seed of the order, and of the names that the processes get
    /// @param flags of each JVM
    void run(int size, long seed, String... flags) throws Exception {
        run(size, seed, Map.of(), flags);
    }

    /// The same, with more variables of the environment for all processes.
    void run(int size, long seed, Map<String, String> variables, String... flags) throws Exception {
        Path secret = secret("a secret of job " + seed);
        Path hosts = folder.resolve("hosts-" + seed);
        new ProcessBuilder("mkfifo", hosts.toString()).inheritIO().start().waitFor();
        int port = freePort();
        Random random = new Random(seed);
        List<Integer> order = new ArrayList<>();
        for (int pe = 0; pe < size; pe++) {
            order.add(pe);
        }
        Collections.shuffle(order, random);
        int latest = random.nextInt(size);
        Map<Integer, Process> processes = new HashMap<>();
        try {
            for (int started = 0; started < size; started++) {
                int pe = order.get(started);
                Map<String, String> environment = environment(random.nextInt(4), pe, size, port);
                environment.put("COTERIE_SECRET_FILE", secret.toString());
                environment.putAll(variables);
                processes.put(pe, start(environment, command(hosts, flags)));
                if (started == latest) {
                    resolve(hosts);
                }
            }
            for (int pe = 0; pe < size; pe++) {
                assertExchanged(output(processes.get(pe), 0), pe, size);
            }
        } finally {
            processes.values().forEach(Process::destroyForcibly);
        }
    }

    /// Returns the flag of a JVM that forgets each failed lookup at once. The system property
    /// `sun.net.inetaddr.negative.ttl` would not do it, since the JDK's own file of security properties has a time.
    String noCache() throws IOException {
        Path properties = folder.resolve("security.properties");
        Files.writeString(properties, "networkaddress.cache.negative.ttl=0\n");
        return "-Djava.security.properties=" + properties;
    }

    Path secret(String content) throws IOException {
        Path secret = Files.createTempFile(folder, "secret", null);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        return Files.writeString(secret, content);
    }

    private static List<String> command(Path hosts, String... flags) {
        List<String> command = new ArrayList<>(java());
        command.addAll(1, List.of(flags));
        command.add(1, "-Djdk.net.hosts.file=" + hosts);
        return command;
    }

    private static void resolve(Path hosts) throws IOException {
        Path file = Files.writeString(hosts.resolveSibling(hosts.getFileName() + ".new"), "127.0.0.1 " + NAME + "\n");
        OutputStream pipe = Files.newOutputStream(hosts); // returns when a process looks the name up
        try {
            Files.move(file, hosts, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            pipe.close();
        }
    }

    /// Returns a port that a moment ago no process had.
    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static Map<String, String> environment(int style, int pe, int size, int port) {
        String rank = Integer.toString(pe);
        String count = Integer.toString(size);
        String place = NAME + ":" + port;
        return new HashMap<>(
                switch (style) {
                    case 0 -> Map.of("COTERIE_PE", rank, "COTERIE_SIZE", count, "COTERIE_COORDINATOR", place);
                    case 1 ->
                        Map.of(
                                "RANK", rank,
                                "WORLD_SIZE", count,
                                "MASTER_ADDR", NAME,
                                "MASTER_PORT", Integer.toString(port));
                    case 2 ->
                        Map.of(
                                "PET_NODE_RANK", rank,
                                "PET_NNODES", count,
                                "PET_MASTER_ADDR", NAME,
                                "PET_MASTER_PORT", Integer.toString(port));
                    default ->
                        Map.of("JOB_COMPLETION_INDEX", rank, "COTERIE_SIZE", count, "COTERIE_COORDINATOR", place);
                });
    }
}
