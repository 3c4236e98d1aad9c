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

/// A team, with a connection between each two members: the member with the higher number connects.
///
/// First all members learn a number that member 0 has drawn for the team, by which they tell calls for this team
/// from those for others.
final class SocketTeam implements LayerTeam {
    /// The longest vector that a message takes.
    private static final long MOST_BYTES = 1 << 30;

    private final SocketContext context;
    private final TeamParameters team;
    private final Exchange numbers;
    private final @Nullable Connection[] connections;

    /// Those that I have called, and that have not answered yet.
    private final @Nullable SocketChannel[] called;

    SocketTeam(SocketContext context, TeamParameters team) {
        this.context = context;
        this.team = team;
        this.connections = new Connection[team.size()];
        this.called = new SocketChannel[team.size()];
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
        boolean isThrough = true;
        for (int member = 0; member < team.size(); member++) {
            if (member != team.me() && connections[member] == null) {
                SocketChannel channel = connect(member, number);
                connections[member] = channel == null ? null : new Connection(team.pe(member), channel);
                isThrough &= channel != null;
            }
        }
        return isThrough;
    }

    private void accept() {
        try {
            context.accept();
        } catch (IOException e) {
            throw new CoterieException("PE " + team.pe(team.me()) + " can't be called any more: " + e.getMessage(), e);
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
            SocketChannel channel = called[member];
            if (channel == null) {
                channel = context.call(team.address(member));
                called[member] = channel;
            }
            if (!context.handshake(channel, number, team.me())) {
                return null;
            }
            called[member] = null;
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
        return new Offer(type, SocketLibrary.LINEAR, 0, MOST_BYTES, SocketLayer.SCORE);
    }

    @Override
    public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
        // People may have tuned it to serve more than it has offered.
        return arguments.bytes() < MOST_BYTES ? Optional.of(new SocketTask(this, arguments)) : Optional.empty();
    }

    int size() {
        return connections.length;
    }

    int me() {
        return team.me();
    }

    /// The connection with another member.
    Connection connection(int member) {
        Connection connection = connections[member];
        if (connection == null) {
            throw new IllegalStateException("no connection with member " + member);
        }
        return connection;
    }

    /// Moves all that can be moved.
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
        for (SocketChannel channel : called) {
            Channels.close(channel, null);
        }
        if (numbers.isDone()) {
            context.forget(number());
        }
    }
}
