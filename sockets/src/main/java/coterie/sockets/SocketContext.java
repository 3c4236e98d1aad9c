// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.CoterieException;
import coterie.layer.LayerContext;
import coterie.layer.LayerTeam;
import coterie.layer.TeamParameters;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/// Where this PE is called by others. Its address is what they call: the port, then the host's bytes.
///
/// Who calls says first for which team, and which member it is; teams take their calls from here.
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
        try {
            this.server = ServerSocketChannel.open();
            InetAddress host = InetAddress.getByName(library.host());
            server.bind(new InetSocketAddress(host, 0));
            server.configureBlocking(false);
            byte[] bytes = host.getAddress();
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            this.address = ByteBuffer.allocate(Integer.BYTES + bytes.length)
                    .putInt(port)
                    .put(bytes)
                    .array();
        } catch (IOException e) {
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
        prepare(channel);
        channel.connect(new InetSocketAddress(InetAddress.getByAddress(host), port));
        return channel;
    }

    /// Says who calls, once the other side has answered.
    ///
    /// @return whether it has
    boolean greet(SocketChannel channel, long team, int me) throws IOException {
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
    SocketChannel take(long team, int member) throws IOException {
        accept();
        for (Iterator<Call> each = calls.iterator(); each.hasNext(); ) {
            Call call = each.next();
            if (call.team == team && call.member == member) {
                each.remove();
                return call.channel;
            }
        }
        return null;
    }

    private void accept() throws IOException {
        for (SocketChannel caller = server.accept(); caller != null; caller = server.accept()) {
            prepare(caller);
            callers.put(caller, ByteBuffer.allocate(HELLO_BYTES));
        }
        for (Iterator<Map.Entry<SocketChannel, ByteBuffer>> each =
                        callers.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<SocketChannel, ByteBuffer> caller = each.next();
            ByteBuffer hello = caller.getValue();
            boolean isOver = caller.getKey().read(hello) < 0;
            if (!hello.hasRemaining()) {
                hello.flip();
                calls.add(new Call(hello.getLong(), hello.getInt(), caller.getKey()));
                each.remove();
            } else if (isOver) {
                caller.getKey().close(); // somebody else's
                each.remove();
            }
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
        try {
            for (Call call : calls) {
                call.channel.close();
            }
            for (SocketChannel caller : callers.keySet()) {
                caller.close();
            }
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
