// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import coterie.CoterieException;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.rma.PeContext;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncLines;
import coterie.internal.sync.TeamMap;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.Counters;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.sim.agreement.AgreementMember.Effect;
import coterie.sim.agreement.AgreementMember.Observes;
import coterie.sim.agreement.AgreementMember.Outcome;
import coterie.sim.agreement.AgreementMember.Put;
import coterie.sim.agreement.AgreementMember.Stop;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.PeJob;
import coterie.spi.WaitStrategy;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/// Runs a member's agreements in the runtime's own class, with given observations, up to the first observation
/// that is not given.
public final class Replay {
    /// Bytes of a member's line and slot, see [SyncLines].
    private static final int LINE = 128;

    private static final int SLOT = 64;

    /// Conduits name the place of a board by its offset.
    private static final long REMOTE = 0;

    /// A field that messages alone use.
    private static final String FOR_MESSAGES = "LivingAgreement$Progress.awaited";

    private static final long EPOCH =
            Arena.global().allocate(Long.BYTES, Long.BYTES).address();
    private static final StatusPage PAGE = StatusPage.ofProcess();
    private static final ScopedValue<Replay> RUNNING = ScopedValue.newInstance();

    private final Part part;
    private final List<Long> log;
    private final List<Effect> effects = new ArrayList<>();
    private final Map<String, Long> fields = new TreeMap<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final long board;
    private int observed;

    /// A member's part.
    ///
    /// @param agreements one after the other
    /// @param hasWord whether it has a word for the others
    /// @param memory of its lines, which it loads from
    record Part(int member, int size, int agreements, boolean hasWord, long memory) {
        static Part of(int member, int size, int agreements, boolean hasWord) {
            long bytes = (LINE + SLOT) * (long) size;
            return new Part(
                    member,
                    size,
                    agreements,
                    hasWord,
                    Arena.global().allocate(bytes, LINE).address());
        }

        long word(int agreement) {
            return hasWord ? word(member, agreement) : -1;
        }

        /// Returns the word of any member.
        static long word(int member, int agreement) {
            return 1000L * (agreement + 1) + member;
        }
    }

    /// The observations are over.
    private static final class Suspended extends Error {
        private static final long serialVersionUID = 1L;

        private final transient Stop stop;

        Suspended(Stop stop) {
            super(null, null, false, false);
            this.stop = stop;
        }
    }

    private Replay(Part part, List<Long> log) {
        this.part = part;
        this.log = log;
        this.board = part.memory + (long) part.size * LINE;
    }

    static Stop run(Part part, List<Long> log) {
        Replay replay = new Replay(part, log);
        return ScopedValue.where(RUNNING, replay).call(replay::run);
    }

    private Stop run() {
        try {
            observe(Observes.POLL, 0, 0); // the begin
            TeamSync team = team();
            for (int agreement = 0; agreement < part.agreements; agreement++) {
                fields.keySet().removeIf(field -> field.startsWith("LivingAgreement$Progress"));
                Outcome outcome = agree(team, agreement);
                outcomes.add(outcome);
                effects.add(outcome);
            }
            return stop(Observes.NOTHING, 0, 0);
        } catch (Suspended e) {
            return e.stop;
        }
    }

    private Outcome agree(TeamSync team, int agreement) {
        try {
            TeamSync.Survivors survivors = team.agreeOnLiving(OperationKind.SURVIVORS, part.word(agreement));
            StringBuilder text = new StringBuilder(" ");
            List<Long> words = new ArrayList<>();
            for (int member = 0; member < part.size; member++) {
                text.append(survivors.has(member) ? member + " " : "");
                words.add(survivors.word(member));
            }
            return new Outcome(agreement, text.toString(), words);
        } catch (CoterieException e) {
            return new Outcome(agreement, e.getClass().getSimpleName(), List.of());
        }
    }

    private TeamSync team() {
        Channel channel = fake(
                Channel.class,
                Map.of("accepts", arguments -> true, "quiet", arguments -> 0L, "putWord", this::put, "fence", a -> a));
        Conduit conduit = fake(
                Conduit.class,
                Map.of(
                        "openChannel", arguments -> channel,
                        "localBase", arguments -> part.memory,
                        "directBase", arguments -> 0L,
                        "remoteBase", arguments -> REMOTE,
                        "capabilities", arguments -> Set.of(),
                        "observer", arguments -> Optional.empty(),
                        "progress", arguments -> observe(Observes.POLL, 0, 0),
                        "arrivals", arguments -> 0L));
        PeJob job = fake(
                PeJob.class,
                Map.of(
                        "pe", arguments -> part.member,
                        "size", arguments -> part.size,
                        "epochAddress", arguments -> EPOCH,
                        "ordersEnds", arguments -> true,
                        "endOrder", arguments -> observe(Observes.END, (int) arguments[0], 0)));
        WaitStrategy waiting =
                fake(WaitStrategy.class, Map.of("spins", arguments -> 0, "nanoTime", arguments -> 0L, "idle", a -> a));
        PeRuntime runtime = new PeRuntime(job, PAGE, waiting, conduit, new Counters(), Long.MAX_VALUE, "");
        return new TeamSync(
                new Membership(new StatusLabel("searched"), TeamMap.full(part.size), part.member),
                SyncLines.at(0),
                new PeContext(part.member, part.size, conduit, runtime, null),
                conduit,
                new BlockingChannel(conduit, runtime.room()),
                runtime,
                1,
                part.size,
                null);
    }

    /// Returns an object with these methods only.
    private static <T> T fake(Class<T> face, Map<String, Function<Object[], Object>> methods) {
        return face.cast(Proxy.newProxyInstance(
                face.getClassLoader(), new Class<?>[] {face}, (self, method, arguments) -> {
                    Function<Object[], Object> called = methods.get(method.getName());
                    if (called == null) {
                        throw new AssertionError("an agreement needs no " + method);
                    }
                    Object result = called.apply(arguments);
                    return method.getReturnType() == void.class ? null : result;
                }));
    }

    private Object put(Object[] arguments) {
        long place = (long) arguments[3] - REMOTE - (long) part.size * LINE;
        if (place / SLOT != part.member) {
            throw new AssertionError("a store to the slot of another member, at " + place);
        }
        effects.add(new Put((int) arguments[2], (int) (place % SLOT) / Long.BYTES, (long) arguments[0]));
        return effects;
    }

    private long observe(Observes what, int first, int word) {
        if (observed == log.size()) {
            throw new Suspended(stop(what, first, word));
        }
        effects.clear();
        return log.get(observed++);
    }

    private Stop stop(Observes what, int first, int word) {
        return new Stop(what, first, word, fields + "" + outcomes, List.copyOf(effects));
    }

    /// Called before each load of the class from its board: the memory gets the given word.
    public static void reading(long address) {
        Replay replay = RUNNING.get();
        int place = (int) (address - replay.board);
        long word = replay.observe(Observes.LOAD, place / SLOT, place % SLOT / Long.BYTES);
        AddressSpace.setLongRelease(address, word);
    }

    /// Called when a number is stored to a field of the class.
    public static void wrote(long number, String field) {
        if (!field.equals(FOR_MESSAGES)) {
            RUNNING.get().fields.put(field, number);
        }
    }
}
