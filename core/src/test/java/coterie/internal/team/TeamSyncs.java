// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.Team;
import coterie.World;
import coterie.internal.collective.TeamSync;
import coterie.internal.collective.Layers;
import coterie.internal.collective.Means;
import coterie.internal.world.LocalJob;

/// Teams from inside, for tests of other rooms.
public final class TeamSyncs {
    private TeamSyncs() {}

    /// How the members of a team come together.
    public static TeamSync of(World world, Team team) {
        return LocalJob.teams(world).own("of", team).teamSync();
    }

    /// What the collectives of a PE's teams work with.
    public static Means means(World world) {
        return LocalJob.teams(world).means();
    }

    /// The same with other layers.
    public static Means means(World world, Layers layers) {
        Means means = means(world);
        return new Means(
                layers,
                means.components(),
                means.engine(),
                means.conduit(),
                means.room(),
                means.nodes(),
                means.lines(),
                means.scratch());
    }
}
