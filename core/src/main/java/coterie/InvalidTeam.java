// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Request;
import java.time.Duration;
import java.util.Optional;

/// The class of [Team#INVALID], its only instance; no other code names it.
final class InvalidTeam extends InvalidCollectives implements Team {
    @Override
    public String name() {
        return "invalid";
    }

    @Override
    public boolean isValid() {
        return false;
    }

    @Override
    public int member() {
        return -1;
    }

    @Override
    public int size() {
        return -1;
    }

    @Override
    public int pe(int member) {
        return -1;
    }

    @Override
    public int[] pes() {
        return new int[0];
    }

    @Override
    public int translate(int member, Team target) {
        return -1;
    }

    @Override
    public int[] failedPes() {
        return new int[0];
    }

    @Override
    public int[] stoppedPes() {
        return new int[0];
    }

    @Override
    public boolean hasFailed(int member) {
        throw notMember("hasFailed");
    }

    @Override
    public boolean hasStopped(int member) {
        throw notMember("hasStopped");
    }

    @Override
    public SymmetricMemory allocate(long byteSize, long alignment) {
        throw notMember("allocate");
    }

    @Override
    public BarrierSet createBarriers(int keys) {
        throw notMember("createBarriers");
    }

    @Override
    public Context context() {
        return Context.INVALID;
    }

    @Override
    public void revoke() {
        throw notMember("revoke");
    }

    @Override
    public int[] syncLiving() {
        throw notMember("syncLiving");
    }

    @Override
    public Team survivors() {
        throw notMember("survivors");
    }

    @Override
    public TeamConfig config() {
        throw notMember("config");
    }

    @Override
    public Explanation explain(CollectiveType collective, long bytes) {
        throw notMember("explain");
    }

    @Override
    public Explanation explain(
            CollectiveType collective, ReductionOperator<?> reduction, ElementType elements, long bytes) {
        throw notMember("explain");
    }

    @Override
    public Context createContext(ContextOption... options) {
        return Context.INVALID;
    }

    @Override
    public Team splitStrided(int start, int stride, int size, TeamConfig config) {
        return this;
    }

    @Override
    public Axes split2D(int xSize, TeamConfig xConfig, TeamConfig yConfig) {
        return new Axes(this, this);
    }

    @Override
    public Team splitByColor(int color, int key, TeamConfig config) {
        return this;
    }

    @Override
    public Team duplicate(TeamConfig config) {
        return this;
    }

    @Override
    public TeamRequest<Team> postSplitStrided(int start, int stride, int size, TeamConfig config) {
        return new Complete<>(this);
    }

    @Override
    public TeamRequest<Axes> postSplit2D(int xSize, TeamConfig xConfig, TeamConfig yConfig) {
        return new Complete<>(new Axes(this, this));
    }

    @Override
    public TeamRequest<Team> postSplitByColor(int color, int key, TeamConfig config) {
        return new Complete<>(this);
    }

    @Override
    public TeamRequest<Team> postDuplicate(TeamConfig config) {
        return new Complete<>(this);
    }

    /// A split in which no other PE has a part.
    private record Complete<T>(T made) implements TeamRequest<T> {
        @Override
        public boolean test() {
            return true;
        }

        @Override
        public T await() {
            return made;
        }

        @Override
        public T await(Duration timeout) {
            return made;
        }
    }

    @Override
    public void close() {
        // INVALID has nothing to close
    }

    @Override
    public void destroy() {
        // INVALID has nothing to close
    }

    @Override
    public void barrier() {
        throw notMember("barrier");
    }

    @Override
    public void sync() {
        throw notMember("sync");
    }

    @Override
    public long allReduce(Reduction reduction, long value) {
        throw notMember("allReduce");
    }

    @Override
    public long allReduce(IntegerReduction reduction, long value) {
        throw notMember("allReduce");
    }

    @Override
    public double allReduce(Reduction reduction, double value) {
        throw notMember("allReduce");
    }

    @Override
    public <V extends ElementView> void allReduce(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count) {
        throw notMember("allReduce");
    }

    @Override
    public Request prepare(Collective collective) {
        throw notMember("prepare");
    }

    @Override
    public Optional<Request> tryPrepare(Collective collective) {
        throw notMember("tryPrepare");
    }

    @Override
    public <V extends ElementView> void inclusiveScan(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count) {
        throw notMember("inclusiveScan");
    }

    @Override
    public <V extends ElementView> void exclusiveScan(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count) {
        throw notMember("exclusiveScan");
    }

    @Override
    public <V extends ElementView> void reduceScatter(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count) {
        throw notMember("reduceScatter");
    }

    @Override
    public void broadcast(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        throw notMember("broadcast");
    }

    @Override
    public void allGatherV(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        throw notMember("allGatherV");
    }

    @Override
    public void allGather(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        throw notMember("allGather");
    }

    @Override
    public void allToAll(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        throw notMember("allToAll");
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
        throw notMember("allToAllStrided");
    }

    @Override
    public void run(Collective collective) {
        throw notMember("run");
    }

    @Override
    public <V extends ElementView> void reduce(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count,
            int root) {
        throw notMember("reduce");
    }

    @Override
    public <V extends ElementView> void reduceScatterV(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long[] counts,
            long[] sourceIndices) {
        throw notMember("reduceScatterV");
    }

    @Override
    public void gather(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        throw notMember("gather");
    }

    @Override
    public void gatherV(
            ElementView target,
            long[] counts,
            long[] targetIndices,
            ElementView source,
            long sourceIndex,
            long count,
            int root) {
        throw notMember("gatherV");
    }

    @Override
    public void scatter(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        throw notMember("scatter");
    }

    @Override
    public void scatterV(
            ElementView target,
            long targetIndex,
            long count,
            ElementView source,
            long[] counts,
            long[] sourceIndices,
            int root) {
        throw notMember("scatterV");
    }

    @Override
    public void allToAllV(
            ElementView target,
            long[] targetCounts,
            long[] targetIndices,
            ElementView source,
            long[] sourceCounts,
            long[] sourceIndices) {
        throw notMember("allToAllV");
    }

    @Override
    public String toString() {
        return "Team.INVALID";
    }
}
