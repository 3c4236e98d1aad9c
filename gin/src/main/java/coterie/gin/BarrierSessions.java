// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import java.util.Arrays;
import java.util.Objects;
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

    private static Gin gin(BarrierScope scope) {
        return switch (Objects.requireNonNull(scope, "barrier: scope is null")) {
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
