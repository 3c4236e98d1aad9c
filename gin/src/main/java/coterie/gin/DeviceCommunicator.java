// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.IntegerView;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.spi.FaceSupport;
import coterie.spi.ProgressHook;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What GIN needs of a team of PEs: contexts with signals and counters, windows, barriers. The members of the team
/// are the *ranks* of the communicator.
///
/// A team may have any number of communicators; their signals, contexts and windows are their own. [#create],
/// [#registerWindow], [Window#deregister] and [#destroy] are collective; all else is local.
///
/// Once it is closed, its numbers and teams can still be asked for; all else throws an [IllegalStateException] that
/// says so, also on its contexts, windows and barrier sessions.
///
/// Threads: any, at [coterie.ThreadLevel#MULTIPLE]; at lower levels the thread that joined. In kernels of a
/// [coterie.stream.StreamRuntime] at MULTIPLE alone.
/// @counterpart `ncclDevComm`
public final class DeviceCommunicator implements AutoCloseable {
    private final World world;
    private final Team team;
    private final CommunicatorRequirements requirements;
    private final ConnectionType connectionType;
    private final int rank;
    private final int lsaSize;
    private final Layout layout;
    private final CommunicatorMemory memory;
    private final IntegerView words;
    private final FirstUseSites sites;
    private final GinContext[] contexts;
    private final boolean[] direct;
    private final boolean isDistributed;
    private final GinChecks checks;
    private final Windows windows;

    // What #open makes, before the program has the communicator.
    private @Nullable Window resourceWindow;
    private ProgressHook.@Nullable Registration hook;

    private volatile @Nullable Throwable failure;
    private volatile boolean isClosed;

    private DeviceCommunicator(
            World world,
            Team team,
            CommunicatorRequirements requirements,
            int lsaSize,
            Layout layout,
            CommunicatorMemory memory) {
        this.world = world;
        this.team = team;
        this.rank = team.member();
        this.requirements = requirements;
        this.connectionType = RequirementFields.connectionType(requirements);
        this.lsaSize = lsaSize;
        this.layout = layout;
        this.memory = memory;
        this.words = memory.words().longs().unsigned().through(team.context());
        this.sites = new FirstUseSites(words, layout.sites());
        this.direct = new boolean[team.size()];
        boolean all = true;
        for (int member = 0; member < direct.length; member++) {
            direct[member] = team.context().isDirect(member);
            all &= direct[member];
        }
        this.isDistributed = !all;
        this.contexts = new GinContext[layout.contexts];
        this.checks = new GinChecks(this, requirements);
        this.windows = new Windows(this, words);
    }

    /// Makes what the communicator has beside its memory. It may throw halfway; then [#release] gives back all.
    private void open() {
        Arrays.setAll(contexts, context -> new GinContext(this, context, memory.words()));
        hook = isDistributed ? FaceSupport.of(world).addProgress(new GinAgent(this)) : null;
        SymmetricMemory resources = memory.resources();
        if (resources != null) {
            resourceWindow = windows.register(resources, 0, resources.byteSize(), Set.of(WindowFlag.STRICT_ORDERING));
        }
    }

    /// Gives back what there is.
    ///
    /// @param end of the memory
    private void release(Runnable end) {
        isClosed = true;
        if (hook != null) {
            hook.close();
        }
        windows.end();
        try {
            end.run();
        } finally {
            for (GinContext context : contexts) {
                if (context != null) {
                    context.context.close();
                }
            }
        }
    }

    /// Makes a communicator of all PEs; see [#create(World, Team, CommunicatorRequirements)].
    public static DeviceCommunicator create(World world, CommunicatorRequirements requirements) {
        Objects.requireNonNull(world, "DeviceCommunicator.create: world is null");
        return create(world, world.team(), requirements);
    }

    /// Makes a communicator of a team's members; the rank of each is its number in the team.
    ///
    /// **Collective** over the team, agreeing: all members get a communicator, or the same exception.
    /// @counterpart `ncclDevCommCreate`
    /// @param requirements the same on all members; a resource requirement is the same if it asks for the same
    /// @throws GinException with [GinError#UNSUPPORTED], which names the field and the rank
    /// @throws coterie.CollectiveMismatchException if a field differs, with its values
    /// @throws coterie.SymmetricMemoryException if a member has no memory for it; whatever the create had made has
    ///     been given back, on all members
    public static DeviceCommunicator create(World world, Team team, CommunicatorRequirements requirements) {
        Objects.requireNonNull(world, "DeviceCommunicator.create: world is null");
        Objects.requireNonNull(team, "DeviceCommunicator.create: team is null");
        Objects.requireNonNull(requirements, "DeviceCommunicator.create: requirements is null");
        String where = "create of a communicator of team \"" + team.name() + "\" on rank " + team.member();
        int lsaSize = Topology.agree(where, world, team, requirements);
        Layout layout = new Layout(requirements, team.size(), lsaSize);
        CommunicatorMemory memory = CommunicatorMemory.allocate(team, layout);
        DeviceCommunicator made = null;
        try {
            made = new DeviceCommunicator(world, team, requirements, lsaSize, layout, memory);
            made.open();
            return made;
        } catch (Throwable e) {
            if (made == null) {
                memory.close();
            } else {
                made.release(memory::close);
            }
            throw e;
        }
    }

    /// Returns the caller's rank.
    /// @counterpart `ncclDevComm::rank`, `rank` of `ncclCommQueryProperties`
    public int rank() {
        return rank;
    }

    /// Returns the number of ranks.
    /// @counterpart `ncclDevComm::nRanks`, `nRanks` of `ncclCommQueryProperties`
    public int size() {
        return direct.length;
    }

    /// Returns the number of ranks of an LSA team.
    /// @counterpart `ncclDevComm::lsaSize`, `nLsaTeams` of `ncclCommQueryProperties`
    public int lsaSize() {
        return lsaSize;
    }

    /// Returns the number of contexts, which may be more than the requirements ask for; 0 without connections.
    /// @counterpart `ncclDevComm::ginContextCount`
    public int contextCount() {
        return connectionType == ConnectionType.NONE ? 0 : layout.contexts;
    }

    /// Returns the number of connections, among which the contexts are dealt.
    /// @counterpart `ncclDevComm::ginConnectionCount`, `ncclGin::nConnections`
    public int connectionCount() {
        return connectionType == ConnectionType.NONE ? 0 : requirements.connections;
    }

    /// Returns which ranks operations reach.
    /// @counterpart `ginType`, `railedGinType` of `ncclCommQueryProperties`; GIN works on every conduit
    public ConnectionType connectionType() {
        return connectionType;
    }

    /// Returns the number of signals of each context, those of resources included.
    /// @counterpart `ncclDevComm::ginSignalCount`
    public int signalCount() {
        return layout.namedSignals;
    }

    /// Returns the number of counters of each context, those of resources included.
    /// @counterpart `ncclDevComm::ginCounterCount`
    public int counterCount() {
        return layout.counters;
    }

    /// Returns how many operations of a context may be under way towards a peer that is not direct.
    /// @counterpart `ginQueueDepth`
    public int queueDepth() {
        return requirements.queueDepth == 0 ? GinPeerQueue.DEFAULT_DEPTH : requirements.queueDepth;
    }

    /// Returns what a requirement has got.
    /// @counterpart the out-pointers of a resource requirement
    /// @param requirement the object that was passed to [CommunicatorRequirements#withResource]
    /// @throws IllegalArgumentException if it was not
    public Resources resources(ResourceRequirement requirement) {
        checks.checkNotNull("resources", "requirement", requirement);
        return layout.resources(requirement, this);
    }

    /// Returns the window of the memory of all resource requirements.
    /// @counterpart `ncclDevComm::resourceWindow`
    /// @throws IllegalStateException if no requirement has asked for memory
    public Window resourceWindow() {
        checkOpen("resourceWindow");
        if (resourceWindow == null) {
            throw new IllegalStateException("resourceWindow of " + this + ": no requirement has asked for memory");
        }
        return resourceWindow;
    }

    /// Makes a window of a whole block, without flags; see
    /// [#registerWindow(SymmetricMemory, long, long, WindowFlag...)].
    public Window registerWindow(SymmetricMemory block, WindowFlag... flags) {
        checks.checkNotNull("registerWindow", "block", block);
        return registerWindow(block, 0, block.byteSize(), flags);
    }

    /// Makes a window of a part of a block.
    ///
    /// **Collective**, agreeing. NCCL asks for a begin at a multiple of 4096.
    /// @counterpart `ncclCommWindowRegister`; any begin, and an exception in place of a null window
    /// @param block the same on all ranks: of the communicator's team, or of one that has its members, such as the
    ///     world's. The program frees it after the window
    /// @param byteOffset where the window begins in the block, which may differ from rank to rank
    /// @param byteSize bytes of the window, which may differ, too; the range is in the block
    /// @param flags the same on all ranks
    /// @throws coterie.CollectiveMismatchException if the flags differ
    /// @throws IndexOutOfBoundsException on all ranks, if one passes a range outside the block
    public Window registerWindow(SymmetricMemory block, long byteOffset, long byteSize, WindowFlag... flags) {
        checks.checkNotNull("registerWindow", "block", block);
        checkOpen("registerWindow");
        return windows.register(block, byteOffset, byteSize, checks.flags("registerWindow", flags));
    }

    /// Returns the object for operations of a context. It is a value: make as many as convenient.
    /// @counterpart `ncclGin(comm, contextIndex)`
    /// @param context in `[0, contextCount())`
    /// @throws GinException with [GinError#NOT_CONNECTED] without connections
    public Gin gin(int context) {
        checkOpen("gin");
        if (connectionType == ConnectionType.NONE) {
            throw new GinException(
                    GinError.NOT_CONNECTED,
                    "gin on " + this + ": ginConnectionType is NONE; ask for FULL or RAIL in the requirements");
        }
        if (context < 0 || context >= layout.contexts) {
            throw new IndexOutOfBoundsException(
                    "gin on " + this + ": context " + context + "; allowed are [0, " + layout.contexts + ")");
        }
        return contexts[context].gin();
    }

    /// Returns all contexts, for barriers that fence the operations of all of them.
    /// @counterpart `ncclGinAllContexts`
    public AllContexts allContexts() {
        return new AllContexts(gin(0));
    }

    /// Returns the team of all ranks.
    /// @counterpart `ncclTeamWorld`
    public AffineTeam worldTeam() {
        return new AffineTeam(size(), rank(), 1, rank());
    }

    /// Returns the ranks around the caller that load and store each other's memory: the largest groups of
    /// neighbours of one size that do so.
    /// @counterpart `ncclTeamLsa`
    public AffineTeam lsaTeam() {
        return new AffineTeam(lsaSize, rank() % lsaSize, 1, rank());
    }

    /// Returns the ranks with the caller's number in their LSA teams.
    /// @counterpart `ncclTeamRail`
    public AffineTeam railTeam() {
        return new AffineTeam(size() / lsaSize, rank() / lsaSize, lsaSize, rank());
    }

    /// Returns a team of Coterie as a team of operations.
    ///
    /// @param members the caller among them, all of the communicator's team
    /// @throws IllegalArgumentException otherwise
    public ListedTeam team(Team members) {
        return RankNumbers.team(this, members);
    }

    /// Returns the rank of a team's member in this communicator.
    /// @counterpart `ncclTeamRankToWorld`; a rank that is not there throws
    /// @param member in `[0, members.size())`
    public int rankToWorld(GinTeam members, int member) {
        return checks.toRank("rankToWorld", "members", members, member);
    }

    /// Returns the number of a team's member in the caller's LSA team.
    /// @counterpart `ncclTeamRankToLsa`; a rank that is not there throws
    /// @throws IllegalArgumentException if it is not in the LSA team; NCCL returns any number
    public int rankToLsa(GinTeam members, int member) {
        return RankNumbers.toTeam(this, "rankToLsa", lsaTeam(), members, member);
    }

    /// Returns the number that a member of one team has in another.
    /// @counterpart `ncclTeamRankToTeam`; a rank that is not there throws
    /// @throws IllegalArgumentException if it has none there; NCCL returns any number
    public int rankToTeam(GinTeam target, GinTeam members, int member) {
        return RankNumbers.toTeam(this, "rankToTeam", target, members, member);
    }

    /// Returns whether a member of one team is in another.
    /// @counterpart `ncclTeamRankIsMember`
    public boolean isMember(GinTeam target, GinTeam members, int member) {
        int rank = checks.toRank("isMember", "members", members, member);
        checks.checkOwner("isMember", "target", target);
        return target.fromCommunicator(rank) >= 0;
    }

    /// Returns the number in `parent` of its `index`-th member that is not in `subset`.
    /// @counterpart `ncclTeamRankInDifference`
    /// @param index in `[0, n)`, where n members of the parent are not in the subset
    public int rankInDifference(GinTeam parent, GinTeam subset, int index) {
        return RankNumbers.inDifference(this, parent, subset, index);
    }

    /// Returns a barrier of the LSA team.
    /// @counterpart `ncclLsaBarrierSession`
    /// @param index of the barrier, in `[0, lsaBarrierCount + barrierCount)` of the requirements
    public BarrierSession lsaBarrier(int index) {
        checkOpen("lsaBarrier");
        return BarrierSessions.of(contexts[0].gin(), "LSA", lsaTeam(), layout.lsa, index);
    }

    /// Returns a barrier of the caller's rail.
    /// @counterpart `ncclGinBarrierSession` with `ncclTeamTagRail`
    /// @param scope the context, or [#allContexts]
    /// @param index of the barrier, in `[0, railGinBarrierCount + barrierCount)`, another one for each group of
    ///     threads
    public BarrierSession railBarrier(BarrierScope scope, int index) {
        BarrierSessions.checkScope(this, "railBarrier", scope);
        return BarrierSessions.of(scope, "rail", railTeam(), layout.rail, index);
    }

    /// Returns a barrier of all ranks.
    /// @counterpart `ncclGinBarrierSession` with `ncclTeamTagWorld`
    /// @param index of the barrier, in `[0, worldGinBarrierCount + barrierCount)`
    public BarrierSession worldBarrier(BarrierScope scope, int index) {
        BarrierSessions.checkScope(this, "worldBarrier", scope);
        return BarrierSessions.of(scope, "world", worldTeam(), layout.world, index);
    }

    /// Returns a barrier of any team, with signals from a [ResourceRequirement#barriers].
    /// @counterpart `ncclGinBarrierSession` with a team and a handle
    /// @param members the same ranks on all of them
    /// @param handle [#resources] of the requirement
    /// @param index of the barrier, in `[0, n)`, where n barriers of this team's size fit the handle
    public BarrierSession barrier(BarrierScope scope, GinTeam members, Resources handle, int index) {
        return BarrierSessions.barrier(this, scope, members, handle, index);
    }

    /// Returns a barrier of all ranks in two stages: the LSA team's, then the rail's, so that a rank sends
    /// `lsaSize() + size() / lsaSize()` signals or so in place of `size()`. If it has to fence puts, and these may
    /// go off the rail, it is the world's barrier instead; [BarrierSession#signals] tells.
    /// @counterpart `ncclBarrierSession` with `ncclTeamTagWorld`
    /// @param index of the barrier, in `[0, barrierCount)`
    public BarrierSession hybridBarrier(BarrierScope scope, int index) {
        BarrierSessions.checkScope(this, "hybridBarrier", scope);
        return BarrierSessions.hybrid(scope, requirements.hybridBarriers, index);
    }

    /// Returns a barrier in two stages: of an inner team, then of an outer one. Its fence covers puts along the
    /// outer team alone.
    /// @counterpart `ncclBarrierSession` with two teams and two handles
    /// @param inner such as [#lsaTeam]
    /// @param outer such as [#railTeam]; each rank has one member of each inner team in it
    public BarrierSession hybridBarrier(
            BarrierScope scope, GinTeam inner, Resources innerHandle, GinTeam outer, Resources outerHandle, int index) {
        return BarrierSessions.hybrid(this, scope, inner, innerHandle, outer, outerHandle, index);
    }

    /// Ends the caller's use of the communicator and its windows, and waits for no rank: it completes the caller's own
    /// operations, and tells the others that the caller arrives no more at the communicator's barriers. They may go
    /// on with what needs no call of the caller, also with its signals. The memory of the communicator is used
    /// again when all ranks have closed it. A second close does nothing.
    ///
    /// @throws coterie.WaitTimeoutException if the caller's operations are not complete at the timeout;
    ///     the communicator has ended all the same
    @Override
    public void close() {
        if (!isClosed) {
            try {
                quiet();
                BarrierSessions.leave(this);
            } finally {
                release(memory::close);
            }
        }
    }

    /// Ends the communicator and its windows on all ranks, after all that the caller has under way is complete: on
    /// return its memory is free.
    ///
    /// **Collective**.
    /// @counterpart `ncclDevCommDestroy`
    /// @throws PeFailedException if a rank has failed; the communicator has ended all the same
    public void destroy() {
        checkOpen("destroy");
        quiet();
        release(memory::free);
    }

    private void quiet() {
        for (GinContext context : contexts) {
            context.gin().quiet();
        }
    }

    /// The agent has failed: waits throw the cause.
    void fail(@Nullable Throwable cause) {
        failure = cause;
    }

    Windows windows() {
        return windows;
    }

    Duration timeout() {
        return requirements.timeout;
    }

    /// Throws if the agent of the communicator has failed.
    void checkAlive() {
        Throwable cause = failure;
        if (cause != null) {
            throw new GinException(GinError.FAILED, "operations of " + this + " have failed: " + cause, cause);
        }
    }

    void checkOpen(String operation) {
        if (isClosed) {
            throw new IllegalStateException(operation + " on " + this + ": the communicator is closed");
        }
    }

    GinChecks checks() {
        return checks;
    }

    boolean checksSignals() {
        return requirements.checks == SignalChecks.ON;
    }

    World world() {
        return world;
    }

    Team coterieTeam() {
        return team;
    }

    Layout layout() {
        return layout;
    }

    FirstUseSites sites() {
        return sites;
    }

    GinContext context(int index) {
        return contexts[index];
    }

    boolean isDirect(int rank) {
        return direct[rank];
    }

    /// Returns whether some rank is not direct.
    boolean isDistributed() {
        return isDistributed;
    }

    IntegerView words() {
        return words;
    }

    @Override
    public String toString() {
        return "communicator \"" + team.name() + "\", rank " + rank() + " of " + size();
    }
}
