// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Reads one stream of a PE and hands its bytes on in whole lines, of any length; completes a last line without an end.
final class LinePump extends Thread {
    /// What a pipe holds: a read can't get more at once.
    private static final int PIPE_BYTES = 64 << 10;

    /// How long the pipe of a process that has ended may stay silent before it counts as finished. Only a process that the
    /// PE has left behind can hold it open that long.
    private static final long SILENCE_NANOS = 500_000_000;

    /// There are three such threads for each PE, and none of them goes deep.
    static final long STACK_BYTES = 256 << 10;

    private final InputStream from;
    private final LineTarget to;
    private final Trouble trouble;

    /// `System.nanoTime()` when the read under way began; 0 while lines are handed on.
    private volatile long readingSince;

    /// Takes what went wrong with the target.
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

    /// Lets the PE write on, to nowhere, so that it can end.
    private void drain() {
        byte[] buffer = new byte[PIPE_BYTES];
        int got;
        do {
            got = read(buffer, 0);
        } while (got >= 0);
    }

    /// A pipe fails to be read only when it was closed here, because its process is gone: that is its end.
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

    /// Waits until everything is handed on. The process has ended: a pipe that stays open and silent is given up.
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
