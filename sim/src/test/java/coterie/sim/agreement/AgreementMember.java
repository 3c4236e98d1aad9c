// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A member of an agreement as an automaton, whose transitions the runtime's own class decides: a transition is
/// computed when it is first needed, by a [Replay] of one way to its state.
///
/// Two states are equal if the class's fields are, at the begin of a poll; a state within a poll is also its
/// reads.
final class AgreementMember {
    /// What a member observes next.
    enum Observes {
        /// nothing: it begins a poll
        POLL,
        /// whether a PE has ended
        END,
        /// a word of its board
        LOAD,
        /// nothing more: all its agreements have ended
        NOTHING
    }

    /// What others can see of a transition.
    sealed interface Effect {}

    /// A store to the slot of this member on another one's board.
    record Put(int to, int word, long value) implements Effect {}

    /// The end of an agreement.
    ///
    /// @param text the list that the caller gets, or the name of the exception
    /// @param words by member
    record Outcome(int agreement, String text, List<Long> words) implements Effect {
        boolean has(int member) {
            return text.contains(" " + member + " ");
        }
    }

    /// @param first the PE, or the writer of the word
    /// @param word index in the writer's slot
    /// @param log what the member observes on one way to here
    record State(int id, Observes observes, int first, int word, List<Long> log, Map<Long, Transition> transitions) {}

    /// @param effects in their order
    record Transition(List<Effect> effects, State next) {}

    /// The end of a replay.
    ///
    /// @param fields of the class
    /// @param effects after the last observation
    record Stop(Observes observes, int first, int word, String fields, List<Effect> effects) {}

    private final Replay.Part part;
    private final List<State> states = new ArrayList<>();
    private final Map<String, State> atPolls = new HashMap<>();
    private int replays;

    AgreementMember(Replay.Part part) {
        this.part = part;
        state(Observes.POLL, 0, 0, List.of()); // the begin
    }

    State state(int id) {
        return states.get(id);
    }

    int replays() {
        return replays;
    }

    /// Returns the transition from a state after an observation.
    Transition next(State from, long observed) {
        Transition known = from.transitions.get(observed);
        if (known == null) {
            known = find(from, observed);
            from.transitions.put(observed, known);
        }
        return known;
    }

    private Transition find(State from, long observed) {
        List<Long> log = new ArrayList<>(from.log);
        log.add(observed);
        Stop stop = replay(log);
        boolean isWhole = stop.observes == Observes.POLL || stop.observes == Observes.NOTHING;
        State next = isWhole
                ? atPolls.computeIfAbsent(stop.observes + stop.fields, key -> state(stop.observes, 0, 0, log))
                : state(stop.observes, stop.first, stop.word, log);
        return new Transition(stop.effects, next);
    }

    private State state(Observes observes, int first, int word, List<Long> log) {
        State state = new State(states.size(), observes, first, word, List.copyOf(log), new HashMap<>());
        states.add(state);
        return state;
    }

    private Stop replay(List<Long> log) {
        replays++;
        return Replay.run(part, log);
    }
}
