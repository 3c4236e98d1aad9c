// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ThreadLevel;
import coterie.internal.mapped.HeapAddresses;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.SyncLayout;
import coterie.internal.plan.Plan;
import coterie.internal.posix.AddressSpace;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.schedule.TaskDescription;
import coterie.internal.wait.Counters;
import coterie.internal.wait.MachineWaitStrategy;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.PeState;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/// The members of a team inside the test's own JVM, each with an endpoint, an engine and a heap; and threads to
/// run them. Members are numbered against their PEs, and their lines are at different places.
final class TestMembers implements AutoCloseable {
    static final int LANES = 3;
    static final StatusLabel TEAM = new StatusLabel("row");
    private static final long HEAP_BYTES = 16 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final int size;
    final JobSegment job;
    final List<Mate> mates = new ArrayList<>();

    /// How members reach each other.
    enum Reach {
        /// loads and stores
        DIRECT,
        /// an operation of the conduit for everything
        CHANNEL,
        /// loads and stores between neighbours, operations between others
        MIXED,
        /// a conduit that completes operations late, and in any order
        LATE;

        boolean isDirect(int pe, int peer) {
            return this == DIRECT || (this == MIXED && pe / 2 == peer / 2);
        }
    }

    @FunctionalInterface
    interface Body {
        void run(Mate mate) throws Exception;
    }

    TestMembers(int size, Reach reach) {
        this(size, reach, ThreadLevel.SINGLE, "");
    }

    TestMembers(int size, Reach reach, ThreadLevel level, String faults) {
        this.size = size;
        this.job = JobSegment.create(new JobSegment.Parameters("test", size, HEAP_BYTES, 2, true));
        List<byte[]> heaps = new ArrayList<>();
        List<Conduit> conduits = new ArrayList<>();
        for (int pe = 0; pe < size; pe++) {
            Conduit conduit = new Reaching(job, pe, reach);
            conduits.add(conduit);
            heaps.add(conduit.createHeap(HEAP_BYTES));
        }
        for (int pe = 0; pe < size; pe++) {
            for (int peer = 0; peer < size; peer++) {
                conduits.get(pe).attachHeap(peer, heaps.get(peer));
            }
            long end = offset(size) + (long) ChannelGroup.lines(size, LANES) * JobSegment.LINE;
            assertThat(conduits.get(pe).reserve(Conduit.Region.SYNC, 0, end)).isEmpty();
            job.status(pe).state(PeState.RUNNING);
        }
        for (int member = 0; member < size; member++) {
            mates.add(new Mate(member, conduits.get(size - 1 - member), level, faults));
        }
    }

    private long offset(int member) {
        return new SyncLayout(job.size()).offsetOfTeams() + (member + 1) * 3L * JobSegment.LINE;
    }

    /// Lets others run: there are more members than processors.
    @SuppressWarnings("ThreadPriorityCheck")
    static void pause() {
        Thread.yield();
    }

    /// Runs every member in a thread of its own, and expects all to end well.
    void run(Body body) throws InterruptedException {
        Map<Integer, Throwable> failures = failures(body);
        if (!failures.isEmpty()) {
            AssertionError error = new AssertionError("members that failed: " + failures);
            failures.values().forEach(error::addSuppressed);
            throw error;
        }
    }

    /// Runs every member in a thread of its own. One that throws is marked as failed, as a launcher would.
    ///
    /// @return what each has thrown
    Map<Integer, Throwable> failures(Body body) throws InterruptedException {
        Map<Integer, Throwable> failures = new ConcurrentSkipListMap<>();
        List<Thread> threads = new ArrayList<>();
        for (Mate mate : mates) {
            Thread thread = new Thread(() -> {
                try {
                    body.run(mate);
                } catch (Throwable e) {
                    failures.put(mate.member, e);
                    job.end(mate.pe, 1);
                }
            });
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int member = 0; member < size; member++) {
            Thread thread = threads.get(member);
            if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                throw new AssertionError(
                        "member " + member + " hangs, others: " + failures + " at " + List.of(thread.getStackTrace()));
            }
        }
        return failures;
    }

    @Override
    public void close() {
        mates.forEach(mate -> mate.conduit.close());
        job.close();
    }

    /// A member.
    private static String difference(int onePe, long[] one, int otherPe, long[] other) {
        return String.format("argument %x on PE %d, %x on PE %d", one[0], onePe, other[0], otherPe);
    }

    final class Mate {
        final int member;
        final int pe;
        final Conduit conduit;
        final PeRuntime runtime;
        final ProgressEngine engine;
        final TeamEndpoint endpoint;
        final ChannelGroup lanes;
        final long heap;

        private Mate(int member, Conduit conduit, ThreadLevel level, String faults) {
            this.member = member;
            this.pe = size - 1 - member;
            this.conduit = conduit;
            this.runtime = new PeRuntime(
                    new SegmentJob(job, pe, "a test"),
                    job.status(pe),
                    new MachineWaitStrategy(size, 2),
                    conduit,
                    new Counters(),
                    Long.MAX_VALUE,
                    faults);
            this.engine = new ProgressEngine(pe, runtime, level);
            MemberAddresses memberAddresses =
                    new MemberAddresses(TEAM, size, member, each -> size - 1 - each, TestMembers.this::offset);
            this.endpoint = new TeamEndpoint(memberAddresses, conduit, runtime);
            this.lanes = endpoint.group(LANES, () -> null, (other, run) -> false, TestMembers::difference);
            this.heap = conduit.localBase(Conduit.Region.HEAP);
        }

        PlanTask task(OperationKind kind, Plan plan, long signature) {
            return task(kind, plan, signature, new Mixing());
        }

        PlanTask task(OperationKind kind, Plan plan, long signature, Operator operator) {
            return new PlanTask(
                    engine,
                    new TaskDescription("test", kind, TEAM),
                    Persistence.PERSISTENT,
                    lanes,
                    plan,
                    RunArguments.of(signature),
                    operator);
        }

        MemorySegment memory(long offset, long length) {
            return AddressSpace.ALL.asSlice(heap + offset, length);
        }

        /// Waits for the others outside of the endpoint, with a word for each in every member's heap.
        void meet(long round) {
            for (Mate other : mates) {
                AddressSpace.setLongRelease(other.heap + HEAP_BYTES - 4096 + 8L * member, round);
            }
            for (int other = 0; other < size; other++) {
                while (AddressSpace.getLongAcquire(heap + HEAP_BYTES - 4096 + 8L * other) < round) {
                    pause();
                }
            }
        }
    }

    /// No order, and each place counts: every wrong operand, length or order shows.
    static final class Mixing implements Operator {
        static byte mix(byte left, byte right) {
            return (byte) (31 * left + right + 1);
        }

        @Override
        public void fold(
                MemorySegment target,
                long to,
                MemorySegment left,
                long leftFrom,
                MemorySegment right,
                long rightFrom,
                long length) {
            for (long at = 0; at < length; at++) {
                byte one = AddressSpace.getByteOpaque(left.address() + leftFrom + at);
                byte other = AddressSpace.getByteOpaque(right.address() + rightFrom + at);
                AddressSpace.setByteOpaque(target.address() + to + at, mix(one, other));
            }
        }

        @Override
        public void clear(MemorySegment target, long at, long length) {
            for (long each = 0; each < length; each++) {
                AddressSpace.setByteOpaque(target.address() + at + each, (byte) 7);
            }
        }
    }

    private static final class Reaching extends MappedConduit {
        private final int me;
        private final Reach reach;
        private final List<LateChannel> late = new ArrayList<>();

        Reaching(JobSegment job, int me, Reach reach) {
            super(job, me, new HeapAddresses(job.size()));
            this.me = me;
            this.reach = reach;
        }

        @Override
        public long directBase(Region region, int peer) {
            return reach.isDirect(me, peer) ? super.directBase(region, peer) : 0;
        }

        @Override
        public Channel openChannel() {
            Channel channel = super.openChannel();
            if (reach != Reach.LATE) {
                return channel;
            }
            late.add(new LateChannel(channel, me));
            return late.getLast();
        }

        @Override
        public void progress() {
            late.forEach(LateChannel::advance);
        }
    }
}
