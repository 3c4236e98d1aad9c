// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.internal.collective.CollectiveResources;
import coterie.internal.collective.ComponentRegistry;
import coterie.internal.collective.Membership;
import coterie.internal.collective.SyncLines;
import coterie.internal.collective.TeamMap;
import coterie.internal.collective.TeamSync;
import coterie.internal.collective.TeamTeardown;
import coterie.internal.layer.Components;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.PredefinedTeam;
import coterie.internal.memory.TeamLabel;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All teams of a PE's world: those that it has from the start, made when they are first asked for, and those that
/// the program makes.
public final class Teams {
    private final JobSegment job;
    private final int me;
    private final PeContext context;
    private final Conduit conduit;
    private final BlockingChannel blockingChannel;
    private final WaitingRoom room;
    private final long firstSequence;
    private final int mostFlat;
    private final @Nullable Thread confinedTo;
    private final CollectiveResources resources;
    private final SyncArea area;
    private final FormationSlots formationSlots;
    private final Map<PredefinedTeam, PeTeam> common = new EnumMap<>(PredefinedTeam.class);
    private final Set<PeTeam> made = new LinkedHashSet<>();
    private boolean ended;

    /// @param context the world's default one
    /// @param firstSequence the number that the common teams' rounds begin with
    /// @param mostFlat the most members of a team that tell each other everything
    /// @param confinedTo the only thread that may call collectives, or null if all may, one at a time
    /// @param registry that serve the teams' collectives
    /// @param components the layers that plug in
    /// @param engine that advances their tasks
    /// @param scratch memory of mine in the heap
    /// @param mostBytes of my memory for the lines of teams that the program makes
    public Teams(
            JobSegment job,
            int me,
            PeContext context,
            Conduit conduit,
            WaitingRoom room,
            long firstSequence,
            int mostFlat,
            @Nullable Thread confinedTo,
            ComponentRegistry registry,
            Components components,
            ProgressEngine engine,
            CollectiveResources.ScratchMemory scratch,
            long mostBytes) {
        this.job = job;
        this.me = me;
        this.context = context;
        this.conduit = conduit;
        this.blockingChannel = new BlockingChannel(conduit, room);
        this.room = room;
        this.firstSequence = firstSequence;
        this.mostFlat = mostFlat;
        this.confinedTo = confinedTo;
        this.area = new SyncArea(conduit, job.syncOffsetOfTeams(), mostBytes);
        this.resources = new CollectiveResources(
                registry, components, engine, conduit, room, job::node, area.scratchMemory(), scratch);
        room.background(engine);
        this.formationSlots = new FormationSlots(area, job, conduit, me, job.syncOffsetOfTeams());
    }

    /// What the teams' collectives work with.
    CollectiveResources resources() {
        return resources;
    }

    /// Where the teams' lines are.
    SyncArea area() {
        return area;
    }

    FormationSlots formationSlots() {
        return formationSlots;
    }

    /// A team that the world has from the start.
    public Team common(PredefinedTeam which) {
        return commonTeam(which);
    }

    /// How all PEs of the world come together.
    public TeamSync world() {
        return commonTeam(PredefinedTeam.WORLD).teamSync();
    }

    private synchronized PeTeam commonTeam(PredefinedTeam which) {
        PeTeam team = common.get(which);
        if (team == null) {
            TeamMap map = new PredefinedMaps(job, conduit, me).of(which);
            Membership membership = new Membership(new TeamLabel(which.teamName()), map, map.member(me));
            team = new PeTeam(
                    this,
                    teamSync(membership, SyncLines.at(job.syncOffset(which)), firstSequence),
                    TeamConfig.DEFAULT,
                    -1);
            common.put(which, team);
            if (ended) {
                end(team);
            }
        }
        return team;
    }

    /// Takes in a team whose members have agreed on it.
    ///
    /// @param lines of the team, zeroed
    synchronized PeTeam make(String name, TeamMap map, int member, SyncLines lines, TeamConfig config) {
        Membership membership = new Membership(new TeamLabel(name), map, member);
        PeTeam team = new PeTeam(this, teamSync(membership, lines, 1), config, lines.offset(member));
        made.add(team);
        if (ended) {
            end(team);
        }
        return team;
    }

    private TeamSync teamSync(Membership membership, SyncLines lines, long first) {
        return new TeamSync(membership, lines, context, conduit, blockingChannel, room, first, mostFlat, confinedTo);
    }

    /// See [coterie.World#newTeamId].
    public TeamId newId() {
        check("newTeamId");
        try {
            return formationSlots.open();
        } catch (SyncMemoryException e) {
            throw new CoterieException("newTeamId on PE " + me + ": no memory for another id: " + e.getMessage());
        }
    }

    /// See [coterie.World#formTeam].
    public Team form(TeamId id, int size, int member, TeamConfig config, Duration timeout) {
        check(OperationKind.FORM.label());
        world().checkNotInUpcall(OperationKind.FORM);
        FormationArguments asked =
                FormationArguments.of(id, size, member, config, timeout, me, job.size(), formationSlots.places());
        FormationSlot formationSlot = new FormationSlot(
                conduit, blockingChannel, asked.id().root(), formationSlots.offset(asked.id()), job.size());
        FormedMembers formedMembers = new Formation(formationSlot, asked.id(), me, job.size(), size, member, area, room)
                .run(config.contexts(), asked.timeoutNanos());
        return make(asked.id().name(), formedMembers.map(), member, formedMembers.lines(), config);
    }

    /// Refuses what the world's end or the level of threads forbids.
    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    private void check(String operation) {
        world().checkAlive(operation);
        if (confinedTo != null && confinedTo != Thread.currentThread()) {
            throw new WrongThreadException(operation + " on PE " + me + ": called by " + Thread.currentThread()
                    + ", but the world was joined at a level of threads that leaves it to " + confinedTo
                    + "; join at SERIALIZED or MULTIPLE");
        }
    }

    /// See [Team#close].
    void destroy(PeTeam team) {
        synchronized (this) {
            if (ended) {
                return;
            }
        }
        TeamSync teamSync = team.teamSync();
        Membership membership = teamSync.membership();
        if (team.lines() < 0) {
            throw new IllegalStateException(
                    membership.messagePrefix("close") + "it is one of the world's own, and ends with it");
        }
        boolean isBusy = team.isBusy();
        int objector = new TeamTeardown(teamSync).run(isBusy || context.hasPrivate(team), team.teardown(isBusy));
        if (objector >= 0) {
            throw new IllegalStateException(membership.messagePrefix("close") + "PE " + membership.pe(objector)
                    + " has a private context of the team open, or requests under way; the team lives on");
        }
        context.closeAll(team);
        team.forgetPeers();
        teamSync.end("it was destroyed");
        team.closeCollectives(!teamSync.hasMissed());
        if (!teamSync.leavesLinesBusy()) {
            area.release(team.lines(), membership.size());
        }
        synchronized (this) {
            made.remove(team);
        }
    }

    /// The implementation of a team of this world.
    PeTeam own(String operation, Team team) {
        if (team instanceof PeTeam mine && mine.belongsTo(this)) {
            return mine;
        }
        throw new IllegalArgumentException(operation + " on PE " + me + ": " + team + " is no team of this world");
    }

    /// Whether a request of some team is under way that uses a block of memory; what those that have failed had
    /// under way to others is over.
    public boolean use(PeMemory block) {
        resources.engine().sweep(); // who has failed may not know it yet
        List<PeTeam> all;
        synchronized (this) {
            all = Stream.concat(common.values().stream(), made.stream()).toList();
        }
        all.forEach(PeTeam::drainFailed);
        return all.stream().anyMatch(team -> team.uses(block));
    }

    /// Closes the world together with all PEs, and refuses every use of every team from then on.
    ///
    /// @param nextSequence gets the number that the common teams' rounds begin with in the next world
    public synchronized void close(LongConsumer nextSequence) {
        long next = common.values().stream()
                .mapToLong(team -> team.teamSync().nextSequence())
                .max()
                .orElse(firstSequence);
        // Who has met for the last time may use its lines for another world.
        List<PeTeam> all = new ArrayList<>(common.values());
        all.addAll(made);
        all.forEach(PeTeam::drainCollectives);
        boolean voids = formationSlots.slots() > 0 || all.stream().anyMatch(PeTeam::isPolled);
        try {
            nextSequence.accept(world().synchroniseToClose(next, voids, () -> {
                formationSlots.close();
                all.forEach(PeTeam::stopPolling);
            }));
        } catch (PeFailedException e) {
            if (world().leavesLinesBusy()) {
                nextSequence.accept(Math.max(next, world().nextSequence()));
            }
            throw e;
        } finally {
            // Who is still waiting for what I have told must have it before it can learn that I am gone.
            blockingChannel.quiet(Channel.ALL_PEERS);
            ended = true;
            all.forEach(Teams::end);
            all.forEach(team -> team.closeCollectives(false));
            made.clear();
            formationSlots.close();
        }
    }

    private static void end(PeTeam team) {
        team.teamSync().end("the world was closed");
    }
}
