// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a job copies to its hosts, where they share no folder: the runtime, the program, and files that the user
/// names. A file at `/home/me/app.jar` is at `FOLDER/home/me/app.jar` on each host, and the PEs work in the folder that
/// stands for the launcher's. Two commands on the host do it: `mkdir`, which fails if the folder exists, so that none
/// of another user is used, and `tar`. The host's agent removes them at its end: see [StagedFolder].
public final class HostStaging {
    /// Copies nothing: all paths are the same on all hosts.
    public static final HostStaging NONE = new HostStaging("", List.of());

    /// How the folder on each host begins; its number follows, since two of them may be one machine.
    private final String folder;

    private final List<Path> files;

    private HostStaging(String folder, List<Path> files) {
        this.folder = folder;
        this.files = List.copyOf(files);
    }

    /// Returns a staging to a new folder.
    ///
    /// @param parent an absolute path of a folder that all hosts have, of letters, digits and `/._-`
    /// @param files to copy beside the runtime and the program
    public static HostStaging to(String parent, List<Path> files) {
        String name = "coterie-" + ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "-";
        return new HostStaging(parent.replaceAll("/+$", "") + "/" + name, files);
    }

    /// Returns the folder on a host; empty if nothing is copied.
    String folder(int host) {
        return isOn() ? folder + host : "";
    }

    private boolean isOn() {
        return !folder.isEmpty();
    }

    /// Returns where a path of this machine is on a host.
    Path at(int host, Path path) {
        return isOn() ? Path.of(folder(host) + absolute(path)) : path;
    }

    List<Path> at(int host, List<Path> paths) {
        return paths.stream().map(path -> at(host, path)).toList();
    }

    private static Path absolute(Path path) {
        return path.toAbsolutePath().normalize();
    }

    /// Copies everything to all hosts, at the same time. Returns when all have it.
    ///
    /// @param runtime where Coterie is on this machine
    /// @throws HostRefusedException if a host does not take it, with the host and what its command has said; then
    ///     no host keeps anything
    void copy(HostPlan plan, JobSpec.Program program, List<Path> runtime) throws IOException {
        if (!isOn()) {
            return;
        }
        Set<Path> all = new LinkedHashSet<>();
        for (List<Path> each : List.of(runtime, program.wholeClassPath(), program.modulePath(), files)) {
            each.stream().map(HostStaging::absolute).filter(Files::exists).forEach(all::add);
        }
        List<String> local = new ArrayList<>(List.of("tar", "-c", "-h", "-f", "-", "-C", "/"));
        all.forEach(path -> local.add(path.toString().substring(1)));
        Set<Integer> hosts = IntStream.range(0, plan.hosts().size()).boxed().collect(Collectors.toSet());
        Map<Integer, String> failures = run(plan, hosts, List.of(), "mkdir", "-m", "700");
        hosts.removeAll(failures.keySet());
        if (failures.isEmpty()) {
            failures = run(plan, hosts, local, "tar", "-x", "-f", "-", "-C");
        }
        if (!failures.isEmpty()) {
            run(plan, hosts, List.of(), "rm", "-r", "-f");
            int first = failures.keySet().iterator().next();
            throw new HostRefusedException("host " + plan.hosts().get(first).name() + " does not take the job's files: "
                    + failures.get(first));
        }
    }

    /// Runs a command on hosts, whose last word is the folder there. Returns those where it has failed, and how.
    ///
    /// @param local the command whose output the remote one reads; empty for none
    private Map<Integer, String> run(HostPlan plan, Set<Integer> hosts, List<String> local, String... remote)
            throws IOException {
        Map<Integer, List<Process>> running = new TreeMap<>();
        for (int host : hosts) {
            List<String> words = new ArrayList<>(plan.remoteShell());
            words.add(plan.hosts().get(host).name());
            words.addAll(List.of(remote));
            words.add(folder(host));
            ProcessBuilder shell = new ProcessBuilder(words).redirectErrorStream(true);
            ProcessBuilder source = new ProcessBuilder(local).redirectError(ProcessBuilder.Redirect.INHERIT);
            running.put(
                    host,
                    local.isEmpty() ? List.of(shell.start()) : ProcessBuilder.startPipeline(List.of(source, shell)));
        }
        Map<Integer, String> failures = new TreeMap<>();
        for (Map.Entry<Integer, List<Process>> each : running.entrySet()) {
            Process last = each.getValue().getLast();
            last.getOutputStream().close();
            String said = new String(last.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            for (Process process : each.getValue()) {
                int code = process.onExit().join().exitValue();
                if (code != 0) {
                    failures.put(
                            each.getKey(),
                            (process.equals(last)
                                            ? String.join(" ", remote) + " " + folder(each.getKey())
                                            : local.getFirst())
                                    + " ended with exit code " + code + (said.isEmpty() ? "" : ": " + said));
                }
            }
        }
        return failures;
    }
}
