// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Calls of a context that none of its teams expects.
enum Stray {
    /// says nothing
    SILENT {
        @Override
        void speak(Socket call, long team) {}
    },
    /// says less than a hello, and no more
    STAMMERS {
        @Override
        void speak(Socket call, long team) throws IOException {
            call.getOutputStream()
                    .write(ByteBuffer.allocate(Long.BYTES).putLong(team).array());
        }
    },
    /// says what a browser would
    BABBLES {
        @Override
        void speak(Socket call, long team) throws IOException {
            call.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .repeat(40)
                            .getBytes(StandardCharsets.US_ASCII));
        }
    },
    /// greets for a team that is none
    OTHER_TEAM {
        @Override
        void speak(Socket call, long team) throws IOException {
            greet(call, ~team, 1);
        }
    },
    /// greets for the team as a member that it has not
    NO_MEMBER {
        @Override
        void speak(Socket call, long team) throws IOException {
            greet(call, team, Integer.MAX_VALUE);
            greet(call, team, 1);
        }
    },
    /// greets for the team as a member below zero
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
    /// closes in the midst of its hello, as one whose process ends
    RESET {
        @Override
        void speak(Socket call, long team) throws IOException {
            call.getOutputStream().write(1);
            call.setOption(StandardSocketOptions.SO_LINGER, 0);
            call.close();
        }
    };

    /// Enough for a loaded machine.
    private static final int PATIENCE_MILLIS = 20_000;

    abstract void speak(Socket call, long team) throws IOException;

    /// Calls a context.
    ///
    /// @param address of the context
    /// @param team by whose number some calls pretend to be for it
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
