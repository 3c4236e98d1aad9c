// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.LayerTask;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A member's part in a collective: each member that has data for the others sends them to each.
final class SocketTask implements LayerTask {
    private final SocketTeam team;
    private final Arguments arguments;
    private final CollectiveType type;

    /// What has come of each member.
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
        boolean isThere = true;
        for (int member = 0; member < team.size(); member++) {
            if (member != team.me()) {
                boolean isThrough = hasCome(member) && team.connection(member).hasSent();
                if (!isThrough) {
                    team.connection(member).check();
                    isThere = false;
                }
            }
        }
        if (isThere) {
            finish();
        }
        return isThere;
    }

    private boolean hasCome(int member) {
        if (sends(member) && parts[member] == null) {
            ByteBuffer message = team.connection(member).receive(number);
            parts[member] = message == null ? null : MemorySegment.ofBuffer(message);
        }
        return !sends(member) || parts[member] != null;
    }

    /// All data have arrived, and no connection reads the source any more.
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

    /// One by one in the members' order, which suits every reduction.
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
            throw new IllegalStateException("nothing has come from member " + member);
        }
        return part;
    }
}
