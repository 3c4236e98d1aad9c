// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.collective.Collective;
import coterie.collective.Collective.Buffer;
import coterie.collective.CollectiveType;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.AskedCollective;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.sync.AgreedArguments;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.ElementSignature;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.CollectiveListeners;
import coterie.internal.wait.OperationKind;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Requests that a member waits for at once: collectives that calls over memory don't have.
///
/// ```
///  enter the gate
///    read what is asked for    refused before any round
///    agree in a round          where members differ, nothing has been posted
///    leave, and call           where calls have the collective, at the same places on all members
///    prepare                   unless the latest of the same type was equal
///    post, await
///  leave it
/// ```
///
/// After the round every member has entered: so the targets of all are ready, as for all calls.
public final class BlockingRequests {
    /// Of scratch memory that requests may keep between their runs.
    private static final long MOST_KEPT = 1L << 20;

    /// The word of the round, behind that of the arguments, that tells whether all members can call.
    private static final int PLACES = 1;

    private final TeamSync teamSync;
    private final Requests requests;
    private final AlgorithmSelector selector;
    private final CollectiveListeners listeners;

    /// The latest of each type that has ended well.
    private final Map<CollectiveType, Prepared> latest = new EnumMap<>(CollectiveType.class);

    public BlockingRequests(TeamSync teamSync, Requests requests, AlgorithmSelector selector) {
        this.teamSync = teamSync;
        this.requests = requests;
        this.selector = selector;
        this.listeners = teamSync.listeners();
    }

    /// What a collective runs by.
    private static final class Prepared {
        final Collective described;
        final AskedCollective asked;
        final AgreedArguments agreed;
        final @Nullable CalledCollective called;

        /// Null before its first run.
        @Nullable
        PeRequest request;

        Prepared(Collective described, AskedCollective asked, long selection) {
            this.described = described;
            this.asked = asked;
            this.agreed = new AgreedArguments(kind(described.type()));
            CollectiveShape shape = asked.shape();
            this.called = CalledCollective.of(described, shape.size(), shape.me());
            agreed.of(ElementSignature.ofRequest(asked.operator(), asked.elements()), 0, 0, selection);
            agreed.add(shape.bytes() / asked.elements().byteSize() / copies(shape));
            agreed.root(shape.root());
        }

        /// Returns how many blocks of one length the bytes of a collective are.
        private static int copies(CollectiveShape shape) {
            return switch (shape.type()) {
                case ALL_GATHER, ALL_TO_ALL, GATHER, SCATTER -> shape.size();
                default -> 1;
            };
        }

        long scratchBytes() {
            PeRequest run = request;
            return run == null ? 0 : run.scratchBytes();
        }

        void close() {
            PeRequest run = request;
            if (run != null && !run.isUnderWay()) {
                run.close(); // one that is under way ends with the team
            }
        }
    }

    /// Runs a collective.
    ///
    /// @param described not null
    /// @return null, or the call that all members go on with
    public @Nullable CalledCollective run(Collective described) {
        OperationKind kind = kind(described.type());
        teamSync.checkAlive(kind.label());
        selector.open();
        try (CallGate.Passage _ = teamSync.gate().enter(kind)) {
            Prepared prepared = prepared(described);
            if (listeners.isAny()) {
                described.source().ifPresent(source -> tell(kind, source));
                described.target().ifPresent(target -> tell(kind, target));
            }
            SyncRound round = teamSync.syncRound();
            CalledCollective called = prepared.called;
            round.send(PLACES, called == null ? 0 : called.places());
            teamSync.agree(prepared.agreed, PLACES + 1);
            if (called != null && round.firstDifferent(PLACES) < 0) {
                latest.put(described.type(), prepared);
                return called;
            }
            run(prepared);
            return null;
        }
    }

    /// A barrier has other rounds than a call of one, which says nothing in its own.
    private static OperationKind kind(CollectiveType type) {
        return type == CollectiveType.BARRIER ? OperationKind.RUN_BARRIER : OperationKind.valueOf(type.name());
    }

    private void run(Prepared prepared) {
        CollectiveType type = prepared.described.type();
        boolean isDone = false;
        try {
            PeRequest run = prepared.request;
            if (run == null) {
                run = requests.prepare(prepared.described.persistent(), prepared.asked);
                prepared.request = run;
            }
            run.post();
            run.await();
            isDone = true;
        } finally {
            if (!isDone || (latest.get(type) != prepared && !isKept(prepared))) {
                latest.remove(type);
                prepared.close();
            } else {
                latest.put(type, prepared);
            }
        }
    }

    /// Whether a request may stay: the kept ones take little memory together.
    private boolean isKept(Prepared prepared) {
        long taken = prepared.scratchBytes();
        for (Prepared other : latest.values()) {
            taken += other.scratchBytes();
        }
        return prepared.described.callback().isEmpty() && taken <= MOST_KEPT;
    }

    /// Returns what was prepared the latest time, if the same is asked for.
    private Prepared prepared(Collective described) {
        Prepared last = latest.get(described.type());
        if (last != null && last.described.equals(described)) {
            requests.checkBlocks(last.asked);
            return last;
        }
        AskedCollective asked = requests.checked(described);
        if (last != null) {
            latest.remove(described.type());
            last.close();
        }
        return new Prepared(described, asked, selector.digest());
    }

    private void tell(OperationKind kind, Buffer buffer) {
        for (int block = 0; block < buffer.blocks(); block++) {
            listeners.access(kind, buffer.elements(), buffer.index(block), buffer.count(block));
        }
    }
}
