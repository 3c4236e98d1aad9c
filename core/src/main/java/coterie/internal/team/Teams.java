// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.TeamRevokedException;
import coterie.internal.component.CollectiveResources;
import coterie.internal.component.ComponentRegistry;
import coterie.internal.component.LayerEndings;
import coterie.internal.heap.PeHeap;
import coterie.internal.heap.TeamHeap;
import coterie.internal.layer.Components;
import coterie.internal.memory.Allocator.End;
import coterie.internal.memory.PredefinedTeam;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.StatusPage;
import coterie.internal.memory.SyncLayout;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncLines;
import coterie.internal.sync.TeamMap;
import coterie.internal.sync.TeamSync;
import coterie.internal.sync.WorldTeardown;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.SuccessorThread;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.PeJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All teams of a PE's world: the predefined ones, which it makes at their first use, and those that the program
/// makes.
public final class Teams {
    private final PeJob job;
    private final SyncLayout layout;
    private final int me;
    private final PeContext context;
    private final Conduit conduit;
    private final BlockingChannel blockingChannel;
    private final PeRuntime runtime;
    private final long firstSequence;
    private final int maxFlat;
    private final @Nullable Thread confinedTo;
    private final CollectiveResources resources;
    private final SyncArea area;
    private final PeHeap heap;
    private final FormationSlots formationSlots;
    private final long stagingBytes;
    private final Map<PredefinedTeam, PeTeam> common = new EnumMap<>(PredefinedTeam.class);
    private final Set<PeTeam> made = new LinkedHashSet<>();
    private final ClosedTeamsOfPe closedTeams;

    /// All that are not closed, or null after a change until the next look.
    private volatile PeTeam @Nullable [] listed;

    private boolean ended;

    /// @param page the status page of this PE
    /// @param context the world's default context
    /// @param firstSequence the number of the first round of each predefined team
    /// @param maxFlat the largest team whose members synchronize all-to-all
    /// @param confinedTo the only thread that may call collectives, or null if all may, one at a time
    /// @param registry the algorithms of the teams' collectives
    /// @param components the open components
    /// @param engine that advances the tasks of collectives
    /// @param heap this PE's part of the symmetric heap
    /// @param maxSyncBytes the largest size of this PE's memory for the lines of teams
    /// @param stagingBytes of each team's memory for collectives on arrays and segments
    public Teams(
            PeJob job,
            StatusPage page,
            PeContext context,
            Conduit conduit,
            PeRuntime runtime,
            long firstSequence,
            int maxFlat,
            @Nullable Thread confinedTo,
            ComponentRegistry registry,
            Components components,
            ProgressEngine engine,
            PeHeap heap,
            long maxSyncBytes,
            long stagingBytes) {
        this.stagingBytes = stagingBytes;
        this.job = job;
        this.layout = new SyncLayout(job.size());
        this.me = job.pe();
        this.context = context;
        this.conduit = conduit;
        this.blockingChannel = new BlockingChannel(conduit, runtime.room());
        this.runtime = runtime;
        this.firstSequence = firstSequence;
        this.maxFlat = maxFlat;
        this.confinedTo = confinedTo;
        this.heap = heap;
        this.area = new SyncArea(conduit, layout.offsetOfTeams(), maxSyncBytes);
        this.resources = new CollectiveResources(
                registry,
                components,
                new LayerEndings(engine),
                engine,
                conduit,
                runtime,
                job::node,
                area.scratchMemory(),
                heap,
                new AtomicInteger());
        this.closedTeams = new ClosedTeamsOfPe(area, runtime.room());
        heap.closedTeams(closedTeams);
        runtime.background(engine);
        this.formationSlots = new FormationSlots(area, page, conduit, me, job.size(), layout.offsetOfTeams());
    }

    /// Returns the objects that all teams' collectives share.
    CollectiveResources resources() {
        return resources;
    }

    /// Returns the memory of the teams' lines.
    SyncArea area() {
        return area;
    }

    FormationSlots formationSlots() {
        return formationSlots;
    }

    /// Returns a predefined team of the world.
    public Team common(PredefinedTeam which) {
        return commonTeam(which);
    }

    /// Returns the synchronization of all PEs of the world.
    public TeamSync world() {
        return commonTeam(PredefinedTeam.WORLD).teamSync();
    }

    private synchronized PeTeam commonTeam(PredefinedTeam which) {
        PeTeam team = common.get(which);
        if (team == null) {
            TeamMap map = new PredefinedMaps(job, conduit, me).of(which);
            Membership membership = new Membership(new StatusLabel(which.teamName()), map, map.member(me));
            team = new PeTeam(
                    this,
                    teamSync(membership, SyncLines.at(layout.offset(which)), firstSequence),
                    TeamConfig.DEFAULT,
                    -1,
                    which == PredefinedTeam.WORLD ? End.BOTTOM : End.TOP);
            common.put(which, team);
            listed = null;
            if (ended) {
                end(team);
            }
        }
        return team;
    }

    /// Returns the teams that this PE has closed.
    ClosedTeamsOfPe closedTeams() {
        return closedTeams;
    }

    /// Makes the handle of a team on which its members have agreed.
    ///
    /// @param lines of the team, zeroed
    synchronized PeTeam make(String name, TeamMap map, int member, SyncLines lines, TeamConfig config) {
        PeTeam team = new PeTeam(this, teamSync(name, map, member, lines), config, lines.offset(member), End.TOP);
        made.add(team);
        listed = null;
        if (ended) {
            end(team);
        }
        return team;
    }

    /// Makes the synchronization of a team on which its members have agreed.
    ///
    /// @param lines of the team, zeroed
    TeamSync teamSync(String name, TeamMap map, int member, SyncLines lines) {
        return teamSync(new Membership(new StatusLabel(name), map, member), lines, 1);
    }

    private TeamSync teamSync(Membership membership, SyncLines lines, long first) {
        return new TeamSync(membership, lines, context, conduit, blockingChannel, runtime, first, maxFlat, confinedTo);
    }

    /// Makes the symmetric memory of a team.
    TeamHeap heap(TeamSync teamSync, End end, Supplier<PeContext> numbered) {
        return new TeamHeap(heap, teamSync, end, context, numbered, conduit, runtime, this::use);
    }

    /// Returns the bytes of a team's memory for collectives on arrays and segments.
    long stagingBytes() {
        return stagingBytes;
    }

    /// Returns the default context of the world.
    PeContext context() {
        return context;
    }

    /// Does [coterie.World#newTeamId].
    public TeamId newId() {
        checkCaller("newTeamId");
        try {
            return formationSlots.open();
        } catch (SyncMemoryException e) {
            throw new CoterieException("newTeamId on PE " + me + ": no memory for another id: " + e.getMessage());
        }
    }

    PeRuntime runtime() {
        return runtime;
    }

    /// Does [coterie.World#formTeam].
    public Team form(TeamId id, int size, int member, TeamConfig config, Duration timeout) {
        checkCaller(OperationKind.FORM.label());
        world().gate().checkNotInUpcall(OperationKind.FORM);
        closedTeams.release();
        FormationArguments arguments =
                FormationArguments.of(id, size, member, config, timeout, me, job.size(), formationSlots.places());
        FormationSlot formationSlot = new FormationSlot(
                conduit, blockingChannel, arguments.id().root(), formationSlots.offset(arguments.id()), job.size());
        FormedMembers formedMembers = new Formation(
                        formationSlot, arguments.id(), me, job.size(), size, member, area, runtime)
                .run(config.contexts(), arguments.timeoutNanos());
        return make(arguments.id().name(), formedMembers.map(), member, formedMembers.lines(), config);
    }

    /// Does [Team#survivors].
    Team survivors(PeTeam team) {
        TeamSync teamSync = team.teamSync();
        Membership membership = teamSync.membership();
        int lines = SyncLines.count(membership.size());
        closedTeams.release();
        long offset;
        try {
            offset = area.allocate(lines);
        } catch (SyncMemoryException e) {
            offset = -1; // the agreement ends with an exception on all
        }
        boolean isMade = false;
        try {
            TeamSync.Survivors survivors = teamSync.agreeOnLiving(OperationKind.SURVIVORS, offset);
            int[] members =
                    IntStream.range(0, membership.size()).filter(survivors::has).toArray();
            long[] offsets = Arrays.stream(members).mapToLong(survivors::word).toArray();
            area.shorten(offset, lines, SyncLines.count(members.length));
            TeamMap map = TeamMap.listed(members);
            isMade = true;
            return make(
                    membership.name() + "/survivors",
                    membership.map().compose(map),
                    map.member(membership.me()),
                    SyncLines.at(offsets),
                    team.config());
        } finally {
            if (!isMade && offset >= 0) {
                area.release(offset, lines);
            }
        }
    }

    /// Throws if the world has closed, or its thread level excludes the calling thread.
    public void checkCaller(String operation) {
        world().checkAlive(operation);
        if (SuccessorThread.isForeign(confinedTo)) {
            throw new WrongThreadException(operation + " on PE " + me + ": called by " + Thread.currentThread()
                    + ", but at the thread level of this world only " + confinedTo
                    + " may call it; join at SERIALIZED or MULTIPLE");
        }
    }

    /// Does [Team#close].
    void close(PeTeam team) {
        if (team.teamSync().hasEnded()) {
            return;
        }
        checkClose(team);
        team.teamSync().close(team.calls().posts(), () -> {
            context.closeAll(team);
            team.heap().close();
            team.calls().close();
            team.forgetPeers();
        });
        closedTeams.add(team);
        synchronized (this) {
            made.remove(team);
            listed = null;
        }
    }

    /// Does [Team#destroy].
    void destroy(PeTeam team) {
        if (team.teamSync().hasEnded()) {
            return;
        }
        checkClose(team);
        TeamSync teamSync = team.teamSync();
        if (!teamSync.isPoisoned()) {
            meet(teamSync);
        }
        close(team);
        closedTeams.await(team);
    }

    /// Meets for the last time; where members have failed, or one has revoked the team, it ends without them.
    private static void meet(TeamSync teamSync) {
        try (CallGate.Passage _ = teamSync.gate().enter(OperationKind.DESTROY)) {
            teamSync.round(OperationKind.DESTROY, 0);
        } catch (PeFailedException | TeamRevokedException e) {
            return; // all that live close it
        }
    }

    private void checkClose(PeTeam team) {
        Membership membership = team.teamSync().membership();
        if (team.lines() < 0) {
            throw new IllegalStateException(
                    membership.messagePrefix("close") + "this is one of the world's own teams; it ends with the world");
        }
        if (team.calls().isBusy() || team.heap().isInUse() || context.hasPrivate(team)) {
            throw new IllegalStateException(membership.messagePrefix("close") + "PE " + membership.myPe()
                    + " has a private context of the team open, a request in progress, or a lock in the team's memory;"
                    + " the team stays valid, close the context, complete the request, or release the lock first");
        }
    }

    /// Returns a team as its implementation; throws if it is not a team of this world.
    PeTeam own(String operation, Team team) {
        if (team instanceof PeTeam mine && mine.belongsTo(this)) {
            return mine;
        }
        throw new IllegalArgumentException(operation + " on PE " + me + ": " + team + " is not a team of this world");
    }

    /// Returns whether a request in progress, of any team, uses a block of memory. Operations of failed requests
    /// are complete on return.
    public boolean use(PeMemory block) {
        if (resources.requests().get() == 0) {
            return false;
        }
        resources.engine().progress(); // detects requests that have failed
        boolean isUsed = false;
        for (PeTeam team : all()) {
            team.calls().drainFailed();
            isUsed |= team.calls().uses(block);
        }
        return isUsed;
    }

    private PeTeam[] all() {
        PeTeam[] now = listed;
        return now == null ? listAll() : now;
    }

    private synchronized PeTeam[] listAll() {
        PeTeam[] now = Stream.concat(common.values().stream(), made.stream()).toArray(PeTeam[]::new);
        listed = now;
        return now;
    }

    /// Closes the world together with all PEs; afterwards every use of a team throws.
    ///
    /// @param nextSequence gets the number of the first round of predefined teams in the next world, if all PEs
    ///     have met
    public synchronized void close(LongConsumer nextSequence) {
        long least = common.values().stream()
                .mapToLong(team -> team.teamSync().nextSequence())
                .max()
                .orElse(firstSequence);
        // After the last round a PE may use its lines for another world.
        List<PeTeam> all = new ArrayList<>(common.values());
        all.addAll(made);
        all.forEach(team -> team.calls().drain());
        boolean voids = formationSlots.slots() > 0
                || all.stream().anyMatch(team -> team.calls().isPolled());
        try {
            Runnable voiding = () -> {
                formationSlots.close();
                all.forEach(team -> team.calls().stopPolling());
            };
            world().close(new WorldTeardown(least, voids, voiding, nextSequence));
        } finally {
            // Waiters must get this PE's notifications before they learn that its world has closed.
            blockingChannel.quiet(Channel.ALL_PEERS);
            ended = true;
            all.forEach(Teams::end);
            all.forEach(team -> team.calls().close());
            made.clear();
            resources.endings().awaitAll(runtime.room());
            formationSlots.close();
        }
    }

    private static void end(PeTeam team) {
        team.teamSync().end("the world was closed");
    }
}
