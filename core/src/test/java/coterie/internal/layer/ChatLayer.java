// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.Configuration;
import coterie.layer.Exchange;
import coterie.layer.ExchangeProvider;
import coterie.layer.Field;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTask;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import coterie.layer.TransportLayer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A layer for tests whose tasks move data by exchanges of the team. It may provide these itself.
public class ChatLayer implements TransportLayer {
    /// Exchanges of teams that a chat has provided.
    static final AtomicInteger PROVIDED = new AtomicInteger();

    /// What calls of `exchange` have been refused with.
    static final List<String> REFUSALS = new CopyOnWriteArrayList<>();

    /// The numbers of runs that tasks have started by conditions.
    static final List<Long> TRIGGERED = new CopyOnWriteArrayList<>();

    /// True while a task calls a condition.
    static final ThreadLocal<Boolean> ASKS = ThreadLocal.withInitial(() -> false);

    private static final Map<String, byte[]> TABLE = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "chat";
    }

    @Override
    public int defaultScore() {
        return 500;
    }

    @Override
    public List<Field> fields() {
        return List.of(
                new Field("TRIGGERS", "false", "whether tasks take over triggered posts"),
                new Field("PROVIDES", "", "nothing; or all: it provides exchanges; or the PE on which it fails"));
    }

    @Override
    public LayerLibrary open(Configuration configuration) {
        String provides = configuration.text("PROVIDES");
        boolean triggers = configuration.flag("TRIGGERS");
        return new LayerLibrary() {
            @Override
            public Attributes attributes() {
                return new Attributes(
                        Map.of(CollectiveType.ALL_REDUCE, List.of("talk"), CollectiveType.BARRIER, List.of("talk")),
                        ThreadLevel.MULTIPLE,
                        1,
                        1000);
            }

            @Override
            public LayerContext open() {
                return team ->
                        provides.isEmpty() ? new Chat(team, defaultScore(), triggers) : new Provider(team, provides);
            }
        };
    }

    /// The same layer again.
    public static final class Other extends ChatLayer {
        @Override
        public String name() {
            return "other";
        }

        @Override
        public int defaultScore() {
            return 400;
        }
    }

    private static class Chat implements LayerTeam {
        final TeamParameters team;
        private final int score;
        private final boolean triggers;

        Chat(TeamParameters team, int score, boolean triggers) {
            this.triggers = triggers;
            this.team = team;
            this.score = score;
        }

        @Override
        public boolean test() {
            return true;
        }

        @Override
        public List<Offer> offers() {
            refused();
            return List.of(
                    Offer.always(CollectiveType.ALL_REDUCE, "talk", score),
                    Offer.always(CollectiveType.BARRIER, "talk", score));
        }

        private void refused() {
            try {
                team.exchange(new byte[1]);
            } catch (IllegalStateException e) {
                REFUSALS.add(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            return Optional.of(new Talk(team, arguments, triggers));
        }

        @Override
        public boolean finish() {
            refused();
            return true;
        }
    }

    private static final class Provider extends Chat implements ExchangeProvider {
        private final String faulty;
        private int count;

        Provider(TeamParameters team, String faulty) {
            super(team, 500, false);
            this.faulty = faulty;
        }

        @Override
        public Exchange exchange(byte[] mine) {
            if (faulty.equals(String.valueOf(team.pe(team.me())))) {
                throw new IllegalStateException("the line is dead");
            }
            count++;
            PROVIDED.incrementAndGet();
            String run = team.id() + "/" + count + "/";
            TABLE.put(run + team.me(), mine);
            return new Exchange() {
                @Override
                public boolean isDone() {
                    for (int member = 0; member < team.size(); member++) {
                        if (!TABLE.containsKey(run + member)) {
                            return false;
                        }
                    }
                    return true;
                }

                @Override
                public byte[] get(int member) {
                    return TABLE.get(run + member);
                }
            };
        }
    }

    private static final class Talk implements LayerTask {
        private final TeamParameters team;
        private final Arguments arguments;
        private final boolean triggers;
        private @Nullable Exchange exchange;
        private @Nullable BooleanSupplier awaited;
        private long number;

        Talk(TeamParameters team, Arguments arguments, boolean triggers) {
            this.triggers = triggers;
            this.team = team;
            this.arguments = arguments;
        }

        @Override
        public boolean takesTriggers() {
            return triggers;
        }

        @Override
        public void postWhen(long run, BooleanSupplier condition) {
            exchange = null;
            number = run;
            awaited = condition;
        }

        private static boolean holds(BooleanSupplier condition) {
            ASKS.set(true);
            try {
                return condition.getAsBoolean();
            } finally {
                ASKS.set(false);
            }
        }

        @Override
        public void post(long run) {
            exchange = team.exchange(
                    arguments.sources() == 0 ? new byte[0] : arguments.source(0).toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public boolean progress() {
            BooleanSupplier condition = awaited;
            if (condition != null && holds(condition)) {
                awaited = null;
                TRIGGERED.add(number);
                post(number);
            }
            Exchange its = exchange;
            if (its == null || !its.isDone()) {
                return false;
            }
            if (arguments.targets() > 0) {
                MemorySegment sum = MemorySegment.ofArray(its.get(0));
                for (int member = 1; member < team.size(); member++) {
                    arguments.fold(sum, sum, MemorySegment.ofArray(its.get(member)));
                }
                arguments.target(0).copyFrom(sum);
            }
            return true;
        }
    }
}
