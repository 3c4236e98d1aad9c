// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What tests need of the machine beside a JDK: the one table of its names, of how a test finds it and of what installs
/// it on Debian. A test declares its tools by [NeedsTools].
public enum Tool {
    SSH("ssh and sshd", "openssh-client and openssh-server", all("ssh", "ssh-keygen", "sshd")),
    SLURM("Slurm", "slurmctld, slurmd, slurm-client and munge", all("slurmctld", "slurmd", "munged", "srun", "sinfo")),
    MPIRUN("mpirun", "openmpi-bin", all("mpirun")),
    MPICH("mpiexec of MPICH", "mpich", all("mpiexec.hydra")),
    PRTE("prte and prun", "openmpi-bin of Debian 13 or newer", all("prte", "prun")),
    PMIX("libpmix", "libpmix2", library("", "libpmix.so.2")),
    UCX("UCX", "libucx0", library("", "libucp.so.0")),
    NETWORK_NAMESPACES("network namespaces", "iproute2, and run the tests as root", List.of(Tool::networkNamespace)),
    MOUNT_NAMESPACES("mount namespaces", "util-linux, and allow them to this user", List.of(Tool::mountNamespace)),
    PROCESSOR_QUOTA(
            "a processor quota",
            "control groups that can be written: run the tests as root, and mount them if a container has none",
            List.of(Tool::processorQuota)),
    TAP_DEVICES("TAP devices", "iproute2 on a kernel with tun, and run the tests as root", List.of(Tool::tapDevice)),
    BROWSER("a browser", "chromium", any("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")),
    CXX("a C++ compiler", "g++", any("c++", "g++", "clang++")),
    NVCC("nvcc", "the CUDA toolkit, and add its bin to PATH or set CUDA_HOME", any("nvcc")),
    NVRTC(
            "NVRTC",
            "nvidia-cuda-nvrtc by pip, and set COTERIE_NVRTC_LIBRARY to its libnvrtc.so",
            library("COTERIE_NVRTC_LIBRARY", "libnvrtc.so.13", "libnvrtc.so.12")),
    NCCL("NCCL", "libnccl2", library("COTERIE_NCCL_LIBRARY", "libnccl.so.2"));

    /// Where daemons are, which the PATH of most users lacks.
    private static final List<Path> OF_DAEMONS = List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));

    private final String title;
    private final String remedy;

    @SuppressWarnings("ImmutableEnumChecker") // List.of and toList make it, of lambdas without state
    private final List<Part> parts;

    /// One thing that must be there.
    private interface Part {
        /// Returns why it is not here; empty if it is.
        Optional<String> missing();
    }

    /// The first of some programs that the machine has.
    private record AnyProgram(List<String> names) implements Part {
        @Override
        public Optional<String> missing() {
            return find(names).isPresent()
                    ? Optional.empty()
                    : Optional.of("no " + String.join(" or ", names) + " on the PATH");
        }
    }

    Tool(String title, String remedy, List<Part> parts) {
        this.title = title;
        this.remedy = remedy;
        this.parts = parts;
    }

    /// Returns the sentence of a test that is skipped for the lack of this tool; empty if the tool is here.
    public Optional<String> missing() {
        return parts.stream()
                .flatMap(part -> part.missing().stream())
                .findFirst()
                .map(why -> sentence(title, why + "; install " + remedy));
    }

    /// Returns the program that this tool is, or its first one, where the machine has it.
    public Path program() {
        return parts.stream()
                .flatMap(part -> part instanceof AnyProgram(List<String> names) ? find(names).stream() : Stream.empty())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(missing().orElse(title + " is no program")));
    }

    /// Returns the sentence of a test that is skipped.
    ///
    /// @param name what the machine lacks
    /// @param why with the remedy
    public static String sentence(String name, String why) {
        return "needs " + name + ", which is not here: " + why;
    }

    /// Returns a program of the machine, a daemon's too.
    public static Path program(String name) {
        return find(List.of(name)).orElseThrow(() -> new IllegalStateException("no " + name));
    }

    private static Optional<Path> find(List<String> names) {
        return names.stream()
                .flatMap(name -> folders().map(folder -> folder.resolve(name)))
                .filter(file -> Files.isExecutable(file) && !Files.isDirectory(file))
                .findFirst();
    }

    private static Stream<Path> folders() {
        Stream<Path> ofToolkit = variable("CUDA_HOME").map(home -> Path.of(home, "bin"));
        return Stream.of(variable("PATH").flatMap(Tool::split), OF_DAEMONS.stream(), ofToolkit)
                .flatMap(folders -> folders);
    }

    private static Stream<String> variable(String name) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? Stream.empty() : Stream.of(value);
    }

    private static Stream<Path> split(String path) {
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }

    private static List<Part> all(String... programs) {
        return Arrays.stream(programs).map(Tool::any).flatMap(List::stream).toList();
    }

    private static List<Part> any(String... programs) {
        return List.of(new AnyProgram(List.of(programs)));
    }

    /// A library that the loader finds, or the file of a variable.
    private static List<Part> library(String variable, String... names) {
        return List.of(() -> {
            Optional<String> file = variable(variable).findFirst();
            if (file.isPresent()) {
                return Files.exists(Path.of(file.get()))
                        ? Optional.empty()
                        : Optional.of("no file " + file.get() + ", which " + variable + " names");
            }
            boolean isFound = Arrays.stream(names).anyMatch(Tool::isLoadable);
            return isFound ? Optional.empty() : Optional.of("the loader finds no " + String.join(" or ", names));
        });
    }

    private static boolean isLoadable(String library) {
        Stream<Path> ofToolkit = variable("CUDA_HOME").map(home -> Path.of(home, "lib64"));
        return Stream.concat(variable("LD_LIBRARY_PATH").flatMap(Tool::split), ofToolkit)
                        .anyMatch(folder -> Files.exists(folder.resolve(library)))
                || find(List.of("ldconfig"))
                        .map(ldconfig -> outcome(ldconfig.toString(), "-p").output())
                        .orElse("")
                        .contains(library + " ");
    }

    private static Optional<String> networkNamespace() {
        if (find(List.of("ip")).isEmpty()) {
            return Optional.of("no ip on the PATH");
        }
        try {
            new NetworkNamespaces(1).close();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> processorQuota() {
        try (ProcessorQuota quota = new ProcessorQuota()) {
            quota.limit(1000);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(
                    String.valueOf(e.getMessage()) + " (" + e.getClass().getSimpleName() + ")");
        }
    }

    private static Optional<String> mountNamespace() {
        if (find(List.of("unshare")).isEmpty()) {
            return Optional.of("no unshare on the PATH");
        }
        Outcome mount =
                outcome("unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/dev/shm");
        return mount.exitCode() == 0
                ? Optional.empty()
                : Optional.of(mount.output().strip());
    }

    private static Optional<String> tapDevice() {
        String name = "co" + ProcessHandle.current().pid() % 100_000_000 + "t";
        Outcome added = outcome("ip", "tuntap", "add", "dev", name, "mode", "tap");
        return added.exitCode() == 0
                        && outcome("ip", "tuntap", "del", "dev", name, "mode", "tap")
                                        .exitCode()
                                == 0
                ? Optional.empty()
                : Optional.of(added.output().strip());
    }

    private record Outcome(int exitCode, String output) {}

    private static Outcome outcome(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.onExit().join().exitValue(), output);
        } catch (IOException e) {
            return new Outcome(-1, String.valueOf(e.getMessage()));
        }
    }
}
