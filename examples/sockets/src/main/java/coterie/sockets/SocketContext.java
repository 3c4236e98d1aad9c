// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.CoterieException;
import coterie.layer.LayerContext;
import coterie.layer.LayerTeam;
import coterie.layer.TeamParameters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Accepts the connections of other PEs. Its address has the port, then the host's bytes.
///
/// A PE that connects first sends a *hello*: the number of the team, and its member number in it. Teams take their
/// connections from here.
final class SocketContext implements LayerContext {
    private static final int HELLO_BYTES = Long.BYTES + Integer.BYTES;

    private final SocketLibrary library;
    private final ServerSocketChannel server;
    private final byte[] address;

    /// Connections with an incomplete hello, and the bytes of it that have arrived.
    private final Map<SocketChannel, ByteBuffer> callers = new HashMap<>();

    /// Connections with a complete hello that no team has taken yet.
    private final List<Call> calls = new ArrayList<>();

    /// A connection with a complete hello.
    private record Call(long team, int member, SocketChannel channel) {}

    SocketContext(SocketLibrary library) {
        this.library = library;
        ServerSocketChannel opened = null;
        try {
            InetAddress host = InetAddress.getByName(library.host());
            opened = ServerSocketChannel.open();
            opened.bind(new InetSocketAddress(host, 0));
            opened.configureBlocking(false);
            byte[] bytes = host.getAddress();
            int port = ((InetSocketAddress) opened.getLocalAddress()).getPort();
            this.server = opened;
            this.address = ByteBuffer.allocate(Integer.BYTES + bytes.length)
                    .putInt(port)
                    .put(bytes)
                    .array();
            library.logger().log(System.Logger.Level.DEBUG, "accepts connections at {0}", opened.getLocalAddress());
        } catch (IOException e) {
            Channels.close(opened, e);
            throw new CoterieException(
                    "no listening socket at " + library.host() + ", the setting HOST: " + e.getMessage(), e);
        }
    }

    @Override
    public byte[] address() {
        return address.clone();
    }

    @Override
    public LayerTeam open(TeamParameters team) {
        library.logger()
                .log(
                        System.Logger.Level.DEBUG,
                        "member {0} of team {1} connects to {2} others",
                        team.me(),
                        team.name(),
                        team.size() - 1);
        return new SocketTeam(this, team);
    }

    /// Begins to connect to a member.
    ///
    /// @param its the member's address
    SocketChannel call(byte[] its) throws IOException {
        ByteBuffer parts = ByteBuffer.wrap(its);
        int port = parts.getInt();
        byte[] host = new byte[parts.remaining()];
        parts.get(host);
        SocketChannel channel = SocketChannel.open();
        try {
            prepare(channel);
            channel.connect(new InetSocketAddress(InetAddress.getByAddress(host), port));
            return channel;
        } catch (IOException e) {
            Channels.close(channel, e);
            throw e;
        }
    }

    /// Sends the hello, once the connection is established.
    ///
    /// @return whether it is
    boolean handshake(SocketChannel channel, long team, int me) throws IOException {
        if (!channel.finishConnect()) {
            return false;
        }
        ByteBuffer hello =
                ByteBuffer.allocate(HELLO_BYTES).putLong(team).putInt(me).flip();
        while (hello.hasRemaining()) {
            channel.write(hello); // the send buffer of a new connection has room for it
        }
        return true;
    }

    /// Removes and returns the connection of a member of a team, or null if it has not arrived.
    @Nullable
    SocketChannel take(long team, int member) {
        for (Iterator<Call> each = calls.iterator(); each.hasNext(); ) {
            Call call = each.next();
            if (call.team == team && call.member == member) {
                each.remove();
                return call.channel;
            }
        }
        return null;
    }

    /// Closes the connections of a team that it has not taken.
    void forget(long team) {
        for (Iterator<Call> each = calls.iterator(); each.hasNext(); ) {
            Call call = each.next();
            if (call.team == team) {
                each.remove();
                Channels.close(call.channel, null);
            }
        }
    }

    /// Accepts all connections, even if no team expects them: otherwise they would fill the queue of the listening
    /// socket.
    void accept() throws IOException {
        for (SocketChannel caller = server.accept(); caller != null; caller = server.accept()) {
            try {
                prepare(caller);
                callers.put(caller, ByteBuffer.allocate(HELLO_BYTES));
            } catch (IOException e) {
                Channels.close(caller, e); // the peer has closed it already
            }
        }
        callers.entrySet().removeIf(caller -> listen(caller.getKey(), caller.getValue()));
    }

    /// Reads a hello. Returns whether it is complete, or will never be.
    private boolean listen(SocketChannel caller, ByteBuffer hello) {
        try {
            boolean hasEnded = caller.read(hello) < 0;
            if (!hello.hasRemaining()) {
                hello.flip();
                calls.add(new Call(hello.getLong(), hello.getInt(), caller));
                return true;
            }
            if (hasEnded) {
                caller.close(); // no hello: not a connection of this layer
            }
            return hasEnded;
        } catch (IOException e) {
            Channels.close(caller, e); // if a member made it for a team, the member gets the error
            return true;
        }
    }

    private void prepare(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, library.bufferBytes());
        channel.setOption(StandardSocketOptions.SO_RCVBUF, library.bufferBytes());
    }

    @Override
    public void close() {
        calls.forEach(call -> Channels.close(call.channel, null));
        callers.keySet().forEach(caller -> Channels.close(caller, null));
        Channels.close(server, null);
    }
}
