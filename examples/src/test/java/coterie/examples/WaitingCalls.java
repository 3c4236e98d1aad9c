// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.Comparison;
import coterie.DeadlockException;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.World;
import coterie.coarray.EventCoarray;
import coterie.coarray.ImageTeam;
import coterie.coarray.Images;
import coterie.coarray.NotifyCoarray;
import coterie.coarray.TeamScope;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.gin.CommunicatorRequirements;
import coterie.gin.ConnectionType;
import coterie.gin.DeviceCommunicator;
import coterie.gin.GinTeam;
import coterie.gin.RemoteAction;
import coterie.spi.WordNames;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/// A program with each call that waits: the last PE comes late to it, or never.
///
/// ```
/// WaitingCalls late THRESHOLD_MS      in each call the last PE comes three thresholds late
/// WaitingCalls stuck 0                in each call the last PE does not come; ended by --on-deadlock fail
/// WaitingCalls images THRESHOLD_MS    as late, in the statements of images
/// WaitingCalls image STATEMENT        one statement of images to which the last image does not come
/// ```
///
/// A third argument leaves out most calls by requests, which wait alike.
final class WaitingCalls {
    /// Operations that have no row, most of them since they wait for no call of another PE's program: for what a
    /// network, a layer or the PE itself does, or
    /// for a condition of the program, of which no verdict is certain.
    static final Set<String> OTHERS = Set.of(
            "NONE",
            "STATEMENT", // see images
            "FORM", // has a deadline
            "CONDUIT",
            "PROGRESS",
            "MOVE",
            "ATTACH",
            "STAGING", // an allocation, in a call on arrays
            "RUN_BARRIER", // a round of any call, see BARRIER
            "JOIN",
            "CLOSE",
            "PREPARE",
            "LAYERS",
            "COMPONENT_BARRIER",
            "COMPONENT_SYNC");

    private static final String BY_REQUEST = " by a request";

    /// What a row works with: a team of its own and memory of the team.
    record Place(World world, Team team, SymmetricMemory memory) {
        IntegerView words() {
            return memory.longs();
        }

        SignalWord signal() {
            return memory.signal(0);
        }

        boolean isLast() {
            return team.member() == team.size() - 1;
        }
    }

    /// A call that waits.
    ///
    /// @param kind that the status page shows, by the name of its constant: programs do not see the type
    /// @param prepare what all PEs do before
    /// @param call what all but the last PE call
    /// @param come what the last PE calls, late
    record Row(String name, String kind, Consumer<Place> prepare, Consumer<Place> call, Consumer<Place> come) {}

    private WaitingCalls() {}

    private static Row all(String name, String kind, Consumer<Place> call) {
        return new Row(name, kind, place -> {}, call, call);
    }

    private static Row request(CollectiveType type) {
        return all(type.label() + BY_REQUEST, type.name(), place -> {
            try (Request request = place.team().prepare(collective(type, place))) {
                request.post();
                request.await();
            }
        });
    }

    /// A collective of one element of each member; the root is the first or the last one, so that others wait for it or
    /// it for the last one.
    private static Collective collective(CollectiveType type, Place place) {
        IntegerView view = place.words();
        int n = place.team().size();
        int last = n - 1;
        long[] ones = new long[n];
        Arrays.fill(ones, 1);
        long[] before = new long[n];
        Arrays.setAll(before, i -> i);
        long[] after = new long[n];
        Arrays.setAll(after, i -> n + i);
        return switch (type) {
            case BARRIER -> Collective.barrier();
            case FAN_IN -> Collective.fanIn(0);
            case FAN_OUT -> Collective.fanOut(last);
            case BROADCAST -> Collective.broadcast(last).source(view, 0, 1).target(view, n, 1);
            case ALL_REDUCE ->
                Collective.allReduce(Reduction.SUM).source(view, 0, 1).target(view, n, 1);
            case REDUCE ->
                Collective.reduce(Reduction.SUM, 0).source(view, 0, 1).target(view, n, 1);
            case ALL_GATHER -> Collective.allGather().source(view, 0, 1).target(view, n, n);
            case ALL_GATHER_V -> Collective.allGatherV().source(view, 0, 1).target(view, ones, after);
            case ALL_TO_ALL -> Collective.allToAll().source(view, 0, n).target(view, n, n);
            case ALL_TO_ALL_V ->
                Collective.allToAllV().source(view, ones, before).target(view, ones, after);
            case REDUCE_SCATTER ->
                Collective.reduceScatter(Reduction.SUM).source(view, 0, n).target(view, n, 1);
            case REDUCE_SCATTER_V ->
                Collective.reduceScatterV(Reduction.SUM)
                        .source(view, ones, before)
                        .target(view, n, 1);
            case GATHER -> Collective.gather(0).source(view, 0, 1).target(view, n, n);
            case GATHER_V -> Collective.gatherV(0).source(view, 0, 1).target(view, ones, after);
            case SCATTER -> Collective.scatter(last).source(view, 0, n).target(view, n, 1);
            case SCATTER_V ->
                Collective.scatterV(last).source(view, ones, before).target(view, n, 1);
            case INCLUSIVE_SCAN ->
                Collective.inclusiveScan(Reduction.SUM).source(view, 0, 1).target(view, n, 1);
            case EXCLUSIVE_SCAN ->
                Collective.exclusiveScan(Reduction.SUM).source(view, 0, 1).target(view, n, 1);
        };
    }

    private static Row signalled(String name, String kind, Consumer<Place> wait) {
        return new Row(name, kind, place -> {}, wait, place -> {
            for (int member = 0; member < place.team().size() - 1; member++) {
                place.words().add(0, 1, member);
                place.words().add(1, 1, member);
            }
        });
    }

    /// Returns words of which the first is said to be PE 0's, which waits itself, and the second the last one's: a wait
    /// for one of them is not a wait for the first.
    private static IntegerView ownWords(Place place) {
        return place.words().named(new WordNames() {
            @Override
            public String name(long index) {
                return "word " + index;
            }

            @Override
            public int writer(long index) {
                return index == 0 ? 0 : place.team().size() - 1;
            }
        });
    }

    private static List<Row> rows(boolean isBrief) {
        List<Row> rows = rows();
        rows.removeIf(
                row -> isBrief && row.name().endsWith(BY_REQUEST) && !row.kind().equals("FAN_IN"));
        return rows;
    }

    /// Returns a row for each call.
    static List<Row> rows() {
        List<Row> rows = new ArrayList<>(List.of(
                signalled("waitUntil", "WORD", place -> place.signal().waitUntil(Comparison.GE, 1)),
                signalled(
                        "waitAll", "WORDS", place -> place.words().waitSet(0, 2).waitAll(Comparison.GE, 1)),
                signalled(
                        "waitAny",
                        "WORDS",
                        place -> ownWords(place).waitSet(0, 2).waitAny(Comparison.GE, 1)),
                signalled(
                        "waitSome",
                        "WORDS",
                        place -> ownWords(place).waitSet(0, 2).waitSome(Comparison.GE, 1, new int[2])),
                all("barrier", "BARRIER", place -> place.team().barrier()),
                all("sync", "SYNC", place -> place.team().sync()),
                all(
                        "broadcast",
                        "BROADCAST",
                        place -> place.team()
                                .broadcast(
                                        place.words(),
                                        8,
                                        place.words(),
                                        0,
                                        1,
                                        place.team().size() - 1)),
                all("allReduce", "ALL_REDUCE", place -> place.team().allReduce(Reduction.SUM, 1L)),
                all("allGather", "ALL_GATHER", place -> place.team().allGather(place.words(), 8, place.words(), 0, 1)),
                all(
                        "allGatherV",
                        "ALL_GATHER_V",
                        place -> place.team().allGatherV(place.words(), 8, place.words(), 0, 1)),
                all("allToAll", "ALL_TO_ALL", place -> place.team().allToAll(place.words(), 8, place.words(), 0, 1)),
                all("createBarriers", "CREATE_BARRIERS", place -> place.team().createBarriers(1)),
                all("allocate", "ALLOCATE", place -> place.team().allocate(64, 64)),
                all("close of memory", "FREE", place -> place.memory().free()),
                all(
                        "splitStrided",
                        "SPLIT_STRIDED",
                        place -> place.team().splitStrided(0, 1, place.team().size(), TeamConfig.DEFAULT)),
                all("split2D", "SPLIT_2D", place -> place.team().split2D(1, TeamConfig.DEFAULT, TeamConfig.DEFAULT)),
                all("splitByColor", "SPLIT_BY_COLOR", place -> place.team().splitByColor(0, 0, TeamConfig.DEFAULT)),
                all("duplicate", "DUPLICATE", place -> place.team().duplicate(TeamConfig.DEFAULT)),
                all("close of a team", "DESTROY", place -> {
                    place.memory().close();
                    place.team().destroy();
                }),
                all("syncLiving", "SYNC_LIVING", place -> place.team().syncLiving()),
                all("survivors", "SURVIVORS", place -> place.team().survivors()),
                new Row(
                        "lock",
                        "LOCK",
                        place -> {
                            if (place.isLast()) {
                                place.memory().lock(16).lock();
                            }
                            place.team().barrier();
                        },
                        place -> {
                            place.memory().lock(16).lock();
                            place.memory().lock(16).unlock();
                        },
                        place -> place.memory().lock(16).unlock()),
                all(
                        "allToAllStrided",
                        "ALL_TO_ALL_STRIDED",
                        place -> place.team().allToAllStrided(place.words(), 64, 1, place.words(), 0, 1, 1)),
                all("reallocate", "REALLOCATE", place -> place.memory().reallocate(8192))));
        for (CollectiveType type : CollectiveType.values()) {
            rows.add(request(type));
        }
        rows.addAll(streams());
        return rows;
    }

    private static List<Row> streams() {
        return List.of(
                all(
                        "barrier in a stream",
                        "BARRIER",
                        place -> inStream(place, (stream, at) -> stream.barrier(at.team()))),
                new Row(
                        "waitUntil in a stream",
                        "WORD",
                        place -> {},
                        place -> inStream(place, (stream, at) -> stream.waitUntil(at.signal(), Comparison.GE, 1)),
                        place -> {
                            for (int member = 0; member < place.team().size() - 1; member++) {
                                place.words().add(0, 1, member);
                            }
                        }));
    }

    /// The runtime stays open: its close would wait for a stream that is stuck.
    private static void inStream(Place place, BiConsumer<WorkStream, Place> enqueue) {
        WorkStream stream = StreamRuntime.open(place.world()).createStream("S");
        enqueue.accept(stream, place);
        stream.synchronize();
    }

    public static void main(String[] args) throws Exception {
        World world = World.join();
        switch (args[0]) {
            case "late" -> {
                for (Row row : rows(args.length > 2)) {
                    late(world, row, Long.parseLong(args[1]));
                }
                gin(world, Long.parseLong(args[1]));
            }
            case "stuck" -> {
                for (Row row : rows(args.length > 2)) {
                    stuck(world, row);
                }
            }
            case "images" -> Images.run(scope -> images(scope, Long.parseLong(args[1])));
            default -> Images.run(scope -> image(scope, args[1]));
        }
        if (world.pe() == 0) {
            System.out.println("all calls done");
        }
    }

    private static Place place(World world) {
        Team team = world.team().duplicate(TeamConfig.DEFAULT);
        return new Place(world, team, team.allocate(4096, 64));
    }

    private static void late(World world, Row row, long thresholdMillis) throws InterruptedException {
        Place place = place(world);
        row.prepare().accept(place);
        if (place.isLast()) {
            Thread.sleep(3 * thresholdMillis); // what the test is about
            row.come().accept(place);
        } else {
            row.call().accept(place);
        }
        world.team().barrier();
    }

    /// The last PE waits for a word of its own that no PE writes.
    private static void stuck(World world, Row row) {
        Place place = place(world);
        row.prepare().accept(place);
        world.team().barrier();
        if (world.pe() == 0) {
            System.err.println("row " + row.name());
        }
        try {
            if (!place.isLast()) {
                row.call().accept(place); // may return, on a PE that needs no other
            }
            place.memory().signal(100).waitUntil(Comparison.GE, 1);
            throw new IllegalStateException("no PE has waited: " + row.name());
        } catch (RuntimeException e) {
            if (!(e instanceof DeadlockException) && !(e.getCause() instanceof DeadlockException)) {
                throw e;
            }
        }
    }

    /// What kernels of GPUs have, on the host.
    private static void gin(World world, long thresholdMillis) throws InterruptedException {
        try (DeviceCommunicator comm = DeviceCommunicator.create(
                world,
                CommunicatorRequirements.DEFAULT
                        .withConnectionType(ConnectionType.FULL)
                        .withSignals(1)
                        .withWorldBarriers(1)
                        .withTimeout(Duration.ofMinutes(10)))) {
            GinTeam all = comm.worldTeam();
            boolean isLast = world.pe() == world.size() - 1;
            if (isLast) {
                Thread.sleep(3 * thresholdMillis);
                for (int rank = 0; rank < world.size() - 1; rank++) {
                    comm.gin(0).signal(all, rank, RemoteAction.weakSignalInc(0));
                }
                Thread.sleep(3 * thresholdMillis);
            } else {
                comm.gin(0).waitSignal(0, 1);
            }
            comm.worldBarrier(comm.gin(0), 0).sync();
        }
    }

    private static boolean isLast() {
        return Images.thisImage() == Images.numImages();
    }

    /// The last image computes, and the others wait in each statement.
    private static void images(TeamScope scope, long thresholdMillis) throws InterruptedException {
        ImageTeam all = scope.team();
        EventCoarray events = scope.allocateEvents(1);
        long pause = 3 * thresholdMillis;
        sleep(pause);
        all.sync();
        sleep(pause);
        if (isLast()) {
            for (int image = 1; image < Images.numImages(); image++) {
                all.syncImages(image);
            }
        } else {
            all.syncImages(Images.numImages());
        }
        sleep(pause);
        ImageTeam formed = all.form(1);
        sleep(pause);
        formed.run(_ -> {});
        sleep(pause);
        if (isLast()) {
            for (int image = 1; image < Images.numImages(); image++) {
                events.post(0, image);
            }
        } else {
            events.await(0);
        }
        sleep(pause);
    }

    private static void sleep(long millis) throws InterruptedException {
        if (isLast()) {
            Thread.sleep(millis);
        }
    }

    /// The last image waits for an event that no image posts.
    private static void image(TeamScope scope, String statement) {
        ImageTeam all = scope.team();
        EventCoarray events = scope.allocateEvents(2);
        NotifyCoarray notifications = scope.allocateNotifications(1);
        if (isLast()) {
            events.await(1);
        }
        switch (statement) {
            case "sync all" -> all.sync();
            case "sync images" -> all.syncImages(Images.numImages());
            case "form team" -> all.form(1);
            case "event wait" -> events.await(0);
            case "notify wait" -> notifications.await(0);
            default -> throw new IllegalArgumentException(statement);
        }
    }
}
