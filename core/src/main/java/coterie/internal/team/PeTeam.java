// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.BarrierSet;
import coterie.Context;
import coterie.ContextOption;
import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamRequest;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Request;
import coterie.internal.heap.TeamHeap;
import coterie.internal.memory.Allocator.End;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeerBases;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// A handle of a team: its members, and its collectives.
final class PeTeam extends PeCollectives implements Team {
    private final Teams teams;
    private final Membership membership;
    private final TeamConfig config;
    private final TeamSync teamSync;
    private final TeamCalls calls;
    private final TeamSplits splits;

    /// Offset of this PE's lines, or −1 for one of the world's own teams.
    private final long lines;

    private final TeamHeap heap;

    private @Nullable PeerBases peerBases;
    private @Nullable PeContext context;

    /// @param end of the heap, from which the team takes its memory
    PeTeam(Teams teams, TeamSync teamSync, TeamConfig config, long lines, End end) {
        super(new TeamCalls(teamSync, teams.resources()), teamSync.membership());
        this.teams = teams;
        this.membership = teamSync.membership();
        this.config = config;
        this.teamSync = teamSync;
        this.calls = calls();
        this.splits = new TeamSplits(teams, teamSync, calls.requests());
        this.lines = lines;
        this.heap = teams.heap(teamSync, end, this::numbered);
        calls.stage(new TeamStaging(heap, membership, teams.stagingBytes()));
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
    public Team splitByColor(int color, int key, TeamConfig config) {
        return splits.make(splits.byColor(color, key), config);
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
    public TeamRequest<Team> postSplitByColor(int color, int key, TeamConfig config) {
        TeamConfig given = splits.given("postSplitByColor", "config", config);
        return splits.post(splits.byColor(color, key), given);
    }

    @Override
    public TeamRequest<Team> postDuplicate(TeamConfig config) {
        return splits.postDuplicate(splits.given("postDuplicate", "config", config));
    }

    @Override
    public void close() {
        teams.close(this);
    }

    @Override
    public void destroy() {
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
        calls.revoke();
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
        calls.barriers().barrier();
    }

    @Override
    public void sync() {
        calls.barriers().sync();
    }

    @Override
    public Explanation explain(CollectiveType collective, long bytes) {
        teamSync.checkAlive("explain");
        return calls.selector().explain(checked("explain", "collective", collective), bytes);
    }

    @Override
    public Explanation explain(
            CollectiveType collective, ReductionOperator<?> reduction, ElementType elements, long bytes) {
        teamSync.checkAlive("explain");
        checked("explain", "reduction", reduction);
        checked("explain", "elements", elements);
        return calls.selector().explain(checked("explain", "collective", collective), reduction, elements, bytes);
    }

    @Override
    public Request prepare(Collective collective) {
        return calls.requests().prepare(checked("prepare", "collective", collective));
    }

    @Override
    public Optional<Request> tryPrepare(Collective collective) {
        teamSync.checkUsable("tryPrepare");
        return calls.requests().tryPrepare(checked("tryPrepare", "collective", collective));
    }

    @Override
    public String toString() {
        return "team \"" + name() + "\" of " + membership.size() + " PEs" + teamSync.ending();
    }
}
