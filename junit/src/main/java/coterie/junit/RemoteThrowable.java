// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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

    /// The exception as one word.
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
        writeText(describe(thrown), out);
        StackTraceElement[] frames = thrown.getStackTrace();
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
