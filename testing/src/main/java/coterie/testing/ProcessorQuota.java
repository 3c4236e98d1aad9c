// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// A control group of the kernel whose processes share a small part of a processor, as those of a throttled container
/// do. Version 1 and 2 of control groups. Needs root: see [Tool#PROCESSOR_QUOTA].
public final class ProcessorQuota implements AutoCloseable {
    private static final String PROCESSES = "cgroup.procs";

    /// The longest that the kernel takes.
    private static final long PERIOD_MICROS = 1_000_000;

    private static final Path MOUNTS = Path.of("/proc/self/mounts");

    private final Path group;
    private final boolean isUnified;

    /// Makes a group without a limit and without processes.
    ///
    /// @throws IOException with the reason if this machine can't make it
    public ProcessorQuota() throws IOException {
        Path unified = null;
        Path root = null;
        for (String line : Files.readAllLines(MOUNTS, StandardCharsets.UTF_8)) {
            List<String> fields = List.of(line.split(" ", -1));
            Path folder = Path.of(fields.get(1));
            boolean isOfProcessors = Arrays.asList(fields.get(3).split(",", -1)).contains("cpu");
            root = fields.get(2).equals("cgroup") && isOfProcessors ? folder : root;
            unified = fields.get(2).equals("cgroup2") ? folder : unified;
        }
        isUnified = root == null;
        Path parent = isUnified ? unified : root;
        if (parent == null) {
            throw new IOException("no control groups are mounted");
        }
        group = parent.resolve("coterie-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        Files.createDirectory(group);
        boolean isMade = false;
        try {
            if (isUnified && !Files.exists(group.resolve("cpu.max"))) {
                write(parent.resolve("cgroup.subtree_control"), "+cpu");
            }
            release();
            isMade = true;
        } finally {
            if (!isMade) {
                Files.delete(group);
            }
        }
    }

    /// Moves a process into the group; one that has ended is left out.
    public void add(long pid) throws IOException {
        move(pid, group);
    }

    /// Lets all processes of the group together run for so long in each second.
    ///
    /// @param micros in `[1000, 1000000]`
    public void limit(long micros) throws IOException {
        if (isUnified) {
            write(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
        } else {
            write(group.resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
            write(group.resolve("cpu.cfs_quota_us"), Long.toString(micros));
        }
    }

    /// Lets them run as they like.
    public void release() throws IOException {
        write(group.resolve(isUnified ? "cpu.max" : "cpu.cfs_quota_us"), isUnified ? "max" : "-1");
    }

    /// Returns in how many periods a process of the group had to stop.
    public long throttled() throws IOException {
        for (String line : Files.readAllLines(group.resolve("cpu.stat"), StandardCharsets.UTF_8)) {
            if (line.startsWith("nr_throttled ")) {
                return Long.parseLong(line.substring("nr_throttled ".length()));
            }
        }
        throw new IOException("no nr_throttled in " + group.resolve("cpu.stat"));
    }

    /// Removes the group. Its processes go on without a limit.
    @Override
    public void close() throws IOException {
        release();
        for (String pid : Files.readAllLines(group.resolve(PROCESSES), StandardCharsets.UTF_8)) {
            move(Long.parseLong(pid), Objects.requireNonNull(group.getParent(), "the group has no parent"));
        }
        Files.delete(group);
    }

    private static void move(long pid, Path to) throws IOException {
        try {
            write(to.resolve(PROCESSES), Long.toString(pid));
        } catch (IOException e) {
            if (Files.exists(Path.of("/proc/" + pid))) {
                throw e;
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
    }
}
