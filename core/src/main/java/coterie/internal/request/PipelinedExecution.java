// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.internal.component.AskedCollective;
import coterie.internal.p2p.PlanTask;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.Pipeline;
import coterie.internal.schedule.PipelineParameters;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.schedule.Schedule;
import coterie.internal.schedule.Task;
import coterie.internal.schedule.TaskDescription;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A collective of long vectors, fragment by fragment, several at a time.
///
/// ```
///  fragment 0   part 0 ── part 1 ── part 2       numbers 0 1 2
///  fragment 1        part 0 ── part 1 ── part 2          3 4 5
///  fragment 2               part 0 ── …                  6 …
/// ```
///
/// Each part of each fragment is a run of the team's port with a number of its own. What comes before it in a
/// chain, or on its lane, or by the order of the fragments, has a lower number: so nothing waits in a circle,
/// whichever member is how far.
final class PipelinedExecution implements Execution {
    private final Fragmentation fragmentation;
    private final int count;

    /// Elements of the vector.
    private final long units;

    private final Pipeline pipeline;
    private int parts;
    private long scratchBytes;

    /// For each schedule, how many come before it.
    private final IdentityHashMap<Schedule, Integer> places = new IdentityHashMap<>();

    private long number;
    private @Nullable BooleanSupplier condition;
    private long source;
    private long target;
    private long scratch;

    /// What it is made of.
    ///
    /// @param bytes of the vector
    /// @param width bytes of an element
    /// @param plans of a fragment of so many bytes
    /// @param tasks of a part of a fragment, by its plan
    record Fragmentation(
            PipelineParameters pipelineParameters,
            long bytes,
            int width,
            Function<Long, Plan> plans,
            Function<Plan, PlanTask> tasks) {

        /// How many fragments there are.
        int fragments() {
            return (int) Math.min(pipelineParameters.fragments(bytes), bytes / width);
        }
    }

    /// @param description of the whole
    PipelinedExecution(
            ProgressEngine engine, TaskDescription description, Persistence persistence, Fragmentation fragmentation) {
        this.fragmentation = fragmentation;
        this.count = fragmentation.fragments();
        this.units = fragmentation.bytes / fragmentation.width;
        PipelineParameters how = fragmentation.pipelineParameters;
        this.pipeline = new Pipeline(
                engine,
                description,
                persistence,
                count,
                how.depth(count),
                how.order(),
                place -> schedule(engine, description, place),
                this::setUp);
    }

    /// The plan of a fragment of so many bytes; an algorithm that serves the whole serves parts of it.
    static Plan plan(Algorithm algorithm, AskedCollective asked, long bytes) {
        CollectiveShape whole = asked.shape();
        BlockLayout vector = new BlockLayout.Even(1, bytes);
        CollectiveShape fragment = whole.with(
                whole.type(),
                whole.source().count() == 0 ? whole.source() : vector,
                whole.target().count() == 0 ? whole.target() : vector);
        Plan plan = algorithm.plan(fragment).orElseThrow();
        return asked.part(fragment, asked.from(), asked.to()).finished(plan);
    }

    private Schedule schedule(ProgressEngine engine, TaskDescription description, int place) {
        long least = units / count * fragmentation.width;
        Plan longer = fragmentation.plans.apply(units % count == 0 ? least : least + fragmentation.width);
        List<Plan> first = longer.phases();
        List<Plan> second = fragmentation.plans.apply(least).phases();
        parts = first.size();
        scratchBytes = longer.scratchBytes();
        List<PlanTask> chain = IntStream.range(0, parts)
                .mapToObj(part -> fragmentation.tasks.apply(first.get(part)).or(second.get(part)))
                .toList();
        Schedule made = new Schedule(engine, description.part("fragments " + place), Persistence.PERSISTENT, chain);
        places.put(made, place);
        return made;
    }

    private void setUp(Schedule schedule, int fragment) {
        long begin = PipelineParameters.begin(units, count, fragment) * fragmentation.width;
        long lent = scratch + places.getOrDefault(schedule, 0) * scratchBytes;
        boolean isLonger = fragment < units % count || units % count == 0;
        for (int part = 0; part < parts; part++) {
            ((PlanTask) schedule.part(part))
                    .follow(isLonger)
                    .queue(
                            number + (long) fragment * parts + part,
                            part == 0 ? condition : null,
                            source + begin,
                            target + begin,
                            lent);
        }
    }

    @Override
    public Task task() {
        return pipeline;
    }

    @Override
    public int numbers() {
        return count * parts;
    }

    @Override
    public long scratchBytes() {
        return fragmentation.pipelineParameters.depth(count) * scratchBytes;
    }

    @Override
    public void set(long first, @Nullable BooleanSupplier when, long from, long to, long lent) {
        number = first;
        condition = when;
        source = from;
        target = to;
        scratch = lent;
    }
}
