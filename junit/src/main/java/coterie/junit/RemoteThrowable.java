// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.RuntimeFrames;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An exception that a PE threw, as JUnit's JVM shows it: the same text, frames, causes and suppressed ones.
///
/// It travels as text and frames and not as a serialised object, since its class may be of a loader that only the
/// PE has, and needn't be serialisable.
final class RemoteThrowable extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String CALLER = TestInstance.class.getName();

    /// Chains longer than this are cut: they are mostly loops.
    private static final int MAX_DEPTH = 24;

    private final String text;

    private RemoteThrowable(String text, @Nullable Throwable cause) {
        super(text, cause);
        this.text = text;
    }

    /// What the original's toString gave: mostly its class and message.
    @Override
    @SuppressWarnings("OverrideThrowableToString") // a stack trace must begin with the original's class, not mine
    public String toString() {
        return text;
    }

    /// Returns a text that is equal for exceptions of PEs that differ in the number of the PE alone: with causes and
    /// frames, and without the PE's own number.
    String textFor(int pe) {
        StringBuilder whole = new StringBuilder();
        for (Throwable each = this; each != null; each = each.getCause()) {
            whole.append(each).append('\n');
            for (StackTraceElement frame : each.getStackTrace()) {
                whole.append(frame).append('\n');
            }
        }
        return whole.toString().replaceAll("\\bPE " + pe + "\\b", "PE itself");
    }

    /// The exception as one word.
    ///
    /// @param thrown whose frames of Coterie are hidden afterwards, as on a PE's standard error
    static String encode(Throwable thrown) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(thrown, new DataOutputStream(bytes), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("can't happen in memory", e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /// What [#encode] was given.
    static RemoteThrowable decode(String word) {
        try {
            return read(new DataInputStream(
                    new ByteArrayInputStream(Base64.getDecoder().decode(word))));
        } catch (IOException e) {
            throw new UncheckedIOException("the answer of a worker was cut off", e);
        }
    }

    private static void write(Throwable thrown, DataOutputStream out, int depth) throws IOException {
        RuntimeFrames.hide(thrown);
        writeText(describe(thrown), out);
        StackTraceElement[] frames = framesOfTest(thrown.getStackTrace());
        out.writeInt(frames.length);
        for (StackTraceElement frame : frames) {
            writeText(frame.getClassName(), out);
            writeText(frame.getMethodName(), out);
            writeText(Objects.requireNonNullElse(frame.getFileName(), ""), out);
            out.writeInt(frame.getLineNumber());
        }
        Throwable cause = depth < MAX_DEPTH ? thrown.getCause() : null;
        out.writeBoolean(cause != null);
        if (cause != null) {
            write(cause, out, depth + 1);
        }
        Throwable[] suppressed = depth < MAX_DEPTH ? thrown.getSuppressed() : new Throwable[0];
        out.writeInt(suppressed.length);
        for (Throwable each : suppressed) {
            write(each, out, depth + 1);
        }
    }

    /// Leaves out the frames below the test, which call it.
    private static StackTraceElement[] framesOfTest(StackTraceElement[] frames) {
        int end = 0;
        while (end < frames.length && !frames[end].getClassName().equals(CALLER)) {
            end++;
        }
        int kept = end;
        while (kept > 0 && end < frames.length && RuntimeFrames.isOfJdk(frames[kept - 1].getClassName())) {
            kept--;
        }
        return kept == 0 ? frames : Arrays.copyOf(frames, kept);
    }

    private static RemoteThrowable read(DataInputStream in) throws IOException {
        String text = readText(in);
        StackTraceElement[] frames = new StackTraceElement[in.readInt()];
        for (int i = 0; i < frames.length; i++) {
            String className = readText(in);
            String methodName = readText(in);
            String fileName = readText(in);
            frames[i] =
                    new StackTraceElement(className, methodName, fileName.isEmpty() ? null : fileName, in.readInt());
        }
        RemoteThrowable thrown = new RemoteThrowable(text, in.readBoolean() ? read(in) : null);
        thrown.setStackTrace(frames);
        int suppressed = in.readInt();
        for (int i = 0; i < suppressed; i++) {
            thrown.addSuppressed(read(in));
        }
        return thrown;
    }

    private static String describe(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException e) {
            return thrown.getClass().getName() + " (its toString threw "
                    + e.getClass().getName() + ")";
        }
    }

    /// Length first: [DataOutputStream#writeUTF] ends at 64 KiB.
    private static void writeText(String text, DataOutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
