// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.memory.StatusLabel;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// A task that runs a schedule once for each fragment of the data, several at a time.
///
/// As many schedules are made from the template as may run at a time. Each takes the next fragment when it has
/// completed one, so that fragments start in order of their numbers. The [FragmentOrder] decides, part by part,
/// when a fragment may start before the earlier one has completed:
///
/// ```
///             PARALLEL          ORDERED: s after s        SEQUENTIAL: s after c
///  fragment 0 s──a──c s──b──c   s──a──c s──b──c           s──a──c s──b──c
///  fragment 1 s──a──c s──b──c    s──a──c s──b──c                  s──a──c s──b──c      s starts, c completes
/// ```
///
/// The first failure of a fragment is the pipeline's; fragments under way fail too, and no other starts.
public final class Pipeline extends CompositeTask {
    private final int count;
    private final FragmentOrder order;
    private final FragmentSetup setup;
    private final FragmentRun[] fragmentRuns;

    /// The numbers of fragments that have started, and completed, each part: since no order lets a part of one
    /// fragment overtake, these are the fragments before the next.
    private final int[] started;

    private final int[] completed;
    private int next;
    private int over;

    /// Makes the schedules that it needs.
    ///
    /// @param count fragments, at least 1
    /// @param depth how many run at a time, at least 1; at most `count` are made
    /// @param template makes a schedule, for a number from 0 on; each time with the same parts
    public Pipeline(
            ProgressEngine engine,
            TaskDescription description,
            Persistence persistence,
            int count,
            int depth,
            FragmentOrder order,
            IntFunction<Schedule> template,
            FragmentSetup setup) {
        super(engine, description, persistence);
        if (count < 1 || depth < 1) {
            throw new IllegalArgumentException(
                    describe() + ": " + count + " fragments at depth " + depth + "; both must be at least 1");
        }
        this.count = count;
        this.order = order;
        this.setup = setup;
        this.fragmentRuns = new FragmentRun[Math.min(count, depth)];
        for (int lane = 0; lane < fragmentRuns.length; lane++) {
            fragmentRuns[lane] = new FragmentRun(template.apply(lane));
        }
        int parts = fragmentRuns[0].schedule.size();
        for (FragmentRun fragmentRun : fragmentRuns) {
            if (fragmentRun.schedule.size() != parts) {
                throw new IllegalArgumentException(describe() + ": its template made schedules of " + parts + " and of "
                        + fragmentRun.schedule.size() + " parts; all must have the same number");
            }
            fragmentRun.schedule.adoptBy(this);
            fragmentRun.schedule.gate(fragmentRun);
        }
        this.started = new int[parts];
        this.completed = new int[parts];
    }

    /// A schedule and the fragment that it runs.
    private final class FragmentRun implements StartPolicy {
        final Schedule schedule;
        int fragment;
        boolean busy;

        FragmentRun(Schedule schedule) {
            this.schedule = schedule;
        }

        @Override
        public boolean admits(int part) {
            return switch (order) {
                case PARALLEL -> true;
                case ORDERED -> started[part] == fragment;
                case SEQUENTIAL -> completed[part] == fragment;
            };
        }

        @Override
        public void started(int part) {
            started[part]++;
        }

        @Override
        public void completed(int part) {
            completed[part]++;
        }
    }

    @Override
    public List<Task> parts() {
        return Arrays.stream(fragmentRuns).<Task>map(run -> run.schedule).toList();
    }

    @Override
    protected void start() {
        Arrays.fill(started, 0);
        Arrays.fill(completed, 0);
        next = 0;
        over = 0;
        for (FragmentRun fragmentRun : fragmentRuns) {
            fragmentRun.busy = false;
        }
        for (FragmentRun fragmentRun : fragmentRuns) {
            begin(fragmentRun);
        }
    }

    @Override
    protected boolean progress() {
        boolean moved = false;
        for (FragmentRun fragmentRun : fragmentRuns) {
            if (fragmentRun.busy) {
                moved |= fragmentRun.schedule.hasTerminated() || fragmentRun.schedule.advance();
                if (fragmentRun.schedule.hasTerminated()) {
                    end(fragmentRun);
                }
            }
        }
        if (over == count) {
            finish();
        }
        return moved;
    }

    @Override
    public int awaitedPe() {
        for (FragmentRun fragmentRun : fragmentRuns) {
            int pe = fragmentRun.busy ? fragmentRun.schedule.awaitedPe() : -1;
            if (pe != -1) {
                return pe;
            }
        }
        return -1;
    }

    @Override
    public @Nullable StatusLabel awaitedLayer() {
        StatusLabel layer = null;
        for (FragmentRun fragmentRun : fragmentRuns) {
            layer = layer == null && fragmentRun.busy ? fragmentRun.schedule.awaitedLayer() : layer;
        }
        return layer;
    }

    @Override
    public String text() {
        return super.text() + ", " + over + " of " + count + " fragments complete";
    }

    private void begin(FragmentRun fragmentRun) {
        fragmentRun.fragment = next;
        fragmentRun.busy = true;
        setup.setUp(fragmentRun.schedule, next++);
        fragmentRun.schedule.launch();
        check(fragmentRun.schedule);
    }

    private void end(FragmentRun fragmentRun) {
        check(fragmentRun.schedule);
        over++;
        fragmentRun.busy = false;
        if (next < count) {
            begin(fragmentRun);
        }
    }
}
