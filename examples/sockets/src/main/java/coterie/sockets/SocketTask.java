// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.LayerTask;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A member's part in a collective: each member that has data for the others sends it to each of them.
final class SocketTask implements LayerTask {
    private final SocketTeam team;
    private final Arguments arguments;
    private final CollectiveType type;

    /// By member, the data that has arrived.
    private final @Nullable MemorySegment[] parts;

    private long number;

    SocketTask(SocketTeam team, Arguments arguments) {
        this.team = team;
        this.arguments = arguments;
        this.type = arguments.type();
        this.parts = new MemorySegment[team.size()];
    }

    private boolean sends(int member) {
        return type != CollectiveType.BROADCAST || member == arguments.root();
    }

    @Override
    public void post(long run) {
        number = run;
        int me = team.me();
        for (int member = 0; member < team.size(); member++) {
            parts[member] = null;
            if (member != me && sends(me)) {
                team.connection(member).send(run, arguments.source(0).asByteBuffer());
            }
        }
        if (sends(me)) {
            parts[me] = arguments.source(0);
        }
    }

    @Override
    public boolean progress() {
        team.pump();
        boolean isComplete = true;
        for (int member = 0; member < team.size(); member++) {
            if (member != team.me()) {
                boolean isDone = hasReceived(member) && team.connection(member).hasSent();
                if (!isDone) {
                    team.connection(member).check();
                    isComplete = false;
                }
            }
        }
        if (isComplete) {
            finish();
        }
        return isComplete;
    }

    @Override
    public void stop(RuntimeException why) {
        for (int member = 0; member < team.size(); member++) {
            if (member != team.me()) {
                team.connection(member).detach();
            }
        }
    }

    private boolean hasReceived(int member) {
        if (sends(member) && parts[member] == null) {
            ByteBuffer message = team.connection(member).receive(number);
            parts[member] = message == null ? null : MemorySegment.ofBuffer(message);
        }
        return !sends(member) || parts[member] != null;
    }

    /// All data has arrived, and the connections no longer read this PE's source.
    private void finish() {
        switch (type) {
            case BROADCAST -> arguments.target(0).copyFrom(part(arguments.root()));
            case ALL_GATHER -> {
                for (int member = 0; member < team.size(); member++) {
                    arguments.target(member).copyFrom(part(member));
                }
            }
            default -> reduce();
        }
    }

    /// Reduces in the order of the members, which suits every reduction.
    private void reduce() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(arguments.bytes(), Long.BYTES);
            result.copyFrom(part(0));
            for (int member = 1; member < team.size(); member++) {
                arguments.fold(result, result, part(member));
            }
            arguments.target(0).copyFrom(result);
        }
    }

    private MemorySegment part(int member) {
        MemorySegment part = parts[member];
        if (part == null) {
            throw new IllegalStateException("no data from member " + member + " has arrived");
        }
        return part;
    }
}
