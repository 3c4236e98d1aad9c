// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.PeFailedException;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Makes barrier sessions.
final class BarrierSessions {
    private BarrierSessions() {}

    /// Returns a barrier of one stage.
    static BarrierSession of(BarrierScope scope, String kind, GinTeam team, Layout.BarrierSet set, int index) {
        Gin gin = gin(scope);
        return BarrierSession.begin(gin, new BarrierStage[] {stage(scope, kind, team, set, index)}, null);
    }

    /// Returns a barrier of all ranks in two stages, which can also be the world's.
    static BarrierSession hybrid(BarrierScope scope, int count, int index) {
        Gin gin = gin(scope);
        DeviceCommunicator comm = gin.communicator();
        checkIndex(gin, "hybrid", count, index);
        Layout layout = comm.layout();
        BarrierStage inner = stage(comm.gin(0), "LSA", comm.lsaTeam(), layout.lsa, layout.lsa.count() - count + index);
        BarrierStage outer = stage(scope, "rail", comm.railTeam(), layout.rail, layout.rail.count() - count + index);
        BarrierStage world = comm.connectionType() == ConnectionType.FULL
                ? stage(scope, "world", comm.worldTeam(), layout.world, layout.world.count() - count + index)
                : null;
        return BarrierSession.begin(gin, new BarrierStage[] {inner, outer}, world);
    }

    /// Returns a barrier of a team whose signals are those of a handle.
    static BarrierSession barrier(
            DeviceCommunicator comm, BarrierScope scope, GinTeam members, Resources handle, int index) {
        checkScope(comm, "barrier", scope);
        check(comm, "barrier", "members", members, "handle", handle);
        return ofTeam("team", scope, members, handle, index);
    }

    private static BarrierSession ofTeam(
            String kind, BarrierScope scope, GinTeam members, Resources handle, int index) {
        Layout.BarrierSet set =
                new Layout.BarrierSet(handle.firstSignal(), handle.signals() / members.size(), members.size());
        return of(scope, kind, members, set, index);
    }

    /// Checks a team and its handle.
    private static void check(
            DeviceCommunicator comm,
            String operation,
            String membersName,
            GinTeam members,
            String handleName,
            Resources handle) {
        comm.checks().checkOwner(operation, membersName, members);
        comm.checks().checkNotNull(operation, handleName, handle);
        Layout layout = comm.layout();
        if (!layout.resources.containsValue(handle)) {
            throw new GinException(
                    GinError.FOREIGN,
                    operation + " on " + comm + ": " + handle + " is not of this communicator; pass what resources"
                            + " returns");
        }
    }

    /// Returns a barrier of two stages, whose signals are those of two handles.
    static BarrierSession hybrid(
            DeviceCommunicator comm,
            BarrierScope scope,
            GinTeam inner,
            Resources innerHandle,
            GinTeam outer,
            Resources outerHandle,
            int index) {
        checkScope(comm, "hybridBarrier", scope);
        check(comm, "hybridBarrier", "inner", inner, "innerHandle", innerHandle);
        check(comm, "hybridBarrier", "outer", outer, "outerHandle", outerHandle);
        BarrierSession first = ofTeam("inner team", scope, inner, innerHandle, index);
        try {
            return first.then(ofTeam("outer team", scope, outer, outerHandle, index));
        } finally {
            first.close(); // also if there is no second one
        }
    }

    /// Checks that a barrier can be made on a context of the communicator.
    static void checkScope(DeviceCommunicator comm, String operation, BarrierScope scope) {
        comm.checkOpen(operation);
        comm.checks().checkNotNull(operation, "scope", scope);
        DeviceCommunicator other = gin(scope).communicator();
        if (!other.equals(comm)) {
            throw new GinException(
                    GinError.FOREIGN, operation + " on " + comm + ": the scope is of another one, " + other);
        }
    }

    private static BarrierStage stage(BarrierScope scope, String kind, GinTeam team, Layout.BarrierSet set, int index) {
        Gin gin = gin(scope);
        DeviceCommunicator comm = gin.communicator();
        checkIndex(gin, kind, set.count(), index);
        int[] ranks = new int[team.size()];
        Arrays.setAll(ranks, team::toCommunicator);
        GinContext[] contexts = scope instanceof AllContexts
                ? IntStream.range(0, comm.contextCount())
                        .mapToObj(comm::context)
                        .toArray(GinContext[]::new)
                : new GinContext[] {gin.context()};
        return new BarrierStage(
                kind + " barrier " + index, ranks, team.rank(), contexts, set.first() + index * set.members());
    }

    /// Tells the other ranks that the caller arrives no more at the communicator's own barriers.
    static void leave(DeviceCommunicator comm) {
        Layout layout = comm.layout();
        leave(comm, layout.lsa, comm.lsaTeam());
        leave(comm, layout.rail, comm.railTeam());
        leave(comm, layout.world, comm.worldTeam());
    }

    private static void leave(DeviceCommunicator comm, Layout.BarrierSet set, AffineTeam members) {
        for (int step = 1; step < members.size(); step++) {
            int rank = members.toCommunicator((members.rank() + step) % members.size());
            if (set.count() > 0 && !comm.coterieTeam().hasFailed(rank)) {
                leave(comm, set, members.rank(), rank);
            }
        }
    }

    private static void leave(DeviceCommunicator comm, Layout.BarrierSet set, int me, int rank) {
        try {
            for (int context = 0; context < comm.layout().contexts; context++) {
                for (int index = 0; index < set.count(); index++) {
                    int signal = set.first() + index * set.members() + me;
                    comm.words().add(comm.layout().signal(context, signal), BarrierStage.LEFT, rank);
                }
            }
        } catch (PeFailedException e) {
            return; // it waits no more
        }
    }

    private static Gin gin(BarrierScope scope) {
        return switch (scope) {
            case Gin gin -> gin;
            case AllContexts all -> all.first();
        };
    }

    private static void checkIndex(Gin gin, String kind, int count, int index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException(gin.context().where(kind + " barrier") + ": index " + index
                    + "; allowed are [0, " + count + "), as the requirements have it");
        }
    }
}
