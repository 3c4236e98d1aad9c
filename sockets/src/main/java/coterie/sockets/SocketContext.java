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

/// Accepts connections from other PEs. Its address is what they connect to: the port, then the host's bytes.
///
/// A caller sends first the team and its member number; teams receive their connections from here.
final class SocketContext implements LayerContext {
    private static final int HELLO_BYTES = Long.BYTES + Integer.BYTES;

    private final SocketLibrary library;
    private final ServerSocketChannel server;
    private final byte[] address;

    /// Calls that have not said all yet, with what they have said.
    private final Map<SocketChannel, ByteBuffer> callers = new HashMap<>();

    /// Calls that no team has taken yet.
    private final List<Call> calls = new ArrayList<>();

    /// @param team a number of the team
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
        } catch (IOException e) {
            Channels.close(opened, e);
            throw new CoterieException("it can't be called at " + library.host() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public byte[] address() {
        return address.clone();
    }

    @Override
    public LayerTeam open(TeamParameters team) {
        return new SocketTeam(this, team);
    }

    /// Begins to call a member.
    ///
    /// @param its address
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

    /// Sends the hello of this member after the connection is established.
    ///
    /// @return whether it has
    boolean handshake(SocketChannel channel, long team, int me) throws IOException {
        if (!channel.finishConnect()) {
            return false;
        }
        ByteBuffer hello =
                ByteBuffer.allocate(HELLO_BYTES).putLong(team).putInt(me).flip();
        while (hello.hasRemaining()) {
            channel.write(hello); // its buffer is empty
        }
        return true;
    }

    /// The call of a member of a team, or null if it has not come.
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

    /// Lets calls of a team go that it has not taken.
    void forget(long team) {
        for (Iterator<Call> each = calls.iterator(); each.hasNext(); ) {
            Call call = each.next();
            if (call.team == team) {
                each.remove();
                Channels.close(call.channel, null);
            }
        }
    }

    /// Accepts all connections, whether a team expects them or not: unanswered connections would fill the queue.
    void accept() throws IOException {
        for (SocketChannel caller = server.accept(); caller != null; caller = server.accept()) {
            try {
                prepare(caller);
                callers.put(caller, ByteBuffer.allocate(HELLO_BYTES));
            } catch (IOException e) {
                Channels.close(caller, e); // it has gone already
            }
        }
        callers.entrySet().removeIf(caller -> listen(caller.getKey(), caller.getValue()));
    }

    /// Reads the hello of a caller; returns whether it is complete, or will never be.
    private boolean listen(SocketChannel caller, ByteBuffer hello) {
        try {
            boolean isOver = caller.read(hello) < 0;
            if (!hello.hasRemaining()) {
                hello.flip();
                calls.add(new Call(hello.getLong(), hello.getInt(), caller));
                return true;
            }
            if (isOver) {
                caller.close(); // a stranger's
            }
            return isOver;
        } catch (IOException e) {
            Channels.close(caller, e); // as if never made; the team that made it notices
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
