// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.layer.Components;
import coterie.internal.p2p.ScratchMemory;
import coterie.internal.p2p.TeamPort;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Conduit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/// What the collectives of all teams of a world work with.
///
/// @param components the layers that plug in
/// @param endings what layers still have to do for teams that have ended
/// @param nodes the node of each PE
/// @param lines memory in my sync area, zeroed, that others can write to
/// @param scratch memory in my heap that others can write to
/// @param requests how many are prepared, of all teams
public record CollectiveResources(
        ComponentRegistry registry,
        Components components,
        LayerEndings endings,
        ProgressEngine engine,
        Conduit conduit,
        PeRuntime runtime,
        IntUnaryOperator nodes,
        ScratchMemory lines,
        ScratchMemory scratch,
        AtomicInteger requests) {

    /// Makes the port of a team.
    public TeamPort port(TeamSync teamSync) {
        return new TeamPort(teamSync, lines, engine, conduit, runtime);
    }
}
