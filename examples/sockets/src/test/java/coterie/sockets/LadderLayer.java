// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.CollectiveLayer;
import coterie.layer.Composition;
import coterie.layer.Composition.BufferSlice;
import coterie.layer.Configuration;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// A collective layer, as an example: the halves of the team reduce, their first members exchange the results, and
/// broadcast them to their halves.
public final class LadderLayer implements CollectiveLayer {
    @Override
    public String name() {
        return "ladder";
    }

    @Override
    public int defaultScore() {
        return 2;
    }

    @Override
    public LayerLibrary open(Configuration configuration) {
        return new LayerLibrary() {
            @Override
            public Attributes attributes() {
                return new Attributes(
                        Map.of(
                                CollectiveType.ALL_REDUCE,
                                List.of("halves"),
                                CollectiveType.ALL_GATHER,
                                List.of("relay")),
                        ThreadLevel.MULTIPLE,
                        2,
                        1000);
            }

            @Override
            public LayerContext open() {
                return Halves::new;
            }
        };
    }

    private record Halves(TeamParameters team) implements LayerTeam {
        @Override
        public boolean test() {
            return true;
        }

        @Override
        public List<Offer> offers() {
            return List.of(
                    Offer.always(CollectiveType.ALL_REDUCE, "halves", 2),
                    Offer.always(CollectiveType.ALL_GATHER, "relay", 2));
        }

        @Override
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            return Optional.of(algorithm.equals("halves") ? sum(arguments) : relay(arguments));
        }

        private Composition sum(Arguments arguments) {
            int half = team.size() / 2;
            boolean isLow = team.me() < half;
            int[] mine = IntStream.range(isLow ? 0 : half, isLow ? half : team.size())
                    .toArray();
            Composition plan = new Composition();
            BufferSlice source = BufferSlice.source(0, arguments.bytes());
            BufferSlice target = BufferSlice.target(0, arguments.bytes());
            BufferSlice partly = plan.scratch(arguments.bytes());
            plan.then(CollectiveType.REDUCE, mine, partly, source, 0);
            plan.then(CollectiveType.ALL_REDUCE, new int[] {0, half}, target, partly, 0);
            return plan.then(CollectiveType.BROADCAST, mine, target, target, 0);
        }

        /// Gathers all blocks at the last member, which broadcasts them.
        private Composition relay(Arguments arguments) {
            int[] all = IntStream.range(0, team.size()).toArray();
            int last = team.size() - 1;
            Composition plan = new Composition();
            BufferSlice block = arguments.isInPlace()
                    ? BufferSlice.target(team.me() * arguments.bytes() / team.size(), arguments.bytes() / team.size())
                    : BufferSlice.source(0, arguments.bytes() / team.size());
            BufferSlice target = BufferSlice.target(0, arguments.bytes());
            plan.then(CollectiveType.GATHER, all, target, block, last);
            return plan.then(CollectiveType.BROADCAST, all, target, target, last);
        }
    }
}
