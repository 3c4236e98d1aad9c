// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.Team;
import coterie.World;
import coterie.internal.collective.DataCollectives;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.CollectiveResources;
import coterie.internal.component.ComponentRegistry;
import coterie.internal.p2p.TeamPort;
import coterie.internal.sync.TeamSync;
import coterie.internal.world.LocalJob;

/// Teams from inside, for tests of other packages.
public final class TeamSyncs {
    private TeamSyncs() {}

    /// How the members of a team synchronize.
    public static TeamSync of(World world, Team team) {
        return LocalJob.teams(world).own("of", team).teamSync();
    }

    /// What the collectives of a PE's teams work with.
    public static CollectiveResources resources(World world) {
        return LocalJob.teams(world).resources();
    }

    /// The collectives of a team with other layers.
    public static DataCollectives collectives(World world, Team team, ComponentRegistry registry) {
        return calls(world, team, registry).data();
    }

    /// What selects, and what it selects for.
    public record Calls(AlgorithmSelector selector, DataCollectives data) {}

    /// The collectives of a team with other layers, and their selection.
    public static Calls calls(World world, Team team, ComponentRegistry registry) {
        TeamSync teamSync = of(world, team);
        CollectiveResources resources = resources(world, registry);
        TeamPort port = resources.port(teamSync);
        AlgorithmSelector selector = new AlgorithmSelector(teamSync, resources, port);
        return new Calls(selector, new DataCollectives(teamSync, resources, port, selector));
    }

    /// The resources with other layers.
    private static CollectiveResources resources(World world, ComponentRegistry registry) {
        CollectiveResources resources = resources(world);
        return new CollectiveResources(
                registry,
                resources.components(),
                resources.endings(),
                resources.engine(),
                resources.conduit(),
                resources.runtime(),
                resources.nodes(),
                resources.lines(),
                resources.scratch(),
                resources.requests());
    }
}
