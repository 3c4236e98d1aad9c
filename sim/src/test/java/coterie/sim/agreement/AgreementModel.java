// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import coterie.sim.agreement.AgreementMember.Effect;
import coterie.sim.agreement.AgreementMember.Observes;
import coterie.sim.agreement.AgreementMember.Outcome;
import coterie.sim.agreement.AgreementMember.Put;
import coterie.sim.agreement.AgreementMember.State;
import coterie.sim.agreement.AgreementMember.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Agreements of some members with a network and deaths, as a system of states and moves. It checks the laws:
///
/// - all members that return from an agreement return the same, also those that die afterwards
/// - each living member returns
/// - a member that died before any member had entered is out, living members are in, and a member that is out of
///   an agreement is out of the next ones
/// - each member has the words of the living members that are in
///
/// Each store of a member travels for itself, those to one reader in their order. Those of a dead member may
/// arrive late, even after its end is known, or be lost. Each member sees an end at a moment of its own.
///
/// A state is an array of numbers:
///
/// ```
///  members   the number of its AgreementMember.State, DEAD, or RETURNED
///  slots     by writer and reader, the number of the BoardSlot
///  ends      by member: ALIVE, UNNUMBERED, or the number of its end
///  seen      by member: the ends that it sees, a bit each
///  early     the members that died before any member had entered, a bit each
///  outcomes  by agreement: 0, or 1 + the number of the outcome's text
/// ```
final class AgreementModel {
    private static final int DEAD = -1;
    private static final int RETURNED = -2;
    private static final int UNNUMBERED = -1;
    private static final int SLOT_WORDS = 8;

    private final Shape shape;
    private final int size;
    private final List<AgreementMember> members = new ArrayList<>();
    private final BoardSlot.Table slots = new BoardSlot.Table(SLOT_WORDS);
    private final List<Outcome> outcomes = new ArrayList<>();

    /// What is searched.
    ///
    /// @param members in `[2, 31]`
    /// @param deaths at most so many members die
    /// @param agreements of each member, one after the other
    /// @param pollsAreAtomic whether a poll is one step, or each of its loads
    /// @param wordless the member that has no word for the others, or −1
    record Shape(int members, int deaths, int agreements, boolean pollsAreAtomic, int wordless) {}

    AgreementModel(Shape shape) {
        this.shape = shape;
        this.size = shape.members;
        for (int member = 0; member < size; member++) {
            members.add(new AgreementMember(Replay.Part.of(member, size, shape.agreements, member != shape.wordless)));
        }
    }

    /// Returns the state at the begin.
    int[] begin() {
        return new int[outcome(shape.agreements)];
    }

    /// Returns how many steps the runtime's class has executed.
    int replays() {
        return members.stream().mapToInt(AgreementMember::replays).sum();
    }

    private int slot(int writer, int reader) {
        return size + writer * size + reader;
    }

    private int end(int member) {
        return size + size * size + member;
    }

    private int seen(int member) {
        return end(size) + member;
    }

    private int early() {
        return seen(size);
    }

    private int outcome(int agreement) {
        return early() + 1 + agreement;
    }

    /// Returns the moves of a state. A poll that finds nothing new is none, unless its loads are steps.
    List<Move> moves(int[] state) {
        List<Move> moves = new ArrayList<>();
        long dead = IntStream.range(0, size).filter(each -> state[each] == DEAD).count();
        for (int member = 0; member < size; member++) {
            if (state[member] != DEAD && dead < shape.deaths) {
                int most = state[member] == RETURNED ? 0 : effects(state, member);
                for (int effects = 0; effects <= Math.max(0, most - 1); effects++) {
                    moves.add(new Move(Move.Kind.DIE, member, 0, effects));
                }
            }
            if (state[member] >= 0 && (!shape.pollsAreAtomic || !pollsInVain(state, member))) {
                moves.add(new Move(Move.Kind.STEP, member, 0, Move.ALL));
            }
            if (state[end(member)] == UNNUMBERED) {
                moves.add(new Move(Move.Kind.NUMBER, member, 0, 0));
            }
            for (int other = 0; other < size; other++) {
                if (slots.slot(state[slot(member, other)]).isUnderWay()) {
                    moves.add(new Move(Move.Kind.ARRIVE, member, other, 0));
                    if (state[member] == DEAD) {
                        moves.add(new Move(Move.Kind.LOSE, member, other, 0));
                    }
                }
                if (state[other] >= 0 && state[end(member)] > 0 && (state[seen(other)] >> member & 1) == 0) {
                    moves.add(new Move(Move.Kind.SEE, member, other, 0));
                }
            }
        }
        return moves;
    }

    /// Returns the state after a move.
    ///
    /// @throws Violation if a law does not hold
    int[] after(int[] state, Move move) {
        int[] next = state.clone();
        int slot = slot(move.member(), move.other());
        switch (move.kind()) {
            case STEP -> step(next, move.member(), move.effects());
            case DIE -> die(next, move);
            case ARRIVE -> next[slot] = slots.arrive(slots.slot(next[slot])).id();
            case LOSE -> next[slot] = slots.lose(slots.slot(next[slot])).id();
            case NUMBER -> number(next, move.member());
            case SEE -> next[seen(move.other())] |= 1 << move.member();
        }
        return next;
    }

    private void die(int[] state, Move move) {
        int member = move.member();
        if (IntStream.range(0, size).allMatch(each -> state[each] == 0 || state[end(each)] != 0)
                && move.effects() == 0) {
            state[early()] |= 1 << member;
        }
        if (move.effects() > 0) {
            step(state, member, move.effects());
        }
        state[member] = DEAD;
        state[end(member)] = UNNUMBERED;
        leave(state, member);
        if (shape.deaths == 1) {
            number(state, member); // with one end there is one order
        }
    }

    private void number(int[] state, int member) {
        state[end(member)] = 1
                + (int) IntStream.range(0, size)
                        .filter(each -> state[end(each)] > 0)
                        .count();
    }

    /// What a member that acts no more would see makes no difference.
    private void leave(int[] state, int member) {
        state[seen(member)] = 0;
        for (int writer = 0; writer < size; writer++) {
            state[slot(writer, member)] = 0;
        }
    }

    /// Returns whether no member will ever act, and some wait.
    boolean isStuck(int[] state) {
        boolean waits = false;
        for (int slot = slot(0, 0); slot < slot(size, 0); slot++) {
            if (slots.slot(state[slot]).isUnderWay()) {
                return false;
            }
        }
        for (int member = 0; member < size; member++) {
            if (state[member] >= 0) {
                waits = true;
                if (members.get(member).state(state[member]).observes() != Observes.POLL
                        || !pollsInVain(state, member)) {
                    return false;
                }
            }
        }
        return waits && moves(state).stream().allMatch(move -> move.isOptional() || move.kind() == Move.Kind.STEP);
    }

    private int effects(int[] state, int member) {
        List<Effect> effects = new ArrayList<>();
        follow(state, member, effects);
        return effects.size();
    }

    private boolean pollsInVain(int[] state, int member) {
        List<Effect> effects = new ArrayList<>();
        State end = members.get(member).state(state[member]);
        do {
            Transition taken = members.get(member).next(end, observe(state, member, end));
            effects.addAll(taken.effects());
            end = taken.next();
        } while (isWithin(end));
        return effects.isEmpty() && end.id() == state[member];
    }

    private static boolean isWithin(State state) {
        return state.observes() != Observes.POLL && state.observes() != Observes.NOTHING;
    }

    private State follow(int[] state, int member, List<Effect> effects) {
        State at = members.get(member).state(state[member]);
        do {
            Transition taken = members.get(member).next(at, observe(state, member, at));
            effects.addAll(taken.effects());
            at = taken.next();
        } while (shape.pollsAreAtomic && isWithin(at));
        return at;
    }

    private long observe(int[] state, int member, State at) {
        return switch (at.observes()) {
            case POLL, NOTHING -> 0;
            case END -> (state[seen(member)] >> at.first() & 1) == 0 ? 0 : state[end(at.first())];
            case LOAD -> slots.slot(state[slot(at.first(), member)]).word(at.word());
        };
    }

    private void step(int[] state, int member, int effects) {
        List<Effect> all = new ArrayList<>();
        State next = follow(state, member, all);
        for (Effect effect : all.subList(0, Math.min(effects, all.size()))) {
            switch (effect) {
                case Put put -> {
                    int slot = slot(member, put.to());
                    if (state[put.to()] >= 0) {
                        state[slot] = slots.extend(slots.slot(state[slot]), put).id();
                    }
                }
                case Outcome outcome -> returned(state, member, outcome);
            }
        }
        state[member] = next.id();
        if (next.observes() == Observes.NOTHING) {
            state[member] = RETURNED;
            leave(state, member);
        }
    }

    private void returned(int[] state, int member, Outcome outcome) {
        int known = state[outcome(outcome.agreement())];
        if (known == 0) {
            outcomes.add(outcome);
            check(state, outcome);
            int same = IntStream.range(0, outcomes.size())
                    .filter(each -> outcomes.get(each).text().equals(outcome.text()))
                    .findFirst()
                    .orElseThrow();
            if (same < outcomes.size() - 1) {
                outcomes.removeLast();
            }
            state[outcome(outcome.agreement())] = 1 + same;
        } else if (!outcomes.get(known - 1).text().equals(outcome.text())) {
            throw new Violation("member " + member + " returns" + outcome.text() + "after another has returned"
                    + outcomes.get(known - 1).text());
        }
        checkWords(state, member, outcome);
    }

    private void check(int[] state, Outcome outcome) {
        if (outcome.words().isEmpty()) {
            if (shape.wordless < 0) {
                throw new Violation("an agreement ends with " + outcome.text());
            }
            return;
        }
        Outcome before = null;
        if (outcome.agreement() > 0) {
            before = outcomes.get(state[outcome(outcome.agreement() - 1)] - 1);
        }
        for (int member = 0; member < size; member++) {
            boolean wasOut = (state[early()] >> member & 1) != 0 || isOut(before, member);
            if (outcome.has(member) && wasOut) {
                throw new Violation("the dead member " + member + " is in" + outcome.text());
            }
            if (!outcome.has(member) && state[end(member)] == 0) {
                throw new Violation("the living member " + member + " is not in" + outcome.text());
            }
        }
    }

    private static boolean isOut(@Nullable Outcome outcome, int member) {
        return outcome != null && !outcome.words().isEmpty() && !outcome.has(member);
    }

    private void checkWords(int[] state, int reader, Outcome outcome) {
        for (int member = 0; member < outcome.words().size(); member++) {
            long word = outcome.words().get(member);
            if (outcome.has(member)
                    && word != Replay.Part.word(member, outcome.agreement())
                    && (word != 0 || state[end(member)] == 0)) {
                throw new Violation("member " + reader + " has the word " + word + " of member " + member
                        + " after agreement " + outcome.agreement());
            }
        }
    }
}
