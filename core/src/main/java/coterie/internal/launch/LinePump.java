// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Reads one stream of a PE and passes its bytes on in whole lines of any length. If the last line has no end,
/// the pump adds one.
final class LinePump extends Thread {
    /// The capacity of a pipe: a read can't return more at once.
    private static final int PIPE_BYTES = 64 << 10;

    /// For how long the pipe of an ended process may be silent before the pump gives it up. Only a process that
    /// the PE has left running can hold the pipe open for so long.
    private static final long SILENCE_NANOS = 500_000_000;

    /// The size of a stack. The launcher has three such threads for each PE, and none of them nests calls
    /// deeply.
    static final long STACK_BYTES = 256 << 10;

    private final InputStream from;
    private final LineTarget to;
    private final Trouble trouble;

    /// `System.nanoTime()` at the start of the current read; 0 while the pump passes lines on.
    private volatile long readingSince;

    /// Receives the exception of a target that can't take lines.
    interface Trouble {
        void outputFailed(Exception cause);
    }

    LinePump(String name, InputStream from, LineTarget to, Trouble trouble) {
        super(null, null, name, STACK_BYTES);
        setDaemon(true);
        this.from = from;
        this.to = to;
        this.trouble = trouble;
    }

    @Override
    public void run() {
        try {
            pump();
        } catch (IOException | RuntimeException e) {
            trouble.outputFailed(e);
            drain();
        }
    }

    private void pump() throws IOException {
        byte[] buffer = new byte[PIPE_BYTES];
        int held = 0;
        while (true) {
            if (held == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * held);
            }
            int got = read(buffer, held);
            if (got < 0) {
                break;
            }
            int end = lastLineEnd(buffer, held, held + got);
            held += got;
            if (end > 0) {
                to.lines(buffer, 0, end);
                held -= end;
                System.arraycopy(buffer, end, buffer, 0, held);
            }
        }
        if (held > 0) {
            byte[] last = Arrays.copyOf(buffer, held + 1);
            last[held] = '\n';
            to.lines(last, 0, last.length);
        }
    }

    /// Reads and drops the rest of the stream, so that the PE does not block in a write and can end.
    private void drain() {
        byte[] buffer = new byte[PIPE_BYTES];
        int got;
        do {
            got = read(buffer, 0);
        } while (got >= 0);
    }

    /// Reads from the pipe. A read fails only if this process has closed the pipe because the PE's process has
    /// ended; the pump treats this as the end of the stream.
    private int read(byte[] buffer, int offset) {
        readingSince = System.nanoTime();
        try {
            return from.read(buffer, offset, buffer.length - offset);
        } catch (IOException e) {
            return -1;
        } finally {
            readingSince = 0;
        }
    }

    private static int lastLineEnd(byte[] bytes, int from, int to) {
        for (int i = to; i > from; i--) {
            if (bytes[i - 1] == '\n') {
                return i;
            }
        }
        return 0;
    }

    /// Waits until the pump has passed everything on. The caller knows that the process has ended: the pump
    /// gives up a pipe that stays open and silent.
    void finish() throws InterruptedException {
        long silentSince = System.nanoTime();
        while (isAlive() && System.nanoTime() - silentSince < SILENCE_NANOS) {
            join(TimeUnit.NANOSECONDS.toMillis(SILENCE_NANOS) / 4);
            long reading = readingSince;
            if (reading == 0 || reading > silentSince) {
                silentSince = System.nanoTime();
            }
        }
    }
}
