// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Connections that no team of a context expects.
enum Stray {
    /// sends nothing
    SILENT {
        @Override
        void speak(Socket call, long team) {}
    },
    /// sends less than a hello
    STAMMERS {
        @Override
        void speak(Socket call, long team) throws IOException {
            call.getOutputStream()
                    .write(ByteBuffer.allocate(Long.BYTES).putLong(team).array());
        }
    },
    /// sends the request of a browser
    BABBLES {
        @Override
        void speak(Socket call, long team) throws IOException {
            call.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .repeat(40)
                            .getBytes(StandardCharsets.US_ASCII));
        }
    },
    /// sends a hello for a team that does not exist
    OTHER_TEAM {
        @Override
        void speak(Socket call, long team) throws IOException {
            greet(call, ~team, 1);
        }
    },
    /// sends a hello with a member number beyond the team's
    NO_MEMBER {
        @Override
        void speak(Socket call, long team) throws IOException {
            greet(call, team, Integer.MAX_VALUE);
            greet(call, team, 1);
        }
    },
    /// sends a hello with a negative member number
    NEGATIVE_MEMBER {
        @Override
        void speak(Socket call, long team) throws IOException {
            greet(call, team, -1);
        }
    },
    /// closes at once
    GONE {
        @Override
        void speak(Socket call, long team) throws IOException {
            call.close();
        }
    },
    /// closes during its hello, as a process that ends does
    RESET {
        @Override
        void speak(Socket call, long team) throws IOException {
            call.getOutputStream().write(1);
            call.setOption(StandardSocketOptions.SO_LINGER, 0);
            call.close();
        }
    };

    /// Long enough for a loaded machine.
    private static final int PATIENCE_MILLIS = 20_000;

    abstract void speak(Socket call, long team) throws IOException;

    /// Connects to a context.
    ///
    /// @param address of the context
    /// @param team number that some strays send, as if they belonged to the team
    Socket call(byte[] address, long team) throws IOException {
        ByteBuffer parts = ByteBuffer.wrap(address);
        int port = parts.getInt();
        byte[] host = new byte[parts.remaining()];
        parts.get(host);
        Socket call = new Socket();
        call.connect(new InetSocketAddress(InetAddress.getByAddress(host), port), PATIENCE_MILLIS);
        call.setSoTimeout(PATIENCE_MILLIS);
        speak(call, team);
        return call;
    }

    private static void greet(Socket call, long team, int member) throws IOException {
        call.getOutputStream()
                .write(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                        .putLong(team)
                        .putInt(member)
                        .array());
    }
}
