// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The jobs of this user that run on this machine, as their control segments describe them.
///
/// There is no registry: a listing searches `/proc` for the processes that have a segment open. A listing
/// therefore has a job exactly as long as the job lives.
public final class Jobs {
    private static final Path PROCESSES = Path.of("/proc");

    private final List<Running> running = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();
    private final Set<Object> seen = new HashSet<>();

    private Jobs() {}

    /// The jobs that run at one moment.
    ///
    /// @param running in the order of their launchers' process ids
    /// @param unreadable for each job that this process can't read, for example a job of another version, a
    ///     sentence with the reason
    public record Listing(List<Running> running, List<String> unreadable) {}

    /// One job.
    ///
    /// @param heapBytes symmetric memory of each PE
    /// @param segment how a process opens its control segment
    public record Running(String name, long launcherPid, Instant started, long heapBytes, List<Pe> pes, Path segment) {}

    /// One PE of a job.
    ///
    /// @param node number of the node that the runtime assumes for it
    /// @param pid of its process; 0 if it has none yet
    /// @param state "starting", "running", "closed", "ended", "failed"
    /// @param doing what it is doing, for people, such as "waiting in barrier #88"
    /// @param waitedNanos for how long it has been waiting; 0 if it does not wait
    /// @param counters its counts of operations by name, in the order of the status page; a PE updates them when
    ///     it waits for long and when it closes its world
    public record Pe(
            int pe, int node, long pid, String state, String doing, long waitedNanos, Map<String, Long> counters) {}

    /// Searches all processes of this user for jobs.
    public static Listing list() {
        Jobs jobs = new Jobs();
        for (long pid : processes()) {
            jobs.look(PROCESSES.resolve(Long.toString(pid)).resolve("fd"));
        }
        jobs.running.sort(Comparator.comparingLong(Running::launcherPid));
        return new Listing(List.copyOf(jobs.running), List.copyOf(jobs.unreadable));
    }

    private static List<Long> processes() {
        List<Long> pids = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path entry : entries) {
                pids.add(Long.parseLong(entry.getFileName().toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("listing jobs: can't list the processes in " + PROCESSES, e);
        }
        Collections.sort(pids);
        return pids;
    }

    private void look(Path descriptors) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(descriptors)) {
            for (Path descriptor : open) {
                if (JobSegment.leadsTo(descriptor, JobSegment.NAME_PREFIX)) {
                    read(descriptor);
                }
            }
        } catch (AccessDeniedException | NoSuchFileException | DirectoryIteratorException e) {
            return; // the process is another user's or has just ended
        } catch (IOException e) {
            throw new UncheckedIOException("listing jobs: can't list " + descriptors, e);
        }
    }

    /// Reads the job whose segment a process has open. That may be a process that attaches, or one that the launcher
    /// is starting, and will close it at once.
    private void read(Path descriptor) throws IOException {
        Object file = file(descriptor);
        if (file == null || seen.contains(file)) {
            return;
        }
        try {
            running.add(describe(JobSegment.attach(descriptor), descriptor, file));
            seen.add(file);
        } catch (CoterieException e) {
            if (file.equals(file(descriptor))) {
                unreadable.add(String.valueOf(e.getMessage()));
                seen.add(file);
            }
        }
    }

    /// Returns a key that is equal for all descriptors of one file, or null if there is none, or none of this user's.
    private static @Nullable Object file(Path descriptor) throws IOException {
        try {
            Object key =
                    Files.readAttributes(descriptor, BasicFileAttributes.class).fileKey();
            return key == null ? descriptor : key;
        } catch (NoSuchFileException | AccessDeniedException e) {
            return null;
        }
    }

    /// @param found how the segment was opened: so do others if they can't find its creator
    private static Running describe(JobSegment segment, Path found, Object file) throws IOException {
        List<Pe> pes = new ArrayList<>(segment.size());
        for (int pe = 0; pe < segment.size(); pe++) {
            pes.add(describe(pe, segment.node(pe), segment.status(pe)));
        }
        return new Running(
                segment.name(),
                segment.launcherPid(),
                Instant.ofEpochMilli(segment.startedAtMillis()),
                segment.heapBytes(),
                List.copyOf(pes),
                file.equals(file(segment.creatorPath())) ? segment.creatorPath() : found);
    }

    private static Pe describe(int pe, int node, StatusPage page) {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (StatusField field : StatusField.values()) {
            if (field.compareTo(StatusField.PUTS) >= 0) {
                counters.put(field.name().toLowerCase(Locale.ROOT), page.get(field));
            }
        }
        return new Pe(
                pe,
                node,
                page.get(StatusField.PID),
                page.state().name().toLowerCase(Locale.ROOT),
                JobReport.doing(page),
                JobReport.waitedNanos(page),
                Collections.unmodifiableMap(counters));
    }
}
