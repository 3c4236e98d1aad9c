// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// The protocol by which a host of several PEs and its launcher know which PE has printed a line: each line of a
/// PE begins with a label.
///
/// ```
/// SOH pe STX text LF                                a line that the PE printed, or the end of a long one
/// SOH + pe STX text LF                              a piece of a line that is longer than the host holds
/// SOH ! pe,code STX kind STX what STX doings LF     the PE has failed, see HostedFailure
/// SOH ? STX script LF                               the script that replays the latest simulated run
/// SOH . pe,code,pid STX LF                          the process of the PE has ended, after all its output
/// SOH ~ STX LF                                      nothing: the agent of a host lives
/// text LF                                           the JVM itself, or native code
/// ```
///
/// The host writes a label before each line of a PE, so that a PE can't forge a label. The launcher passes a
/// line without a label on unchanged.
final class OutputLabels {
    private static final byte LABEL = 0x01;
    /// The longest line between host and launcher: a piece of a PE's line is much shorter, and so is all but the
    /// script of a simulated run with a million perturbations.
    static final int MOST_HOST_LINE_BYTES = 16 << 20;

    /// What a report keeps of an exception's message.
    private static final int MOST_WHAT_CHARS = 1 << 16;

    private static final byte PIECE = '+';
    private static final byte FAILURE = '!';
    private static final byte STORY = '?';
    private static final byte END = '.';
    private static final byte ALIVE = '~';
    private static final byte TEXT = 0x02;
    private static final String SEPARATOR = Character.toString(TEXT);
    private static final int NOBODY = -1;

    private OutputLabels() {}

    /// Receives the host's reports about its PEs.
    interface HostListener {
        void failed(HostedFailure failure);

        void onNotice(String story);

        /// The process of a PE has ended; only agents of other hosts report that.
        void ended(int pe, int exitCode, long pid);
    }

    /// The launcher's end of the pipe: removes the labels and passes each PE's lines on.
    static final class Reader implements LineTarget {
        private final List<LineTarget> pes;
        private final LineTarget unlabelled;
        private final byte[] continuation;
        private final HostListener hostListener;
        private final Lines batch = new Lines();

        /// @param continuation what follows a piece of a line, see [OutputRouting#continuation]
        Reader(List<LineTarget> pes, LineTarget unlabelled, byte[] continuation, HostListener hostListener) {
            this.pes = pes;
            this.unlabelled = unlabelled;
            this.continuation = continuation.clone();
            this.hostListener = hostListener;
        }

        @Override
        public void lines(byte[] bytes, int from, int to) throws IOException {
            int whose = NOBODY;
            for (int start = from; start < to; ) {
                int end = Console.lineEnd(bytes, start, to);
                int text = bytes[start] == LABEL ? indexOf(TEXT, bytes, start, end) + 1 : start;
                if (text > start && bytes[start + 1] == FAILURE) {
                    handOn(whose);
                    hostListener.failed(failure(string(bytes, start + 2, text - 1), string(bytes, text, end - 1)));
                } else if (text > start && bytes[start + 1] == STORY) {
                    hostListener.onNotice(string(bytes, text, end - 1));
                } else if (text > start && bytes[start + 1] == ALIVE) {
                    handOn(whose);
                    whose = NOBODY;
                } else if (text > start && bytes[start + 1] == END) {
                    handOn(whose);
                    whose = NOBODY;
                    ended(string(bytes, start + 2, text - 1).split(",", -1));
                } else {
                    boolean isPiece = text > start && bytes[start + 1] == PIECE;
                    int label = isPiece ? start + 2 : start + 1;
                    int pe = text > start ? Integer.parseInt(string(bytes, label, text - 1)) : NOBODY;
                    if (pe != whose) {
                        handOn(whose);
                        whose = pe;
                    }
                    if (isPiece) {
                        batch.append(bytes, text, end - 1);
                        batch.append(continuation, 0, continuation.length);
                    } else {
                        batch.append(bytes, text, end);
                    }
                }
                start = end;
            }
            handOn(whose);
        }

        private void ended(String[] numbers) {
            hostListener.ended(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), Long.parseLong(numbers[2]));
        }

        private void handOn(int whose) throws IOException {
            batch.handOn(whose == NOBODY ? unlabelled : pes.get(whose));
        }

        private static HostedFailure failure(String peAndCode, String text) {
            int comma = peAndCode.indexOf(',');
            String[] parts = text.split(SEPARATOR, -1);
            return new HostedFailure(
                    Integer.parseInt(peAndCode.substring(0, comma)),
                    Integer.parseInt(peAndCode.substring(comma + 1)),
                    HostedFailure.Kind.valueOf(parts[0]),
                    parts[1],
                    parts[2]);
        }
    }

    /// The host's end of the pipe, for one PE: collects what the PE prints into whole lines and labels them.
    static final class Writer {
        private final OutputStream pipe;
        private final byte[] label;
        private final byte[] pieceLabel;
        private final byte[] lineEnd = {'\n'};
        private final Lines unfinished = new Lines();
        private boolean isInLine;

        /// @param pipe shared by all PEs; a writer holds its lock while it writes
        Writer(OutputStream pipe, int pe) {
            this.pipe = pipe;
            this.label = bytes((char) LABEL + Integer.toString(pe) + (char) TEXT);
            this.pieceLabel = bytes(Character.toString(LABEL) + (char) PIECE + pe + (char) TEXT);
        }

        synchronized void write(byte[] bytes, int from, int to) throws IOException {
            Lines whole = new Lines();
            for (int start = from; start < to; ) {
                int room = LinePump.MOST_LINE_BYTES + 1 - unfinished.length;
                int end = Console.lineEnd(bytes, start, Math.min(to, start + room));
                unfinished.append(bytes, start, end);
                if (bytes[end - 1] == '\n') {
                    whole.append(label, 0, label.length);
                    unfinished.moveTo(whole);
                    isInLine = false;
                } else if (end - start == room) {
                    whole.append(pieceLabel, 0, pieceLabel.length);
                    unfinished.moveTo(whole, LinePump.pieceEnd(unfinished.bytes, 0, LinePump.MOST_LINE_BYTES));
                    whole.append(lineEnd, 0, 1);
                    isInLine = true;
                }
                if (whole.length >= LinePump.MOST_LINE_BYTES) {
                    emit(whole);
                    whole.length = 0;
                }
                start = end;
            }
            emit(whole);
        }

        /// Ends the last line of the PE if it has no end.
        synchronized void finish() throws IOException {
            if (!unfinished.isEmpty() || isInLine) {
                write(lineEnd, 0, 1);
            }
        }

        /// Sends the launcher the failure of the PE.
        synchronized void report(HostedFailure failure) throws IOException {
            print("!" + failure.pe() + "," + failure.exitCode() + SEPARATOR + failure.kind() + SEPARATOR
                    + bounded(failure.what()).replace(SEPARATOR, " ").replace('\n', ' ') + SEPARATOR
                    + failure.doings());
        }

        /// Sends the launcher the end of the PE's process, after all that it has printed.
        synchronized void ended(int pe, int exitCode, long pid) throws IOException {
            finish();
            print("." + pe + "," + exitCode + "," + pid + SEPARATOR);
        }

        /// Sends the launcher the script that replays the latest simulated run.
        synchronized void notice(String story) throws IOException {
            print("?" + SEPARATOR + story);
        }

        private void print(String text) throws IOException {
            byte[] line = bytes((char) LABEL + text + "\n");
            Lines whole = new Lines();
            whole.append(line, 0, line.length);
            emit(whole);
        }

        private void emit(Lines whole) throws IOException {
            synchronized (pipe) {
                pipe.write(whole.bytes, 0, whole.length);
            }
        }
    }

    /// Shows the launcher that this agent lives.
    ///
    /// @param pipe shared by all PEs, see [Writer]
    static void alive(OutputStream pipe) throws IOException {
        synchronized (pipe) {
            pipe.write(new byte[] {LABEL, ALIVE, TEXT, '\n'});
        }
    }

    private static int indexOf(byte wanted, byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != wanted) {
            at++;
        }
        return at < to ? at : from - 1;
    }

    private static String string(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private static String bounded(String text) {
        return text.length() <= MOST_WHAT_CHARS
                ? text
                : text.substring(0, MOST_WHAT_CHARS).concat("...");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// A growing array of bytes.
    private static final class Lines {
        private byte[] bytes = new byte[256];
        private int length;

        boolean isEmpty() {
            return length == 0;
        }

        void append(byte[] from, int start, int end) {
            int needed = length + end - start;
            if (needed > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(needed, 2 * bytes.length));
            }
            System.arraycopy(from, start, bytes, length, end - start);
            length = needed;
        }

        void moveTo(Lines other) {
            moveTo(other, length);
        }

        /// Moves the first bytes; the others stay.
        void moveTo(Lines other, int count) {
            other.append(bytes, 0, count);
            length -= count;
            System.arraycopy(bytes, count, bytes, 0, length);
        }

        void handOn(LineTarget target) throws IOException {
            if (length > 0) {
                target.lines(bytes, 0, length);
                length = 0;
            }
        }
    }
}
