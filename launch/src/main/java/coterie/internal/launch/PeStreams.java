// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.launch.JobSpec.Input;
import coterie.internal.world.PeThreadGroup;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/// `System.in`, `out` and `err` of a host of PEs. Each call goes to the stream of the PE that the calling thread
/// belongs to.
final class PeStreams {
    private final DispatchedOutput out;
    private final DispatchedOutput err;
    private final int pes;

    PeStreams(int pes) {
        this.pes = pes;
        this.out = new DispatchedOutput(FileDescriptor.out, pes);
        this.err = new DispatchedOutput(FileDescriptor.err, pes);
    }

    /// Replaces the JVM's own streams by these.
    void install(Input input) {
        System.setOut(new PrintStream(out, true, Charset.forName(System.getProperty("stdout.encoding"))));
        System.setErr(new PrintStream(err, true, Charset.forName(System.getProperty("stderr.encoding"))));
        InputStream whole = new FileInputStream(FileDescriptor.in);
        InputStream[] inputs = new InputStream[pes];
        StdinFrames.Reader frames = input == Input.PIPES ? new StdinFrames.Reader(whole, pes) : null;
        for (int pe = 0; pe < pes; pe++) {
            inputs[pe] = frames != null
                    ? frames.of(pe)
                    : pe == 0 && input == Input.FIRST ? whole : InputStream.nullInputStream();
        }
        System.setIn(new DispatchedInput(inputs));
        if (frames != null) {
            frames.start();
        }
    }

    /// Ends the last lines of a PE that have no end.
    void finish(int pe) throws IOException {
        out.pes.get(pe).finish();
        err.pes.get(pe).finish();
    }

    /// Sends the launcher the failure of a PE, after everything that the PE has printed.
    void report(HostedFailure failure) {
        int pe = failure.pe();
        try {
            finish(pe);
            err.pes.get(pe).report(failure);
        } catch (IOException e) {
            throw new UncheckedIOException("sending the launcher the failure of PE " + pe, e);
        }
    }

    /// Sends the launcher the script that replays the latest simulated run.
    void notice(String story) {
        try {
            err.pes.getFirst().notice(story);
        } catch (IOException e) {
            throw new UncheckedIOException("sending the launcher the script that replays the run", e);
        }
    }

    private static final class DispatchedOutput extends OutputStream {
        private final FileOutputStream pipe;
        private final List<OutputLabels.Writer> pes = new ArrayList<>();

        DispatchedOutput(FileDescriptor descriptor, int pes) {
            this.pipe = new FileOutputStream(descriptor);
            for (int pe = 0; pe < pes; pe++) {
                this.pes.add(new OutputLabels.Writer(pipe, pe));
            }
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            PeThreadGroup threadGroup = PeThreadGroup.current();
            if (threadGroup != null) {
                pes.get(threadGroup.bootstrap().pe()).write(bytes, offset, offset + length);
            } else {
                synchronized (pipe) {
                    pipe.write(bytes, offset, length);
                }
            }
        }
    }

    private static final class DispatchedInput extends InputStream {
        private final InputStream[] pes;

        DispatchedInput(InputStream[] pes) {
            this.pes = pes;
        }

        private InputStream mine() {
            PeThreadGroup threadGroup = PeThreadGroup.current();
            return threadGroup == null
                    ? InputStream.nullInputStream()
                    : pes[threadGroup.bootstrap().pe()];
        }

        @Override
        public int read() throws IOException {
            return mine().read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return mine().read(bytes, offset, length);
        }

        @Override
        public int available() throws IOException {
            return mine().available();
        }
    }
}
