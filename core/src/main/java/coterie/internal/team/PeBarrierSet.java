// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.BarrierSet;
import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.CoterieException;
import coterie.IntegerView;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.internal.heap.TeamHeap;
import coterie.internal.memory.Allocator;
import coterie.internal.memory.StatusLabel;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Keyed barriers: each member counts its arrivals in a word at every other member.
///
/// ```
///  key k, at each member:  │ arrivals of member 0 │ of member 1 │ … │ of member n − 1 │ padding to 128 bytes │
/// ```
///
/// Arrivals only grow, so a member that is a phase early overwrites nothing that another one still needs. A member that
/// closes the barriers writes `~arrivals` in their place: the others still see how far it came, and that it comes no
/// further.
final class PeBarrierSet implements BarrierSet {
    private static final OperationKind KIND = OperationKind.BARRIER;

    private final PeTeam team;
    private final TeamSync teamSync;
    private final Membership membership;
    private final WaitingRoom room;
    private final SymmetricMemory memory;
    private final IntegerView arrivals;
    private final Phase[] phases;

    private volatile boolean isClosed;

    /// @param memory of [#allocate]
    PeBarrierSet(PeTeam team, WaitingRoom room, SymmetricMemory memory, int keys) {
        this.team = team;
        this.teamSync = team.teamSync();
        this.membership = teamSync.membership();
        this.room = room;
        this.memory = memory;
        this.arrivals = memory.longs();
        this.phases = new Phase[keys];
        Arrays.setAll(phases, Phase::new);
    }

    /// Allocates the words of the barriers of a team of `size` members.
    static SymmetricMemory allocate(TeamHeap heap, int keys, int size) {
        return heap.allocate(OperationKind.CREATE_BARRIERS, keys * words(size) * Long.BYTES, Allocator.GRANULE);
    }

    private static long words(int size) {
        long granule = Allocator.GRANULE / Long.BYTES;
        return (size + granule - 1) / granule * granule;
    }

    /// The phases of one key.
    private final class Phase implements Awaitable {
        private final int key;
        private final long first;

        /// The phases in which this PE has arrived.
        private long mine;

        /// The members before it have arrived in this PE's last phase.
        private int next = membership.size();

        Phase(int key) {
            this.key = key;
            this.first = key * words(membership.size());
        }

        boolean isComplete() {
            while (next < membership.size() && hasArrived(first + next)) {
                next++;
            }
            return next == membership.size();
        }

        private boolean hasArrived(long word) {
            return arrivals.test(word, Comparison.GE, mine) || arrivals.test(word, Comparison.LE, ~mine);
        }

        /// Returns whether the phase can't become complete, since a member that has not arrived has closed the barriers
        /// or the team.
        private boolean isMissed() {
            int member = next;
            boolean isClosed = arrivals.test(first + member, Comparison.LT, 0)
                    || teamSync.closings().isClosed(member);
            return isClosed && !isComplete() && next == member;
        }

        void arrive() {
            if (!isComplete()) {
                throw new IllegalStateException(messagePrefix("arrive") + "phase " + mine + " of " + text()
                        + " is not complete: PE " + awaitedPe() + " has not arrived; test it, or wait for it, first");
            }
            teamSync.checkNotEnded(KIND);
            mine++;
            next = 0;
            team.context().fence();
            for (int step = 0; step < membership.size(); step++) {
                arrivals.setRelease(first + membership.me(), mine, membership.after(step));
            }
        }

        /// Tells the others that this PE arrives no more.
        void leave() {
            for (int step = 1; step < membership.size(); step++) {
                int member = membership.after(step);
                if (!team.hasFailed(member)) {
                    arrivals.setRelease(first + membership.me(), ~mine, member);
                }
            }
        }

        /// Returns whether the phase is complete; throws if it can't become so.
        @Override
        public boolean poll() {
            if (isComplete()) {
                return true;
            }
            if (isMissed()) {
                throw new CollectiveMismatchException(messagePrefix("await") + "PE " + awaitedPe()
                        + " has closed the barriers or the team before it arrived in phase " + mine + " of " + text());
            }
            try {
                teamSync.checkNotEnded(KIND);
            } catch (CoterieException e) {
                if (isComplete()) {
                    return true; // the member that has failed arrived before, since the look above
                }
                throw e;
            }
            return false;
        }

        @Override
        public OperationKind kind() {
            return KIND;
        }

        @Override
        public StatusLabel team() {
            return membership.label();
        }

        @Override
        public long sequence() {
            return mine;
        }

        @Override
        public int awaitedPe() {
            return next < membership.size() ? membership.pe(next) : -1;
        }

        @Override
        public String text() {
            return "key " + key;
        }
    }

    @Override
    public Team team() {
        return team;
    }

    @Override
    public int keys() {
        return phases.length;
    }

    @Override
    public void arrive(int key) {
        phase("arrive", key).arrive();
    }

    @Override
    public boolean test(int key) {
        return phase("test", key).poll();
    }

    @Override
    public void await(int key) {
        await(key, WaitingRoom.FOREVER);
    }

    @Override
    public void await(int key, @Nullable Duration timeout) {
        if (timeout == null) {
            throw new NullPointerException(messagePrefix("await") + "timeout is null");
        }
        await(key, WaitingRoom.timeoutNanos("await", membership.myPe(), timeout));
    }

    private void await(int key, long timeoutNanos) {
        Phase phase = phase("await", key);
        teamSync.gate().checkNotInUpcall(KIND);
        room.awaitWork(phase, timeoutNanos);
    }

    private Phase phase(String operation, int key) {
        if (key < 0 || key >= phases.length) {
            throw new IndexOutOfBoundsException(
                    messagePrefix(operation) + "key " + key + " is outside [0, " + phases.length + ")");
        }
        teamSync.checkUsable(operation);
        if (isClosed) {
            throw new IllegalStateException(messagePrefix(operation) + "the barriers were closed");
        }
        return phases[key];
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        teamSync.gate().checkThread("close of barriers");
        if (memory.isAccessible(membership.me())) {
            boolean isOver = teamSync.hasMissed() || teamSync.hasLostMember();
            for (Phase phase : phases) {
                if (!isOver && !phase.isComplete() && !phase.isMissed()) {
                    throw new IllegalStateException(messagePrefix("close") + "phase " + phase.mine + " of "
                            + phase.text() + " is not complete; wait for it first");
                }
            }
            team.context().fence();
            for (Phase phase : phases) {
                leave(phase);
            }
            memory.close();
        }
        isClosed = true;
    }

    private static void leave(Phase phase) {
        try {
            phase.leave();
        } catch (PeFailedException e) {
            return; // its members wait no more
        }
    }

    private String messagePrefix(String operation) {
        return "barriers: " + membership.messagePrefix(operation);
    }

    @Override
    public String toString() {
        return phases.length + " barriers of " + team;
    }
}
