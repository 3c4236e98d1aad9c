// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.BarrierSet;
import coterie.Context;
import coterie.ContextOption;
import coterie.ElementType;
import coterie.ElementView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamRequest;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Request;
import coterie.internal.collective.Barriers;
import coterie.internal.collective.DataCollectives;
import coterie.internal.collective.ScalarReductions;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.CollectiveResources;
import coterie.internal.heap.TeamHeap;
import coterie.internal.memory.Allocator.End;
import coterie.internal.p2p.TeamPort;
import coterie.internal.request.Requests;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.rma.PeerBases;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.sync.TeamTeardown;
import coterie.internal.wait.OperationKind;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// A handle of a team: its members, and its collectives.
final class PeTeam implements Team {
    private final Teams teams;
    private final Membership membership;
    private final TeamConfig config;
    private final TeamSync teamSync;
    private final TeamPort port;
    private final AlgorithmSelector selector;
    private final Barriers barriers;
    private final Requests requests;
    private final TeamSplits splits;

    /// Offset of this PE's lines, or −1 for one of the world's own teams.
    private final long lines;

    private final TeamHeap heap;

    /// Made by the first call that needs them: many teams do no more than barriers.
    private volatile @Nullable DataCollectives data;

    private volatile @Nullable ScalarReductions scalars;

    private @Nullable PeerBases peerBases;
    private @Nullable PeContext context;

    /// @param end of the heap, from which the team takes its memory
    PeTeam(Teams teams, TeamSync teamSync, TeamConfig config, long lines, End end) {
        this.teams = teams;
        this.membership = teamSync.membership();
        this.config = config;
        this.teamSync = teamSync;
        CollectiveResources resources = teams.resources();
        this.port = resources.port(teamSync);
        this.selector = new AlgorithmSelector(teamSync, resources, port);
        this.barriers = new Barriers(teamSync, selector, this::data);
        this.requests = new Requests(teamSync, resources, port, selector);
        this.splits = new TeamSplits(teams, teamSync, requests);
        this.lines = lines;
        this.heap = teams.heap(teamSync, end, this::numbered);
    }

    TeamSync teamSync() {
        return teamSync;
    }

    boolean belongsTo(Teams owner) {
        return teams == owner;
    }

    /// Returns the offset of this PE's lines in its [SyncArea], or −1 for one of the world's own teams.
    long lines() {
        return lines;
    }

    @Override
    public String name() {
        return membership.name();
    }

    @Override
    public boolean isValid() {
        return !teamSync.hasEnded();
    }

    @Override
    public int member() {
        teamSync.checkAlive("member");
        return membership.me();
    }

    @Override
    public int size() {
        teamSync.checkAlive("size");
        return membership.size();
    }

    @Override
    public int pe(int member) {
        return pe("pe", member);
    }

    private int pe(String operation, int member) {
        teamSync.checkAlive(operation);
        if (member < 0 || member >= membership.size()) {
            throw new IndexOutOfBoundsException(membership.messagePrefix(operation) + "member " + member
                    + " is outside [0, " + membership.size() + ")");
        }
        return membership.pe(member);
    }

    @Override
    public int[] pes() {
        teamSync.checkAlive("pes");
        int[] pes = new int[membership.size()];
        Arrays.setAll(pes, membership::pe);
        return pes;
    }

    @Override
    public int translate(int member, Team target) {
        teamSync.checkAlive("translate");
        if (checked("translate", "target", target).equals(Team.INVALID)) {
            return -1;
        }
        PeTeam other = teams.own("translate", target);
        other.teamSync.checkAlive("translate");
        return member < 0 || member >= membership.size()
                ? -1
                : other.membership.map().member(membership.pe(member));
    }

    @Override
    public TeamConfig config() {
        teamSync.checkAlive("config");
        return config;
    }

    @Override
    public Context createContext(ContextOption... options) {
        teamSync.checkAlive("createContext");
        return teamSync.context().create(this, peerBases(), options);
    }

    @Override
    public Context context() {
        teamSync.checkAlive("context");
        return numbered();
    }

    /// Returns the default context with this team's numbers.
    private synchronized PeContext numbered() {
        if (context == null) {
            PeContext world = teamSync.context();
            context = heap.teamName() == null ? world : world.numbered(this, peerBases());
        }
        return context;
    }

    /// Returns the team's symmetric memory.
    TeamHeap heap() {
        return heap;
    }

    @Override
    public SymmetricMemory allocate(long byteSize, long alignment) {
        return heap.allocate(byteSize, alignment);
    }

    @Override
    public BarrierSet createBarriers(int keys) {
        if (keys < 1) {
            throw new IllegalArgumentException(
                    membership.messagePrefix("createBarriers") + keys + " keys; allowed are 1 and more");
        }
        teamSync.checkUsable("createBarriers");
        return new PeBarrierSet(
                this, teams.runtime().room(), PeBarrierSet.allocate(heap, keys, membership.size()), keys);
    }

    private synchronized PeerBases peerBases() {
        if (peerBases == null) {
            peerBases = teamSync.context().peerBases().of(pes());
        }
        return peerBases;
    }

    private DataCollectives data() {
        DataCollectives made = data;
        return made == null ? makeData() : made;
    }

    private synchronized DataCollectives makeData() {
        DataCollectives made = data;
        if (made == null) {
            made = new DataCollectives(teamSync, teams.resources(), port, selector);
            data = made;
        }
        return made;
    }

    private ScalarReductions scalars() {
        ScalarReductions made = scalars;
        return made == null ? makeScalars() : made;
    }

    private synchronized ScalarReductions makeScalars() {
        ScalarReductions made = scalars;
        if (made == null) {
            made = new ScalarReductions(teamSync, selector, this::data);
            scalars = made;
        }
        return made;
    }

    /// Returns whether requests are in progress.
    boolean isBusy() {
        return requests.isBusy();
    }

    /// Returns whether a request in progress uses a block of memory.
    boolean uses(PeMemory block) {
        return requests.use(block);
    }

    /// Completes the operations of the team's collectives, and notifies members that wait for this PE.
    void drainCollectives() {
        requests.drain();
    }

    /// Returns whether members may notify each other of requests that this PE will never post.
    boolean isPolled() {
        return port.isOpen();
    }

    /// Stops polling for requests; no member waits for one any more.
    void stopPolling() {
        port.stopPolling();
    }

    /// Completes the operations of failed requests.
    void drainFailed() {
        if (port.failure(OperationKind.FREE.label()) != null) {
            port.drain();
        }
    }

    /// Returns the steps of the team's teardown.
    ///
    /// @param isBusy whether requests are in progress, so that this PE objects to the teardown
    TeamTeardown.Teardown teardown(boolean isBusy) {
        return requests.teardown(isBusy);
    }

    /// Releases the memory of the team's collectives; see [DataCollectives#close].
    void closeCollectives(boolean isQuiet) {
        boolean isOver = requests.close(isQuiet);
        DataCollectives made = data;
        if (made != null) {
            made.close(isQuiet, isOver);
        }
        selector.close();
    }

    /// Releases the addresses that the team's contexts share.
    synchronized void forgetPeers() {
        if (peerBases != null) {
            teamSync.context().peerBases().forget(peerBases);
        }
    }

    @Override
    public Team splitStrided(int start, int stride, int size, TeamConfig config) {
        return splits.make(splits.strided(start, stride, size), config);
    }

    @Override
    public Axes split2D(int xSize, TeamConfig xConfig, TeamConfig yConfig) {
        return axes(splits.make(splits.grid(xSize), Arrays.asList(xConfig, yConfig)));
    }

    private static Axes axes(List<Team> both) {
        return new Axes(both.get(0), both.get(1));
    }

    @Override
    public Team splitByColour(int colour, int key, TeamConfig config) {
        return splits.make(splits.byColour(colour, key), config);
    }

    @Override
    public Team duplicate(TeamConfig config) {
        return splits.duplicate(config);
    }

    @Override
    public TeamRequest<Team> postSplitStrided(int start, int stride, int size, TeamConfig config) {
        TeamConfig given = splits.given("postSplitStrided", "config", config);
        return splits.post(splits.strided(start, stride, size), given);
    }

    @Override
    public TeamRequest<Axes> postSplit2D(int xSize, TeamConfig xConfig, TeamConfig yConfig) {
        TeamConfig x = splits.given("postSplit2D", "config of x", xConfig);
        TeamConfig y = splits.given("postSplit2D", "config of y", yConfig);
        return splits.post(splits.grid(xSize), Arrays.asList(x, y), PeTeam::axes);
    }

    @Override
    public TeamRequest<Team> postSplitByColour(int colour, int key, TeamConfig config) {
        TeamConfig given = splits.given("postSplitByColour", "config", config);
        return splits.post(splits.byColour(colour, key), given);
    }

    @Override
    public TeamRequest<Team> postDuplicate(TeamConfig config) {
        return splits.postDuplicate(splits.given("postDuplicate", "config", config));
    }

    @Override
    public void close() {
        teams.destroy(this);
    }

    @Override
    public int[] failedPes() {
        teamSync.checkAlive("failedPes");
        return otherPes(teams.runtime()::hasFailed);
    }

    @Override
    public int[] stoppedPes() {
        teamSync.checkAlive("stoppedPes");
        return otherPes(teams.runtime()::hasStopped);
    }

    @Override
    public boolean hasFailed(int member) {
        return teams.runtime().hasFailed(pe("hasFailed", member));
    }

    @Override
    public boolean hasStopped(int member) {
        return teams.runtime().hasStopped(pe("hasStopped", member));
    }

    private int[] otherPes(IntPredicate isWanted) {
        return Arrays.stream(pes())
                .filter(pe -> pe != membership.myPe() && isWanted.test(pe))
                .sorted()
                .toArray();
    }

    @Override
    public void revoke() {
        teamSync.checkAlive("revoke");
        teamSync.revoke();
        port.revoke();
    }

    @Override
    public int[] syncLiving() {
        return teamSync.syncLiving();
    }

    @Override
    public Team survivors() {
        return teams.survivors(this);
    }

    @Override
    public void barrier() {
        barriers.barrier();
    }

    @Override
    public void sync() {
        barriers.sync();
    }

    @Override
    public Explanation explain(CollectiveType collective, long bytes) {
        teamSync.checkAlive("explain");
        return selector.explain(checked("explain", "collective", collective), bytes);
    }

    @Override
    public Explanation explain(CollectiveType collective, Reduction reduction, ElementType elements, long bytes) {
        teamSync.checkAlive("explain");
        checked("explain", "reduction", reduction);
        checked("explain", "elements", elements);
        return selector.explain(checked("explain", "collective", collective), reduction, elements, bytes);
    }

    @Override
    public Request prepare(Collective collective) {
        return requests.prepare(checked("prepare", "collective", collective));
    }

    @Override
    public Optional<Request> tryPrepare(Collective collective) {
        teamSync.checkUsable("tryPrepare");
        return requests.tryPrepare(checked("tryPrepare", "collective", collective));
    }

    private <T> T checked(String operation, String name, @Nullable T argument) {
        if (argument == null) {
            throw new NullPointerException(membership.messagePrefix(operation) + name + " is null");
        }
        return argument;
    }

    @Override
    public long allReduce(Reduction reduction, long value) {
        return scalars().reduce(reduction, value);
    }

    @Override
    public double allReduce(Reduction reduction, double value) {
        return scalars().reduce(reduction, value);
    }

    @Override
    public void allReduce(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        data().reduce(OperationKind.ALL_REDUCE, reduction, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public void inclusiveScan(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        data().reduce(OperationKind.INCLUSIVE_SCAN, reduction, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public void exclusiveScan(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        data().reduce(OperationKind.EXCLUSIVE_SCAN, reduction, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public void reduceScatter(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        data().reduce(OperationKind.REDUCE_SCATTER, reduction, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public void broadcast(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        data().broadcast(target, targetIndex, source, sourceIndex, count, root);
    }

    @Override
    public void allGatherV(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        data().move(OperationKind.ALL_GATHER_V, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public void allGather(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        data().move(OperationKind.ALL_GATHER, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public void allToAll(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        data().move(OperationKind.ALL_TO_ALL, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public void allToAllStrided(
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count) {
        data().allToAllStrided(target, targetIndex, targetStride, source, sourceIndex, sourceStride, blockLength, count);
    }

    @Override
    public String toString() {
        return "team \"" + name() + "\" of " + membership.size() + " PEs" + teamSync.ending();
    }
}
