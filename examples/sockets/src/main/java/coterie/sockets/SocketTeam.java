// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.CoterieException;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Exchange;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// A team with a connection between each two members; the member with the higher number connects.
///
/// First, all members receive a random number that member 0 has drawn for the team. A hello with this number
/// belongs to this team.
final class SocketTeam implements LayerTeam {
    /// The limit of a message's length in bytes.
    private static final long MAX_BYTES = 1 << 30;

    private final SocketContext context;
    private final TeamParameters team;
    private final Exchange numbers;
    private final @Nullable Connection[] connections;

    /// Connections that this member has begun, and that are not established yet.
    private final @Nullable SocketChannel[] connecting;

    SocketTeam(SocketContext context, TeamParameters team) {
        this.context = context;
        this.team = team;
        this.connections = new Connection[team.size()];
        this.connecting = new SocketChannel[team.size()];
        byte[] drawn = new byte[Long.BYTES];
        ThreadLocalRandom.current().nextBytes(drawn);
        this.numbers = team.exchange(drawn);
    }

    @Override
    public boolean test() {
        if (!numbers.isDone()) {
            return false;
        }
        accept();
        long number = number();
        boolean isConnected = true;
        for (int member = 0; member < team.size(); member++) {
            if (member != team.me() && connections[member] == null) {
                SocketChannel channel = connect(member, number);
                connections[member] = channel == null ? null : new Connection(team.pe(member), channel);
                isConnected &= channel != null;
            }
        }
        return isConnected;
    }

    private void accept() {
        try {
            context.accept();
        } catch (IOException e) {
            throw new CoterieException("PE " + team.pe(team.me()) + " can't accept connections: " + e.getMessage(), e);
        }
    }

    private long number() {
        return ByteBuffer.wrap(numbers.get(0)).getLong();
    }

    private @Nullable SocketChannel connect(int member, long number) {
        try {
            if (member > team.me()) {
                return context.take(number, member);
            }
            SocketChannel channel = connecting[member];
            if (channel == null) {
                channel = context.call(team.address(member));
                connecting[member] = channel;
            }
            if (!context.handshake(channel, number, team.me())) {
                return null;
            }
            connecting[member] = null;
            return channel;
        } catch (IOException e) {
            throw new CoterieException("no connection with PE " + team.pe(member) + ": " + e.getMessage(), e);
        }
    }

    @Override
    public List<Offer> offers() {
        return List.of(
                offer(CollectiveType.ALL_REDUCE), offer(CollectiveType.ALL_GATHER), offer(CollectiveType.BROADCAST));
    }

    private static Offer offer(CollectiveType type) {
        return new Offer(type, SocketLibrary.LINEAR, 0, MAX_BYTES, SocketLayer.SCORE);
    }

    @Override
    public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
        // A tuning string may select the layer for more bytes than it offers.
        return arguments.bytes() < MAX_BYTES ? Optional.of(new SocketTask(this, arguments)) : Optional.empty();
    }

    int size() {
        return connections.length;
    }

    int me() {
        return team.me();
    }

    /// Returns the connection with another member.
    Connection connection(int member) {
        Connection connection = connections[member];
        if (connection == null) {
            throw new IllegalStateException("no connection with member " + member);
        }
        return connection;
    }

    /// Sends and receives as much as it can without waiting, on all connections.
    void pump() {
        for (Connection connection : connections) {
            if (connection != null) {
                connection.pump();
            }
        }
    }

    @Override
    public void close() {
        for (Connection connection : connections) {
            if (connection != null) {
                connection.close();
            }
        }
        for (SocketChannel channel : connecting) {
            Channels.close(channel, null);
        }
        if (numbers.isDone()) {
            context.forget(number());
        }
    }
}
