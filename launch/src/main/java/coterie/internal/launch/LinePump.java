// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Reads one stream of a PE and passes its bytes on in whole lines. It passes a line that is too long to be held
/// on in pieces, and puts a mark after each piece but the last. If the last line has no end, the pump adds one.
final class LinePump extends Thread {
    /// The capacity of a pipe: a read can't return more at once.
    private static final int PIPE_BYTES = 64 << 10;

    /// The longest line of a PE that comes out whole. A program rarely prints a longer one, and the launcher of
    /// 1024 PEs can hold so much of each.
    static final int MOST_LINE_BYTES = 1 << 20;

    /// For how long the pipe of an ended process may be silent before the pump gives it up. Only a process that
    /// the PE has left running can hold the pipe open for so long.
    private static final long SILENCE_NANOS = 500_000_000;

    /// The size of a stack. The launcher has three such threads for each PE, and none of them nests calls
    /// deeply.
    static final long STACK_BYTES = 256 << 10;

    private final InputStream from;
    private final LineTarget to;
    private final int mostLineBytes;
    private final byte[] continuation;
    private final byte[] lineEnd = {'\n'};
    private final Trouble trouble;

    /// `System.nanoTime()` at the start of the current read; 0 while the pump passes lines on.
    private volatile long readingSince;

    private volatile boolean hasRead;

    /// Receives the exception of a target that can't take lines.
    interface Trouble {
        void outputFailed(Exception cause);
    }

    /// @param mostLineBytes the longest line that comes out whole, without its end
    /// @param continuation what follows a piece of a longer line, see [OutputRouting#continuation]
    LinePump(String name, InputStream from, LineTarget to, int mostLineBytes, byte[] continuation, Trouble trouble) {
        super(null, null, name, STACK_BYTES);
        setDaemon(true);
        this.from = from;
        this.to = to;
        this.mostLineBytes = mostLineBytes;
        this.continuation = continuation;
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
        boolean isInLine = false;
        while (true) {
            if (held == buffer.length && held <= mostLineBytes) {
                buffer = Arrays.copyOf(buffer, Math.min(2 * held, mostLineBytes + 1));
            }
            if (held == buffer.length) {
                int end = pieceEnd(buffer, 0, mostLineBytes);
                pass(buffer, end, continuation);
                isInLine = true;
                held -= end;
                System.arraycopy(buffer, end, buffer, 0, held);
            }
            int got = read(buffer, held);
            if (got < 0) {
                break;
            }
            int end = lastLineEnd(buffer, held, held + got);
            held += got;
            if (end > 0) {
                to.lines(buffer, 0, end);
                isInLine = false;
                held -= end;
                System.arraycopy(buffer, end, buffer, 0, held);
            }
        }
        if (held > 0 || isInLine) {
            pass(buffer, held, lineEnd);
        }
    }

    private void pass(byte[] bytes, int length, byte[] end) throws IOException {
        byte[] line = Arrays.copyOf(bytes, length + end.length);
        System.arraycopy(end, 0, line, length, end.length);
        to.lines(line, 0, line.length);
    }

    /// Returns the largest index in `(from, to]` at which a line may be cut: not within a character of UTF-8.
    static int pieceEnd(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from + 1 && to - end < 3 && (bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return end;
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
            int got = from.read(buffer, offset, buffer.length - offset);
            hasRead = true;
            return got;
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

    /// Returns a number that differs from read to read, and is 0 while the pump passes lines on.
    long currentRead() {
        return readingSince;
    }

    /// Returns whether a read has returned.
    boolean hasRead() {
        return hasRead;
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
