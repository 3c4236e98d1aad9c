// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.BarrierSet;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.WaitSet;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.coarray.EventCoarray;
import coterie.coarray.ImageSet;
import coterie.coarray.Images;
import coterie.coarray.NotifyCoarray;
import coterie.coarray.Outcome;
import coterie.coarray.TeamScope;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.gin.AllToAllSession;
import coterie.gin.CommunicatorRequirements;
import coterie.gin.ConnectionType;
import coterie.gin.DeviceCommunicator;
import coterie.gin.FenceLevel;
import coterie.gin.ResourceRequirement;
import coterie.spi.DescribedWait;
import coterie.spi.FaceSupport;
import coterie.stream.Extent;
import coterie.stream.KernelThread;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// A program with each wait that has a deadline: PE 0 waits until it has come, while PE 1 waits, without one, for what
/// PE 0 does then.
///
/// ```
/// TimedCalls MILLIS      how long each wait lasts
/// ```
final class TimedCalls {
    /// Methods with a duration that have no row, and why.
    static final Map<String, String> OTHERS = Map.of(
            "CommunicatorRequirements.withTimeout", "the timeout of waits that have none by withTimeout",
            "DeviceTeamOptions.withTimeout", "of kernels on a GPU");

    private static final int LOCK = 16;
    private static final ResourceRequirement EXCHANGE = ResourceRequirement.allToAll(1, 2);

    /// What a row works with: a team of two with memory, barriers and a communicator of its own.
    record Place(World world, Team team, SymmetricMemory memory, BarrierSet barriers, DeviceCommunicator comm) {
        static Place of(World world) {
            Team team = world.team().duplicate(TeamConfig.DEFAULT);
            team.prepare(Collective.barrier()).close(); // the first one waits for members to open layers
            return new Place(
                    world,
                    team,
                    team.allocate(4096, 64),
                    team.createBarriers(1),
                    DeviceCommunicator.create(
                            world,
                            CommunicatorRequirements.DEFAULT
                                    .withConnectionType(ConnectionType.FULL)
                                    .withSignals(1)
                                    .withCounters(1)
                                    .withWorldBarriers(1)
                                    .withResource(EXCHANGE)));
        }

        boolean isFirst() {
            return team.member() == 0;
        }

        IntegerView words() {
            return memory.longs();
        }
    }

    /// A call with a deadline.
    ///
    /// @param name the method that takes the duration, then the call that waits if it is another one
    /// @param prepare what both PEs do before
    /// @param call what PE 0 calls, which throws at the deadline
    /// @param after what both PEs do then
    record Row(String name, Consumer<Place> prepare, BiConsumer<Place, Duration> call, Consumer<Place> after) {}

    private interface InKernel {
        void run(Place place, Duration limit, KernelThread thread);
    }

    private TimedCalls() {}

    private static Row row(String name, BiConsumer<Place, Duration> call) {
        return new Row(name, place -> {}, call, place -> {});
    }

    private static Row set(String call, Consumer<WaitSet> wait) {
        return row(
                "WaitSet.withTimeout " + call,
                (place, limit) -> wait.accept(place.words().waitSet(1, 2).withTimeout(limit)));
    }

    private static Row kernel(String name, InKernel body) {
        return row(name + " in a kernel", (place, limit) -> {
            try (StreamRuntime runtime = StreamRuntime.open(place.world())) {
                WorkStream stream = runtime.createStream("S");
                stream.launch(Extent.of(1), Extent.of(1), thread -> expire(() -> body.run(place, limit, thread)));
                stream.synchronize();
            }
            throw new WaitTimeoutException("in the kernel");
        });
    }

    private static Row lock(String name, BiConsumer<Place, Duration> call) {
        return new Row(
                name,
                place -> {
                    if (!place.isFirst()) {
                        place.memory().lock(LOCK).lock();
                    }
                    place.team().barrier();
                },
                call,
                place -> {
                    if (!place.isFirst()) {
                        place.memory().lock(LOCK).unlock();
                    }
                });
    }

    private static Collective sum(Place place) {
        return Collective.allReduce(Reduction.SUM).source(place.words(), 0, 1).target(place.words(), 8, 1);
    }

    private static void await(Collective collective, Team team, Consumer<Request> wait) {
        Request request = team.prepare(collective);
        request.post();
        wait.accept(request);
    }

    /// Returns a row for each call but those of images.
    static List<Row> rows() {
        List<Row> rows = new ArrayList<>(List.of(
                row(
                        "SignalWord.waitUntil",
                        (place, limit) -> place.memory().signal(1).waitUntil(Comparison.GE, 1, limit)),
                row("IntegerView.waitUntil", (place, limit) -> place.words().waitUntil(1, Comparison.GE, 1, limit)),
                set("waitAll", set -> set.waitAll(Comparison.GE, 1)),
                set("waitAny", set -> set.waitAny(Comparison.GE, 1)),
                set("waitSome", set -> set.waitSome(Comparison.GE, 1, new int[2])),
                kernel(
                        "WaitSet.withTimeout waitAll",
                        (place, limit, thread) -> thread.waitSet(place.words(), 1, 2)
                                .withTimeout(limit)
                                .waitAll(Comparison.GE, 1)),
                kernel(
                        "WaitSet.withTimeout waitAny",
                        (place, limit, thread) -> thread.waitSet(place.words(), 1, 2)
                                .withTimeout(limit)
                                .waitAny(Comparison.GE, 1)),
                lock(
                        "SymmetricLock.lock",
                        (place, limit) -> place.memory().lock(LOCK).lock(limit)),
                lock(
                        "SymmetricLock.lockOrRecover",
                        (place, limit) -> place.memory().lock(LOCK).lockOrRecover(limit)),
                row("BarrierSet.await", (place, limit) -> {
                    place.barriers().arrive(0);
                    place.barriers().await(0, limit);
                }),
                row("Request.await", (place, limit) -> await(sum(place), place.team(), each -> each.await(limit))),
                row(
                        "Collective.withTimeout",
                        (place, limit) -> await(sum(place).withTimeout(limit), place.team(), Request::await)),
                row(
                        "TeamRequest.await",
                        (place, limit) -> place.team().postDuplicate().await(limit)),
                row(
                        "World.formTeam",
                        (place, limit) ->
                                place.world().formTeam(place.world().newTeamId(), 2, 0, TeamConfig.DEFAULT, limit)),
                row(
                        "FaceSupport.await",
                        (place, limit) -> FaceSupport.of(place.world()).await(new Never(), limit))));
        rows.addAll(gin());
        return rows;
    }

    private static void receive(Place place, Duration limit) {
        DeviceCommunicator comm = place.comm();
        try (AllToAllSession exchange = comm.gin(0).allToAll(comm.worldTeam(), EXCHANGE, 0)) {
            exchange.withTimeout(limit).receive(1);
        }
    }

    private static List<Row> gin() {
        return List.of(
                row(
                        "Gin.withTimeout waitSignal",
                        (place, limit) -> place.comm().gin(0).withTimeout(limit).waitSignal(0, 1)),
                row(
                        "Gin.withTimeout waitCounter",
                        (place, limit) -> place.comm().gin(0).withTimeout(limit).waitCounter(0, 1)),
                kernel(
                        "Gin.withTimeout waitSignal",
                        (place, limit, thread) -> place.comm()
                                .gin(0)
                                .withTimeout(limit)
                                .by(thread)
                                .waitSignal(0, 1)),
                kernel(
                        "Gin.withTimeout sync",
                        (place, limit, thread) -> place.comm()
                                .worldBarrier(
                                        place.comm().gin(0).withTimeout(limit).by(thread), 0)
                                .sync()),
                row(
                        "BarrierSession.withTimeout",
                        (place, limit) -> place.comm()
                                .worldBarrier(place.comm().gin(0), 0)
                                .withTimeout(limit)
                                .sync()),
                row(
                        "BarrierSession.sync",
                        (place, limit) -> place.comm()
                                .worldBarrier(place.comm().gin(0), 0)
                                .sync(FenceLevel.PUT_GET, limit)),
                row("AllToAllSession.withTimeout", TimedCalls::receive),
                row(
                        "AllContexts.withTimeout",
                        (place, limit) -> place.comm()
                                .worldBarrier(place.comm().allContexts().withTimeout(limit), 0)
                                .sync()));
    }

    /// A wait that nothing ends.
    private static final class Never implements DescribedWait {
        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public String text() {
            return "never";
        }

        @Override
        public void addAwaited(BitSet pes) {
            pes.set(1);
        }
    }

    /// Runs a call to its deadline.
    private static void expire(Runnable call) {
        try {
            call.run();
        } catch (WaitTimeoutException e) {
            return;
        }
        throw new IllegalStateException("the call has returned");
    }

    private static void run(World world, Row row, Duration limit) {
        Place place = Place.of(world);
        row.prepare().accept(place);
        if (place.isFirst()) {
            System.out.println(row.name());
            expire(() -> row.call().accept(place, limit));
            place.memory().signal(0).add(1, 1);
        } else {
            place.memory().signal(0).waitUntil(Comparison.GE, 1);
        }
        row.after().accept(place);
        world.team().barrier();
    }

    /// Image 1 waits with a deadline, and image 2 without.
    private static void images(TeamScope scope, Duration limit) {
        EventCoarray events = scope.allocateEvents(2);
        NotifyCoarray notifications = scope.allocateNotifications(1);
        if (Images.thisImage() == 1) {
            check("EventCoarray.tryAwait", events.tryAwait(0, 1, limit, ImageSet.of()));
            check("EventCoarray.tryAwait of an image", events.tryAwait(0, 1, limit, ImageSet.of(2)));
            check("NotifyCoarray.tryAwait", notifications.tryAwait(0, 1, limit, ImageSet.of()));
            events.post(1, 2);
        } else {
            events.await(1);
        }
        scope.team().sync();
    }

    private static void check(String name, Outcome outcome) {
        System.out.println(name);
        if (!(outcome instanceof Outcome.TimedOut)) {
            throw new IllegalStateException(name + ": " + outcome);
        }
    }

    public static void main(String[] args) throws Exception {
        World world = World.join();
        Duration limit = Duration.ofMillis(Long.parseLong(args[0]));
        for (Row row : rows()) {
            run(world, row, limit);
        }
        Images.run(scope -> images(scope, limit));
        if (world.pe() == 0) {
            System.out.println("all deadlines have passed");
        }
    }
}
