// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.Configuration;
import coterie.layer.Field;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import coterie.layer.TransportLayer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// The sockets' layer by another name, whose members also open unexpected connections to each other while a team
/// opens. Serves no team unless its setting ON is true.
public final class StrayLayer implements TransportLayer {
    static final String ON = "ON";

    @Override
    public String name() {
        return "strays";
    }

    @Override
    public int defaultScore() {
        return SocketLayer.SCORE - 1;
    }

    @Override
    public List<Field> fields() {
        return List.of(new Field(ON, "false", "true or false"));
    }

    @Override
    public LayerLibrary open(Configuration configuration) {
        return configuration.flag(ON) ? new Disturbed() : new Off();
    }

    private static final class Off implements LayerLibrary {
        @Override
        public Attributes attributes() {
            return new Attributes(
                    Map.of(CollectiveType.BARRIER, List.of("none")),
                    ThreadLevel.MULTIPLE,
                    Integer.MAX_VALUE,
                    Integer.MAX_VALUE);
        }

        @Override
        public LayerContext open() {
            return team -> {
                throw new IllegalStateException("no team has that many members");
            };
        }
    }

    private static final class Disturbed implements LayerLibrary {
        private final SocketLibrary library =
                new SocketLibrary(System.getLogger("coterie.tl.stray"), "127.0.0.1", 1 << 16, 64);

        @Override
        public Attributes attributes() {
            return library.attributes();
        }

        @Override
        public LayerContext open() {
            LayerContext context = library.open();
            return new LayerContext() {
                @Override
                public byte[] address() {
                    return context.address();
                }

                @Override
                public LayerTeam open(TeamParameters team) {
                    return new DisturbedTeam(team, context.open(team));
                }

                @Override
                public void close() {
                    context.close();
                }
            };
        }
    }

    private static final class DisturbedTeam implements LayerTeam {
        private static final List<Stray> KINDS = List.of(Stray.values());

        private final TeamParameters team;
        private final LayerTeam undisturbed;
        private final List<Socket> calls = new ArrayList<>();
        private int tests;

        DisturbedTeam(TeamParameters team, LayerTeam undisturbed) {
            this.team = team;
            this.undisturbed = undisturbed;
        }

        @Override
        public boolean test() {
            if (tests < KINDS.size()) {
                callAll(KINDS.get((tests + team.me()) % KINDS.size()));
                tests++;
            }
            return undisturbed.test() && tests == KINDS.size();
        }

        private void callAll(Stray stray) {
            try {
                for (int member = 0; member < team.size(); member++) {
                    calls.add(stray.call(
                            team.address(member), ThreadLocalRandom.current().nextLong()));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public List<Offer> offers() {
            return undisturbed.offers();
        }

        @Override
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            return undisturbed.prepare(algorithm, arguments);
        }

        @Override
        public void close() {
            calls.forEach(DisturbedTeam::hangUp);
            undisturbed.close();
        }

        private static void hangUp(Socket call) {
            try {
                call.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
