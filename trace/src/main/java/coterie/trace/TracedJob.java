// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import coterie.internal.trace.PeTracer;
import coterie.internal.trace.Tracing;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/// A job whose PEs record what they do, in a folder of the user's.
///
/// ```
///  FOLDER/recording/pe-0.events …   as long as the job runs
///  FOLDER/trace.json                for Perfetto; trace.json.gz of many operations
///  FOLDER/report.html               for a browser
/// ```
public final class TracedJob {
    /// The events that a PE of a small job keeps.
    public static final int DEFAULT_EVENTS = PeTracer.DEFAULT_EVENTS;

    /// Events of all PEs together by default: the launcher has them in memory at once, in some hundred bytes each.
    private static final int MOST_DEFAULT_EVENTS = 2_000_000;

    /// Operations from which the trace is compressed: some 40 MB.
    private static final int MOST_PLAIN = 200_000;

    private static final String RECORDING = "recording";

    private final Path folder;
    private final int maxEvents;

    /// What was written.
    ///
    /// @param trace for Perfetto
    /// @param report for a browser
    /// @param events in the trace
    /// @param dropped older events that found no room
    public record Written(Path trace, Path report, long events, long dropped) {}

    private TracedJob(Path folder, int maxEvents) {
        this.folder = folder;
        this.maxEvents = maxEvents;
    }

    /// Returns the number of events that each PE of a job keeps by default.
    public static int defaultEvents(int pes) {
        return Math.max(1, Math.min(DEFAULT_EVENTS, MOST_DEFAULT_EVENTS / pes));
    }

    /// Makes the folder, and removes what an earlier trace has left in it.
    ///
    /// @param maxEvents that each PE keeps, the latest ones
    public static TracedJob in(Path folder, int maxEvents) throws IOException {
        TracedJob job = new TracedJob(folder.toAbsolutePath().normalize(), maxEvents);
        Files.createDirectories(job.recording());
        job.removeRecording();
        Files.createDirectories(job.recording());
        return job;
    }

    /// Returns the options that let the PEs record.
    public List<String> jvmOptions() {
        return List.of("-D" + Tracing.FOLDER + "=" + recording(), "-D" + Tracing.EVENTS + "=" + maxEvents);
    }

    /// Writes trace and report after the job's end, and removes the files of the PEs.
    public Written write(JobFacts facts) throws IOException {
        MergedTrace trace = MergedTrace.read(recording(), facts.endNanos());
        boolean isLarge = trace.events().size() > MOST_PLAIN;
        Path json = folder.resolve(isLarge ? "trace.json.gz" : "trace.json");
        Files.deleteIfExists(folder.resolve(isLarge ? "trace.json" : "trace.json.gz"));
        try (Writer out = writer(json, isLarge)) {
            PerfettoTrace.write(trace, facts, out);
        }
        Path report = folder.resolve("report.html");
        try (Writer out = writer(report, false)) {
            HtmlReport.write(trace, facts, out);
        }
        removeRecording();
        return new Written(json, report, trace.events().size(), trace.dropped());
    }

    private static Writer writer(Path file, boolean isCompressed) throws IOException {
        OutputStream out = Files.newOutputStream(file);
        return new BufferedWriter(
                new OutputStreamWriter(isCompressed ? new GZIPOutputStream(out) : out, StandardCharsets.UTF_8));
    }

    private Path recording() {
        return folder.resolve(RECORDING);
    }

    /// Deletes the files of PEs and their folder, and nothing else that a user may have in it.
    private void removeRecording() throws IOException {
        try (Stream<Path> files = Files.list(recording())) {
            for (Path file : files.filter(TracedJob::isOfPe).toList()) {
                Files.delete(file);
            }
        }
        try (Stream<Path> left = Files.list(recording())) {
            if (left.findAny().isPresent()) {
                return;
            }
        }
        Files.delete(recording());
    }

    private static boolean isOfPe(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith("pe-") && name.endsWith(".events");
    }

    @Override
    public String toString() {
        return "traced job in " + folder;
    }
}
