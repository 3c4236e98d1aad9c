// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.Composition;
import coterie.layer.Composition.BufferSlice;
import coterie.layer.Configuration;
import coterie.layer.Exchange;
import coterie.layer.Field;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTask;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import coterie.layer.TransportLayer;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A transport layer within a JVM, for tests: members leave what they have in a map that all share. It fails where
/// its settings ask for it.
public final class HallLayer implements TransportLayer {
    private static final Map<String, byte[]> HALL = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBERS = new AtomicLong();

    /// The names of teams on which tasks have been posted.
    static final Set<String> SERVED = ConcurrentHashMap.newKeySet();

    /// Calls of `finish`, of which every third one says that it is done.
    static final AtomicInteger FINISHED = new AtomicInteger();

    /// Calls of `prepare`.
    static final AtomicInteger PREPARED = new AtomicInteger();

    /// Libraries, contexts, teams and tasks that are open.
    static final AtomicInteger OPEN = new AtomicInteger();

    /// Where it fails, and on which PE: such as `test@1`, or `test@1+close` at both; or how it behaves.
    static final String FAULT = "FAULT";

    /// How a fault begins that is a class which is not there.
    static final String LINK = "link:";

    /// How one begins that is an argument which the layer does not like.
    static final String ARGUMENT = "argument:";

    /// How one begins that is an endless recursion.
    static final String DEEP = "deep:";

    /// A file on the path of the PEs on which the fault `lame` is active.
    static final String LAME = "lame";

    @Override
    public String name() {
        return "hall";
    }

    @Override
    public int defaultScore() {
        return 500;
    }

    @Override
    public List<Field> fields() {
        return List.of(
                new Field(FAULT, "", "where it fails"),
                new Field("MOST", "8", "most members, 1 … 100"),
                new Field("EAGER", "true", "true or false"),
                new Field("LEVEL", "MULTIPLE", "a thread level"));
    }

    @Override
    public LayerLibrary open(Configuration configuration) {
        configuration.flag("EAGER");
        String fault = configuration.text(FAULT);
        failAnywhere("open", fault);
        int most = (int) configuration.number("MOST", 1, 100);
        ThreadLevel level = level(configuration);
        if (isAmong(LAME, fault)
                && Thread.currentThread().getContextClassLoader().getResource(LAME) != null) {
            throw new IllegalStateException("it is lame here");
        }
        OPEN.incrementAndGet();
        return new LayerLibrary() {
            @Override
            public Attributes attributes() {
                failAnywhere("attributes", fault);
                Map<CollectiveType, List<String>> usual = Map.of(
                        CollectiveType.ALL_REDUCE, List.of("shout", "whisper"),
                        CollectiveType.BARRIER, barriers(fault));
                Map<CollectiveType, List<String>> withBlocks = Map.of(
                        CollectiveType.ALL_GATHER_V, List.of("shout"),
                        CollectiveType.REDUCE_SCATTER_V, List.of("shout"));
                return new Attributes(
                        isAmong("none", fault) ? Map.of() : isAmong("blocks", fault) ? withBlocks : usual,
                        level,
                        1,
                        most);
            }

            @Override
            public LayerContext open() {
                failAnywhere("context", fault);
                OPEN.incrementAndGet();
                return new HallContext(fault);
            }

            @Override
            public void close() {
                OPEN.decrementAndGet();
                failAnywhere("library-close", fault);
            }
        };
    }

    private static ThreadLevel level(Configuration configuration) {
        String text = configuration.text("LEVEL");
        return Arrays.stream(ThreadLevel.values())
                .filter(level -> level.name().equals(text))
                .findFirst()
                .orElseThrow(() -> configuration.invalidValue("LEVEL", "a thread level"));
    }

    private static List<String> barriers(String fault) {
        return isAmong("misspelt", fault)
                ? List.of("Shout")
                : isAmong("doubled", fault) ? List.of("shout", "shout") : List.of("shout");
    }

    /// A PE's context in this layer.
    static final class HallContext implements LayerContext {
        private final long number = NUMBERS.incrementAndGet();
        private final String fault;

        HallContext(String fault) {
            this.fault = fault;
        }

        @Override
        public byte[] address() {
            failAnywhere("address", fault);
            return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
        }

        @Override
        public LayerTeam open(TeamParameters team) {
            fail("team", fault, team);
            OPEN.incrementAndGet();
            return new HallTeam(fault, team);
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
            failAnywhere("context-close", fault);
        }
    }

    private static boolean isAmong(String what, String fault) {
        String places = fault.substring(fault.indexOf(':') + 1);
        return List.of(places.split("\\+", -1)).contains(what);
    }

    private static boolean isHere(String what, String fault, TeamParameters team) {
        return isAmong(what, fault) || isAmong(what + "@" + team.pe(team.me()), fault);
    }

    private static void failAnywhere(String what, String fault) {
        if (isAmong(what, fault)) {
            throw failure(what, fault);
        }
    }

    private static void fail(String what, String fault, TeamParameters team) {
        if (isHere(what, fault, team)) {
            throw failure(what, fault);
        }
    }

    private static RuntimeException failure(String what, String fault) {
        if (fault.startsWith(LINK)) {
            throw new NoClassDefFoundError("hall/" + what);
        }
        if (fault.startsWith(DEEP)) {
            throw new StackOverflowError(what + " is endless");
        }
        return fault.startsWith(ARGUMENT)
                ? new IllegalArgumentException(what + " fails")
                : new IllegalStateException(what + " fails");
    }

    private record HallTeam(String fault, TeamParameters team, Exchange names) implements LayerTeam {
        HallTeam(String fault, TeamParameters team) {
            this(fault, team, team.exchange(team.address(team.me())));
        }

        @Override
        public boolean test() {
            fail("test", fault, team);
            if (names.isDone() && isHere("endless", fault, team)) {
                team.exchange(new byte[] {(byte) team.me()});
                return false;
            }
            return names.isDone() && !isHere("never", fault, team);
        }

        @Override
        public List<Offer> offers() {
            fail("offers", fault, team);
            if (isHere("silent", fault, team)) {
                return List.of();
            }
            if (isHere("blocks", fault, team)) {
                return List.of(
                        Offer.always(CollectiveType.ALL_GATHER_V, "shout", 500),
                        Offer.always(CollectiveType.REDUCE_SCATTER_V, "shout", 500));
            }
            long to = isHere("less", fault, team) ? 1024 : 4096;
            return List.of(
                    new Offer(CollectiveType.ALL_REDUCE, "shout", 0, to, 500),
                    new Offer(CollectiveType.ALL_REDUCE, "whisper", 4096, 8192, 500),
                    Offer.always(CollectiveType.BARRIER, "shout", 500));
        }

        @Override
        @SuppressWarnings("NullAway") // as a layer may do
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            fail("prepare", fault, team);
            if (isHere("null", fault, team)) {
                return null;
            }
            if (isHere("decline", fault, team)) {
                return Optional.empty();
            }
            if (isHere("compose", fault, team)) {
                int[] all = IntStream.range(0, team.size()).toArray();
                BufferSlice source = BufferSlice.source(0, arguments.bytes());
                BufferSlice target = BufferSlice.target(0, arguments.bytes());
                return Optional.of(new Composition().then(arguments.type(), all, target, source, 0));
            }
            OPEN.incrementAndGet();
            PREPARED.incrementAndGet();
            return Optional.of(new HallTask(this, arguments));
        }

        /// Where a member's part of a run is.
        String place(int member, long number) {
            return ByteBuffer.wrap(names.get(0)).getLong() + "/" + team.name() + "/"
                    + ByteBuffer.wrap(team.address(member)).getLong() + "/" + number;
        }

        @Override
        public boolean finish() {
            fail("finish", fault, team);
            return FINISHED.incrementAndGet() % 3 == 0 && !isHere("never-finish", fault, team);
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
            fail("team-close", fault, team);
        }
    }

    private static final class HallTask implements LayerTask {
        private final HallTeam hall;
        private final Arguments arguments;
        private long number;

        HallTask(HallTeam hall, Arguments arguments) {
            this.hall = hall;
            this.arguments = arguments;
        }

        @Override
        public void post(long run) {
            number = run;
            SERVED.add(hall.team.name());
            fail("post", hall.fault, hall.team);
            ByteArrayOutputStream mine = new ByteArrayOutputStream();
            for (int block = 0; block < arguments.sources(); block++) {
                mine.writeBytes(arguments.source(block).toArray(ValueLayout.JAVA_BYTE));
            }
            HALL.put(hall.place(hall.team.me(), run), arguments.sources() == 0 ? new byte[1] : mine.toByteArray());
        }

        @Override
        public boolean progress() {
            fail("progress", hall.fault, hall.team);
            if (isHere("stuck", hall.fault, hall.team) || isHere("stop", hall.fault, hall.team)) {
                return false;
            }
            MemorySegment sum = null;
            for (int member = 0; member < hall.team.size(); member++) {
                byte @Nullable [] its = HALL.get(hall.place(member, number));
                if (its == null) {
                    return false;
                }
                MemorySegment part = MemorySegment.ofArray(its.clone());
                if (arguments.type() == CollectiveType.ALL_GATHER_V) {
                    arguments.target(member).copyFrom(part);
                } else if (sum == null) {
                    sum = part;
                } else if (arguments.operator().isPresent()) {
                    arguments.fold(sum, sum, part);
                }
            }
            if (sum != null && arguments.targets() > 0) {
                arguments
                        .target(0)
                        .copyFrom(sum.asSlice(from(), arguments.target(0).byteSize()));
            }
            return true;
        }

        /// Where the member's part of the sum begins.
        private long from() {
            long from = 0;
            for (int block = 0; block < hall.team.me() && arguments.sources() > 1; block++) {
                from += arguments.source(block).byteSize();
            }
            return from;
        }

        @Override
        public void stop(RuntimeException why) {
            fail("stop", hall.fault, hall.team);
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
            fail("close", hall.fault, hall.team);
        }
    }
}
