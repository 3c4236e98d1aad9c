// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A message from the launcher to the agent of a host, over the standard input of the agent. The end of the stream
/// is the end of the launcher.
///
/// ```
///  bytes 0  length n of the body
///        4  kind
///        5  body, n bytes
/// ```
final class AgentCommand {
    /// An order has the paths and arguments of a program; input comes in smaller pieces.
    private static final int MAX_BYTES = 64 << 20;

    private static final int HEADER_BYTES = Integer.BYTES + 1;

    private final Kind kind;
    private final byte[] body;

    AgentCommand(Kind kind, byte[] body) {
        this.kind = kind;
        this.body = body;
    }

    /// What the agent does.
    enum Kind {
        /// starts the PEs; the first command, and only the first
        START,
        /// sends a signal to all PEs; its number is the body
        SIGNAL,
        /// passes bytes on to the input of PE 0; no bytes end it
        INPUT,
        /// nothing; the launcher lives
        ALIVE
    }

    Kind kind() {
        return kind;
    }

    byte[] body() {
        return body;
    }

    static AgentCommand signal(int number) {
        return new AgentCommand(
                Kind.SIGNAL, ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    }

    static AgentCommand alive() {
        return new AgentCommand(Kind.ALIVE, new byte[0]);
    }

    byte[] encode() {
        return ByteBuffer.allocate(HEADER_BYTES + body.length)
                .putInt(body.length)
                .put((byte) kind.ordinal())
                .put(body)
                .array();
    }

    /// Reads the next command.
    ///
    /// @throws EOFException at the end of the stream
    /// @throws IOException if what arrives is no command
    static AgentCommand read(DataInputStream in) throws IOException {
        int length = in.readInt();
        int kind = in.readByte();
        Kind[] kinds = Kind.values();
        if (length < 0 || length > MAX_BYTES || kind < 0 || kind >= kinds.length) {
            throw new IOException("a command of kind " + kind + " with " + length + " bytes does not exist");
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the launcher ended within a command");
        }
        return new AgentCommand(kinds[kind], body);
    }
}
