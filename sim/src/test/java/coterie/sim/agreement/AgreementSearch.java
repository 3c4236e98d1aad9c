// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Searches the states of an [AgreementModel]: all that can be reached, each once, or those of random runs.
///
/// Runs that come to one state have the same futures. So each state is left once by each of its moves, and the
/// number of interleavings is that of the ways through the graph of states.
final class AgreementSearch {
    /// Of so many moves of a random run, one changes the priority of an actor.
    private static final int MOVES_PER_CHANGE = 8;

    private static final int MAX_MOVES = 100_000;

    private final AgreementModel model;
    private long moves;

    AgreementSearch(AgreementModel model) {
        this.model = model;
    }

    long moves() {
        return moves;
    }

    /// A state on the way of the search.
    private static final class Step {
        final int[] state;
        final String key;
        final List<Move> moves;
        int taken;
        BigInteger ways = BigInteger.ZERO;

        Step(int[] state, String key, List<Move> moves) {
            this.state = state;
            this.key = key;
            this.moves = moves;
        }

        Move latest() {
            return moves.get(taken - 1);
        }
    }

    /// Visits all states.
    ///
    /// @param countsWays whether to count the interleavings; no state may then lead to itself
    /// @return the states, each with the number of interleavings from there to an end
    /// @throws Violation with the moves that lead to it
    Map<String, BigInteger> exhaust(boolean countsWays) {
        Map<String, BigInteger> visited = new HashMap<>();
        Deque<Step> path = new ArrayDeque<>();
        try {
            path.addLast(enter(model.begin(), visited));
            while (!path.isEmpty()) {
                Step last = path.getLast();
                if (last.taken == last.moves.size()) {
                    visited.put(last.key, last.ways);
                    path.removeLast();
                    if (!path.isEmpty()) {
                        path.getLast().ways = path.getLast().ways.add(last.ways);
                    }
                    continue;
                }
                Move move = last.moves.get(last.taken++);
                moves++;
                int[] next = model.after(last.state, move);
                BigInteger known = visited.get(key(next));
                if (known == null) {
                    path.addLast(enter(next, visited));
                } else if (countsWays && known.signum() < 0) {
                    throw new Violation("the members send without end");
                } else {
                    last.ways = last.ways.add(known);
                }
            }
        } catch (Violation e) {
            throw new Violation(e.getMessage() + "; moves: "
                    + path.stream()
                            .filter(step -> step.taken > 0)
                            .map(step -> step.latest().toString())
                            .collect(Collectors.joining(", ")));
        }
        return visited;
    }

    private Step enter(int[] state, Map<String, BigInteger> visited) {
        if (model.isStuck(state)) {
            throw new Violation("a living member waits for ever");
        }
        Step step = new Step(state, key(state), model.moves(state));
        visited.put(step.key, BigInteger.ONE.negate()); // on the way
        if (step.moves.stream().allMatch(Move::isOptional)) {
            step.ways = BigInteger.ONE; // the run may end here
        }
        return step;
    }

    private static String key(int[] state) {
        StringBuilder key = new StringBuilder(state.length);
        for (int number : state) {
            if (number + 2 > Character.MAX_VALUE) {
                throw new AssertionError("too many states of a member or a slot: " + number);
            }
            key.append((char) (number + 2));
        }
        return key.toString();
    }

    /// Runs the members once, in an order that depends on a seed: always the actor with the highest priority that
    /// can act, where priorities change now and then.
    ///
    /// @throws Violation with the moves that lead to it
    void sample(long seed) {
        Random random = new Random(seed);
        Map<String, Integer> priorities = new HashMap<>();
        List<Move> taken = new ArrayList<>();
        int[] state = model.begin();
        try {
            Move next = next(model.moves(state), priorities, random);
            while (next != null) {
                taken.add(next);
                if (taken.size() == MAX_MOVES) {
                    throw new Violation("the members act without end");
                }
                state = model.after(state, next);
                if (model.isStuck(state)) {
                    throw new Violation("a living member waits for ever");
                }
                next = next(model.moves(state), priorities, random);
            }
        } catch (Violation e) {
            throw new Violation("seed " + seed + ": " + e.getMessage() + "; moves: " + taken);
        }
        moves += taken.size();
    }

    private static @Nullable Move next(List<Move> moves, Map<String, Integer> priorities, Random random) {
        List<Move> deaths = moves.stream().filter(Move::isOptional).toList();
        if (!deaths.isEmpty() && random.nextInt(40) == 0) {
            return deaths.get(random.nextInt(deaths.size()));
        }
        Move first = null;
        int highest = -1;
        for (Move move : moves) {
            if (move.isOptional()) {
                continue;
            }
            String actor = move.kind() + " " + move.member() + " " + move.other();
            int priority = random.nextInt(MOVES_PER_CHANGE) == 0
                    ? random.nextInt(1000)
                    : priorities.getOrDefault(actor, random.nextInt(1000));
            priorities.put(actor, priority);
            if (priority > highest) {
                highest = priority;
                first = move;
            }
        }
        return first;
    }
}
