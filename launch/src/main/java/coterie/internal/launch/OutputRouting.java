// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.internal.launch.JobSpec.LineSink;
import coterie.internal.launch.JobSpec.Output;
import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Connects each PE's two streams to the destination of the job's output.
final class OutputRouting implements AutoCloseable {
    static final LineTarget NOWHERE = new LineTarget() {
        @Override
        public void lines(byte[] bytes, int from, int to) {}
    };

    private static final String CONTINUATION = "\\\n";

    /// The longest line that a [LineSink] gets whole: programs that use a job send long messages by lines.
    private static final int MOST_SINK_LINE_BYTES = 16 << 20;

    private final Output output;
    private final int pes;
    private final Console console;
    private final @Nullable TraceFold traces;
    private final List<FileOutputStream> files = new ArrayList<>();

    /// @param pes the number of PEs whose output goes there
    /// @param foldsTraces whether PEs mark the exceptions that end them, and the job ends soon after the first
    OutputRouting(Output output, int pes, Console console, boolean foldsTraces) {
        boolean isShared = output instanceof Output.Console tagging && !tagging.tagged() && pes > 1;
        this.output = output;
        this.pes = pes;
        this.console = console;
        this.traces = isShared && foldsTraces ? new TraceFold(encoding()) : null;
    }

    /// Returns whether PEs are to mark the exceptions that end them.
    boolean foldsTraces() {
        return traces != null;
    }

    /// Prints the exceptions that PEs have marked. Called once, at the end of the job.
    void printTraces() {
        if (traces != null) {
            traces.texts().forEach(console::print);
        }
    }

    /// Returns the target of a PE's stream. The first call makes the folder, if the output goes to one.
    LineTarget of(int pe, boolean standardError) {
        if (output instanceof Output.Console tagging) {
            if (tagging.tagged()) {
                return console.tagged(standardError, pe);
            }
            if (!standardError) {
                return console.plain(false);
            }
            LineTarget dumps = console.taggedDumps(pe);
            return traces == null ? dumps : traces.of(pe, dumps);
        }
        if (output instanceof Output.Lines lines) {
            return new Lines(lines.sink(), pe, standardError);
        }
        if (output instanceof Output.Folder files) {
            return file(files.folder(), pe, standardError);
        }
        return NOWHERE;
    }

    /// Returns the target of what the host prints for none of its PEs. On the console these lines have no tag.
    /// Other outputs have no place for lines without a PE, so that PE 0's target takes them.
    LineTarget ofHost(boolean standardError, LineTarget ofFirst) {
        return output instanceof Output.Console ? console.plain(standardError) : ofFirst;
    }

    /// Returns what follows a piece of a line that is too long to be held: a backslash and the end of a line, since
    /// lines of other streams may come between two pieces. Empty if no other stream has the same destination, or if
    /// the destination joins the pieces itself.
    byte[] continuation() {
        boolean isShared = output instanceof Output.Console tagging && (tagging.tagged() || pes > 1);
        return isShared ? CONTINUATION.getBytes(StandardCharsets.US_ASCII) : new byte[0];
    }

    /// Returns the encoding in which PEs must print, so that readers of the destination decode it correctly.
    String encoding() {
        return output instanceof Output.Console ? System.getProperty("stdout.encoding", "UTF-8") : "UTF-8";
    }

    private LineTarget file(Path folder, int pe, boolean standardError) {
        Path path = folder.resolve("pe." + pe + (standardError ? ".err" : ".out"));
        try {
            Files.createDirectories(folder);
            FileOutputStream file = new FileOutputStream(path.toFile());
            files.add(file);
            return new LineTarget() {
                @Override
                public void lines(byte[] bytes, int from, int to) throws IOException {
                    file.write(bytes, from, to - from);
                }
            };
        } catch (IOException e) {
            throw new CoterieException(
                    "starting PE " + pe + ": can't write its output to " + path + "; choose another output folder", e);
        }
    }

    @Override
    public void close() {
        for (FileOutputStream file : files) {
            try {
                file.close();
            } catch (IOException e) {
                throw new CoterieException("ending the job: can't close a file of its output", e);
            }
        }
        files.clear();
    }

    /// Joins the pieces of a line, unless the line exceeds [#MOST_SINK_LINE_BYTES].
    private static final class Lines implements LineTarget {
        private final LineSink sink;
        private final int pe;
        private final boolean standardError;
        private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();

        Lines(LineSink sink, int pe, boolean standardError) {
            this.sink = sink;
            this.pe = pe;
            this.standardError = standardError;
        }

        @Override
        public void lines(byte[] bytes, int from, int to) {
            for (int start = from; start < to; ) {
                int end = Console.lineEnd(bytes, start, to);
                if (bytes[end - 1] != '\n') {
                    add(bytes, start, end);
                } else if (pieces.size() > 0) {
                    pieces.write(bytes, start, end - 1 - start);
                    pass("");
                } else {
                    sink.line(pe, standardError, new String(bytes, start, end - 1 - start, StandardCharsets.UTF_8));
                }
                start = end;
            }
        }

        private void add(byte[] bytes, int start, int end) {
            if (pieces.size() + end - start > MOST_SINK_LINE_BYTES) {
                pass("\\");
            }
            pieces.write(bytes, start, end - start);
        }

        private void pass(String mark) {
            sink.line(pe, standardError, pieces.toString(StandardCharsets.UTF_8).concat(mark));
            pieces.reset();
        }
    }
}
