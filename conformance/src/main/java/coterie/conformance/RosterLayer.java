// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.CollectiveLayer;
import coterie.layer.Configuration;
import coterie.layer.Exchange;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A layer for tests that serves nothing, and lets members have something of each other instead. A collective
/// layer, since no other is asked in simulated networks. Only worlds that join while it is [#plugIn]ged in have
/// it.
public final class RosterLayer implements CollectiveLayer {
    /// Contexts that are open.
    static final AtomicInteger CONTEXTS = new AtomicInteger();

    /// Teams that are open, by their names.
    static final Map<String, Roster> TEAMS = new ConcurrentHashMap<>();

    /// On the path of this thread, until it is closed.
    static final class PluggedIn implements AutoCloseable {
        private final ClassLoader before = Thread.currentThread().getContextClassLoader();

        private PluggedIn() {
            URL folder = Objects.requireNonNull(RosterLayer.class.getResource("plugged/"));
            Thread.currentThread().setContextClassLoader(new URLClassLoader(new URL[] {folder}, before));
        }

        @Override
        public void close() {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    static PluggedIn plugIn() {
        return new PluggedIn();
    }

    @Override
    public String name() {
        return "roster";
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
                CONTEXTS.incrementAndGet();
                String name = UUID.randomUUID().toString();
                return new Place(name.repeat(1 + Math.floorMod(name.hashCode(), 4)));
            }
        };
    }

    /// What a PE is reached by: some bytes that no other has, more or less of them.
    private record Place(String name) implements LayerContext {
        @Override
        public byte[] address() {
            return name.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public LayerTeam open(TeamParameters team) {
            return new Roster(name, team);
        }

        @Override
        public void close() {
            CONTEXTS.decrementAndGet();
        }
    }

    /// A team as this member sees it.
    static final class Roster implements LayerTeam {
        /// My own address.
        final String mine;

        final TeamParameters team;
        private final Exchange exchange;

        Roster(String mine, TeamParameters team) {
            this.mine = mine;
            this.team = team;
            this.exchange = team.exchange(words(team.pe(team.me())).getBytes(StandardCharsets.UTF_8));
        }

        /// What each PE lets the others have, of another length.
        static String words(int pe) {
            return "this is PE %d; ".formatted(pe).repeat(pe);
        }

        @Nullable
        String heard(int member) {
            return exchange.isDone() ? new String(exchange.get(member), StandardCharsets.UTF_8) : null;
        }

        String address(int member) {
            return new String(team.address(member), StandardCharsets.UTF_8);
        }

        @Override
        public boolean test() {
            return exchange.isDone();
        }

        @Override
        public List<Offer> offers() {
            TEAMS.put(team.name(), this);
            return List.of();
        }

        @Override
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            throw new IllegalStateException("nothing has been offered");
        }

        @Override
        public void close() {
            TEAMS.remove(team.name());
        }
    }
}
