// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.Configuration;
import coterie.layer.Exchange;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import coterie.layer.TransportLayer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A layer for tests that serves nothing, and lets members exchange bytes instead.
public final class GossipLayer implements TransportLayer {
    /// Lengths of what is exchanged, one after the other, less a member's number.
    private static final List<Integer> LENGTHS = List.of(8, 9, 63, 64, 65, 300, 65536);

    /// Names of teams whose checks have all passed, with a member and its PE.
    static final Map<String, TeamParameters> CONTENT = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "gossip";
    }

    @Override
    public int defaultScore() {
        return 3;
    }

    @Override
    public LayerLibrary open(Configuration configuration) {
        return new LayerLibrary() {
            @Override
            public Attributes attributes() {
                return new Attributes(Map.of(CollectiveType.BARRIER, List.of("none")), ThreadLevel.MULTIPLE, 1, 1000);
            }

            @Override
            public LayerContext open() {
                return new Speaker("a speaker at " + System.nanoTime());
            }
        };
    }

    private record Speaker(String name) implements LayerContext {
        @Override
        public byte[] address() {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public LayerTeam open(TeamParameters team) {
            if (!Arrays.equals(team.address(team.me()), address())) {
                throw new IllegalStateException("this is not my address");
            }
            return new Circle(team);
        }
    }

    private static final class Circle implements LayerTeam {
        private final TeamParameters team;
        private @Nullable Exchange exchange;
        private int round;

        Circle(TeamParameters team) {
            this.team = team;
        }

        private byte[] bytes(int member) {
            byte[] bytes = new byte[LENGTHS.get(round) - member];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) (team.pe(member) * 31 + round * 7 + at);
            }
            return bytes;
        }

        @Override
        public boolean test() {
            if (exchange == null) {
                exchange = team.exchange(bytes(team.me()));
                refused(IllegalStateException.class, () -> team.exchange(new byte[1]));
                refused(IllegalStateException.class, () -> exchange.get(0));
            }
            if (!exchange.isDone()) {
                return false;
            }
            for (int member = 0; member < team.size(); member++) {
                if (!Arrays.equals(exchange.get(member), bytes(member))) {
                    throw new IllegalStateException("round " + round + ": member " + member + " gave something else");
                }
            }
            round++;
            exchange = null;
            return round == LENGTHS.size();
        }

        private static void refused(Class<? extends RuntimeException> type, Runnable misuse) {
            try {
                misuse.run();
            } catch (RuntimeException e) {
                if (type.isInstance(e)) {
                    return;
                }
                throw e;
            }
            throw new AssertionError("the call returned, and should have thrown");
        }

        @Override
        public List<Offer> offers() {
            refused(IllegalArgumentException.class, () -> new Offer(CollectiveType.BARRIER, "none", 5, 5, 1));
            refused(IndexOutOfBoundsException.class, () -> team.pe(team.size()));
            refused(IndexOutOfBoundsException.class, () -> team.address(-1));
            CONTENT.put(team.name() + " " + team.me(), team);
            return List.of();
        }

        @Override
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            throw new IllegalStateException("nothing has been offered");
        }
    }
}
